import crypto from 'node:crypto'
import fs from 'node:fs'

// What s3rver needs from Node and Bun lacks: DES, for its continuation tokens, and sorted directories.
const { createCipheriv, createDecipheriv } = crypto
const { readdirSync } = fs
const aes = [Buffer.alloc(16, 's3rver'), Buffer.alloc(16)] as const

Object.assign(crypto, {
  createCipheriv: (name: string, ...rest: [Buffer, Buffer]) =>
    name === 'des' ? createCipheriv('aes-128-cbc', ...aes) : createCipheriv(name, ...rest),
  createDecipheriv: (name: string, ...rest: [Buffer, Buffer]) =>
    name === 'des' ? createDecipheriv('aes-128-cbc', ...aes) : createDecipheriv(name, ...rest),
})
Object.assign(fs, { readdirSync: (path: string) => readdirSync(path).sort() })
