import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { createTarPacker } from 'modern-tar'
import type { Manifest } from '../manifest'

/** `file` is the path to read. A file that no longer exists is left out. */
export interface ArchiveMember {
  readonly name: string
  readonly file: string
}

type Add = (name: string, bytes: number, body: Iterable<Uint8Array>) => Promise<void>

/** Writes a `.tar.zst` with manifest, members and `SHA256SUMS`; synced, streamed. `onWritten` may throw to stop it. */
export async function writeArchive(
  path: string,
  manifest: Manifest,
  members: readonly ArchiveMember[],
  onWritten: (bytes: number) => void,
): Promise<void> {
  const { readable, controller } = createTarPacker()
  const mtime = new Date(manifest.began_at)
  const add: Add = async (name, size, body) => {
    const writer = controller.add({ name, size, mtime, mode: 0o600 }).getWriter()
    for (const chunk of body) await writer.write(chunk)
    await writer.close()
  }
  const filling = fill(add, manifest, members).then(controller.finalize, (cause) => {
    controller.error(cause)
    throw cause
  })
  const writing = writeTo(path, readable.pipeThrough(new CompressionStream('zstd')), onWritten)
  const failed = (await Promise.allSettled([writing, filling])).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function fill(add: Add, manifest: Manifest, members: readonly ArchiveMember[]): Promise<void> {
  const sums: string[] = []
  const text = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
  await add('manifest.json', text.length, [text])
  sums.push(sumLine(sha256().update(text), 'manifest.json'))
  for (const { name, file } of members) {
    const hash = await addFile(add, name, file)
    if (hash !== undefined) sums.push(sumLine(hash, name))
  }
  const lines = new TextEncoder().encode(sums.join(''))
  await add('SHA256SUMS', lines.length, [lines])
}

/** In the format of `sha256sum`, readable by `sha256sum -c`. */
const sumLine = (hash: Bun.CryptoHasher, name: string) => `${hash.digest('hex')}  ${name}\n`

async function addFile(add: Add, name: string, path: string): Promise<Bun.CryptoHasher | undefined> {
  const hash = sha256()
  const size = Bun.file(path).size
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    await add(name, size, hashed(file, hash))
  } finally {
    closeSync(file)
  }
  return hash
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

function* hashed(file: number, hash: Bun.CryptoHasher): Generator<Uint8Array> {
  for (;;) {
    const buffer = new Uint8Array(256 * 1024)
    const length = readSync(file, buffer)
    if (length === 0) return
    const chunk = buffer.subarray(0, length)
    hash.update(chunk)
    yield chunk
  }
}

const sha256 = () => new Bun.CryptoHasher('sha256')

async function writeTo(
  path: string,
  chunks: ReadableStream<Uint8Array>,
  onWritten: (bytes: number) => void,
): Promise<void> {
  const file = openSync(path, 'wx', 0o600)
  let unsynced = 0
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
      onWritten(chunk.length)
      unsynced += chunk.length
      // Flushing everything at once would hold up the server's commits.
      if (unsynced < 4 * 1024 * 1024) continue
      fsyncSync(file)
      unsynced = 0
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
