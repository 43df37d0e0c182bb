import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { download } from './download'

/**
 * Passes the bytes of a file, standard input (`-`) or an http URL to `use`. Streams are copied to a file
 * first: an import locks the database while it reads, and must not wait for a network then.
 */
export async function withSource<T>(
  name: string,
  directory: string,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (name !== '-' && !/^https?:\/\//i.test(name)) return await use(await openFile(name))
  const bytes = name === '-' ? Bun.stdin.stream() : await download(name)
  const copy = await openNameless(directory)
  try {
    for await (const piece of bytes) await copy.appendFile(piece)
    return await use(copy.createReadStream({ start: 0, autoClose: false }))
  } finally {
    await copy.close()
  }
}

/** An unlinked file, which the system removes however this process ends. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `import-${crypto.randomUUID()}.partial`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function openFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Failure('data', `cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`)
  })
  if (found.isDirectory()) throw new Failure('data', `cannot read ${path}: it is a directory`)
  return Bun.file(path).stream()
}
