import { basename } from 'node:path'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { type InputFile, limited } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'

export const isZip = ([first, second, third]: Uint8Array) =>
  first === 0x50 && second === 0x4b && (third === 3 || third === 5)

/**
 * The members of an archive by their base names; nothing is written to disk under these names. Throws a
 * `RefusedFile` for a broken or encrypted archive, and for too many members.
 */
export async function openZip(path: string): Promise<readonly InputFile[]> {
  const members: InputFile[] = []
  let size = 0
  const zip = await opened(path)
  try {
    if (zip.entryCount > limits.memberCount) throw new RefusedFile('too_many_members')
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('utf8')
      if (name.endsWith('/')) continue
      size += entry.uncompressedSize
      members.push({ name: basename(name.replaceAll('\\', '/')), bytes: () => bytesOf(path, entry) })
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
