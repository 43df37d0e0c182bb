import { deflateSync, inflateSync } from 'node:zlib'
import type { Bytes } from '../../http/bytes'

/**
 * Cuts the middle out of a PNG in 8-bit RGBA without filters, the output of `Bun.Image` at compression level
 * 0: it can resize but not crop. Keeps no metadata: `Bun.Image` would copy a colour profile of any size into each file.
 */
export function cropPng(png: Uint8Array, ratio: number): Bytes {
  const chunks = chunksOf(png)
  const header = dataOf(chunks, 'IHDR')[0] ?? Buffer.alloc(13)
  const size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
  const rows = inflateSync(Buffer.concat(dataOf(chunks, 'IDAT')))
  const cut = middleOf(size, ratio)
  const kept = cutRows(rows, size.width, cut)
  const newHeader = Buffer.from(header)
  newHeader.writeUInt32BE(cut.width, 0)
  newHeader.writeUInt32BE(cut.height, 4)
  const body = deflateSync(kept, { level: 0 })
  return Buffer.concat([
    signature,
    chunk('IHDR', newHeader),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Without what is not needed for the pixels: the decoder would inflate every text and profile, 1.5 MB of them to
 * 500 MB. Other formats are returned as they are.
 */
export function withoutExtras(file: Bytes): Bytes {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (!bytes.subarray(0, signature.length).equals(signature)) return file
  const kept = [signature]
  let at = signature.length
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (needed.has(bytes.toString('latin1', at + 4, at + 8))) kept.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const needed: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

interface Size {
  readonly width: number
  readonly height: number
}

export interface Cut extends Size {
  readonly left: number
  readonly top: number
}

/** The largest centred part with this ratio of width to height; at least one pixel. */
function middleOf({ width, height }: Size, ratio: number): Cut {
  const cutWidth = Math.max(1, Math.min(width, Math.round(height * ratio)))
  const cutHeight = Math.max(1, Math.min(height, Math.round(width / ratio)))
  const [left, top] = [Math.floor((width - cutWidth) / 2), Math.floor((height - cutHeight) / 2)]
  return { left, top, width: cutWidth, height: cutHeight }
}

function cutRows(rows: Buffer, fullWidth: number, { left, top, width, height }: Cut): Buffer {
  const stride = 1 + 4 * fullWidth
  const kept = Buffer.alloc(height * (1 + 4 * width))
  for (let y = 0; y < height; y++) {
    const start = (top + y) * stride
    if (rows[start] !== 0) throw new Error('the rows of the PNG have filters')
    rows.copy(kept, y * (1 + 4 * width) + 1, start + 1 + 4 * left, start + 1 + 4 * (left + width))
  }
  return kept
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function chunksOf(png: Uint8Array): readonly Chunk[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const chunks: Chunk[] = []
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  return chunks
}

const dataOf = (chunks: readonly Chunk[], wanted: string) =>
  chunks.filter(({ type }) => type === wanted).map(({ data }) => data)

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(Bun.hash.crc32(named), named.length + 4)
  return whole
}
