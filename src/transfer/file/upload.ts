import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { type InputFile, limited } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'

export interface OpenedUpload {
  readonly file: InputFile
  readonly members?: readonly InputFile[]
}

/** Throws a `RefusedFile`. */
export async function openUpload(path: string, name: string): Promise<OpenedUpload> {
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

const isZip = ([first, second, third]: Uint8Array) =>
  first === 0x50 && second === 0x4b && (third === 3 || third === 5)

/**
 * The members of an archive by their base names; nothing is written to disk under these names. Throws a
 * `RefusedFile` for a broken or encrypted archive, and for too many members.
 */
async function openZip(path: string): Promise<readonly InputFile[]> {
  const members: InputFile[] = []
  let size = 0
  const zip = await opened(path)
  try {
    if (zip.entryCount > limits.memberCount) throw new RefusedFile('too_many_members')
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/')
      if (name.endsWith('/')) continue
      size += entry.uncompressedSize
      const folder = name.split('/').slice(0, -1).join('/')
      members.push({ name: basename(name), folder, bytes: () => bytesOf(path, entry) })
    }
  } catch (cause) {
    throw refused(cause)
  } finally {
    zip.close()
  }
  if (size > limits.members) throw new RefusedFile('too_large', 'members')
  return members
}

async function* bytesOf(path: string, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.uncompressedSize > limits.member) throw new RefusedFile('too_large', 'member')
  const zip = await opened(path)
  try {
    yield* limited(await zip.openReadStreamPromise(entry))
  } catch (cause) {
    throw refused(cause)
  } finally {
    zip.close()
  }
}

async function opened(path: string): Promise<ZipFile> {
  try {
    // yauzl does not decode names, as it would refuse those with `..`; only their last part is used.
    return await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false })
  } catch (cause) {
    throw refused(cause)
  }
}

function refused(cause: unknown): unknown {
  if (cause instanceof RefusedFile || !(cause instanceof Error)) return cause
  if (/end of central directory|truncated|unexpected e(?:nd|of)/i.test(cause.message))
    return new RefusedFile('truncated')
  return new RefusedFile('broken')
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
