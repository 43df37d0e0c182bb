import crypto from 'node:crypto'
import fs from 'node:fs'

// What s3rver needs of Node and Bun does not have: DES, for its continuation tokens, and directories in order.
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
