import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Bytes } from '../../src/http/bytes'
import { formData, type Instance } from './instance'
import { hiddenInputs, sameOrigin, type Visitor } from './visitor'

/** A striped picture, as JPEG, PNG or WebP. */
export async function picture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
): Promise<Bytes> {
  return new Uint8Array(await new Bun.Image(bitmap(width, height))[format]().bytes())
}

/** Vertical thirds in red, green and blue. */
function bitmap(width: number, height: number): Bytes {
  const row = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + row * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) file[54 + y * row + x * 3 + 2 - Math.floor((x * 3) / width)] = 255
  return file
}

/** Pixels of a random colour, each part of it nothing or everything: as a WebP, over 512 KB for 640 by 960 pixels. */
export async function noise(width: number, height: number): Promise<Bytes> {
  const file = bitmap(width, height)
  const random = crypto.getRandomValues.bind(crypto)
  for (let at = 54; at < file.length; at += 65_536)
    for (const [index, value] of random(new Uint8Array(Math.min(65_536, file.length - at))).entries())
      file[at + index] = value < 128 ? 0 : 255
  return new Uint8Array(await new Bun.Image(file).png().bytes())
}

/** A PNG of black pixels, in a few dozen KB. */
export function bomb(width: number, height = width): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same PNG with a text chunk that contains `words`. */
export const withText = (png: Bytes, words: string): Bytes =>
  withChunks(png, [['tEXt', Buffer.from(`Comment\0${words}`)]])

/** The same PNG with these chunks after its header. */
export function withChunks(png: Bytes, chunks: readonly (readonly [type: string, data: Buffer])[]): Bytes {
  const afterHeader = 8 + 25
  const added = chunks.map(([type, data]) => chunk(type, data))
  return Buffer.concat([png.subarray(0, afterHeader), ...added, png.subarray(afterHeader)])
}

/** The data of an `iCCP` or `zTXt` chunk that inflates to this many zeros. */
export const inflating = (size: number): Buffer =>
  Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(size), { level: 9 })])

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(Bun.hash.crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Sends a file with a page's form. */
export async function send(visitor: Visitor, path: string, bytes: Uint8Array<ArrayBuffer>, name = 'a.jpg') {
  const page = await visitor.open(path)
  const fields = { ...hiddenInputs(page.text, path), picture: new File([bytes], name) }
  return await visitor.open(path, { method: 'POST', body: formData(fields), headers: sameOrigin })
}

/** The names of picture files, below their directory. */
export function storedPictures({ deps }: Instance): string[] {
  const directory = join(deps.config.data, 'images')
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => name.includes('-'))
}
