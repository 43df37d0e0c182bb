import type { FileHandle } from 'node:fs/promises'

export interface FilePart {
  /** Counts from 1. */
  readonly number: number
  readonly offset: number
  readonly bytes: number
  readonly md5: Buffer
}

export interface FileParts {
  readonly bytes: number
  /** SHA-256 of the whole file, in hex. */
  readonly sha256: string
  readonly parts: readonly FilePart[]
}

/** Reads the file once, with one part of it in memory. An empty file has one part. */
export async function partsOf(handle: FileHandle, usual: number): Promise<FileParts> {
  const sha256 = new Bun.CryptoHasher('sha256')
  const parts: FilePart[] = []
  const { size } = await handle.stat()
  const length = partLength(size, usual)
  const read = reader(handle, Math.min(length, size))
  for (let offset = 0; offset === 0 || offset < size; offset += length) {
    const chunk = await read(offset, Math.min(length, size - offset))
    sha256.update(chunk)
    parts.push({ number: parts.length + 1, offset, bytes: chunk.length, md5: md5Of(chunk) })
  }
  return { bytes: size, sha256: sha256.digest('hex'), parts }
}

export const md5Of = (bytes: Uint8Array): Buffer => new Bun.CryptoHasher('md5').update(bytes).digest()

/** Each call overwrites what the previous one returned. */
export function reader(handle: FileHandle, most: number) {
  const buffer = new Uint8Array(most)
  return async (offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}

/** S3 accepts up to 10,000 parts. */
const partLength = (bytes: number, usual: number): number =>
  usual * Math.max(1, Math.ceil(bytes / usual / mostParts))

const mostParts = 10_000
