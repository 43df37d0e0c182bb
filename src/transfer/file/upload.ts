import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { type InputFile, limited } from './input-file'
import { RefusedFile } from './refused-file'
import { isZip, openZip } from './zip'

export interface Upload {
  readonly file: InputFile
  readonly members?: readonly InputFile[]
}

/** Throws a `RefusedFile`. */
export async function openUpload(path: string, name: string): Promise<Upload> {
  const start = await firstBytes(path)
  if (start.length === 0) throw new RefusedFile('empty')
  const file = { name, bytes: () => limited(createReadStream(path)) }
  if (isZip(start)) return { file, members: await openZip(path) }
  return { file: isGzip(start) ? { name: name.replace(/\.gz$/i, ''), bytes: () => unpacked(path) } : file }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(new Uint8Array(4), 0, 4, 0)
  return buffer.subarray(0, bytesRead)
}

const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b

async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  const [packed, unpacking] = [createReadStream(path), createGunzip()]
  packed.on('error', (cause) => unpacking.destroy(cause))
  try {
    yield* limited(packed.pipe(unpacking))
  } catch (cause) {
    if (cause instanceof RefusedFile) throw cause
    const isCutOff = cause instanceof Error && /unexpected end/i.test(cause.message)
    throw isCutOff ? new RefusedFile('truncated') : new RefusedFile('broken')
  } finally {
    packed.destroy()
  }
}
