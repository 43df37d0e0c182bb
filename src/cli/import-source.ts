import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { download } from './download'

/**
 * Hands the bytes of a file, of standard input (`-`) or of an http URL to `use`. What comes from afar is first laid
 * down in the directory: an import keeps the database to itself while it reads, and must not wait for a network then.
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

/** A file without a name is gone with this process, however that ends. */
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
