import { createWriteStream, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
  const path = join(directory, `import-${process.pid}.partial`)
  try {
    const bytes = name === '-' ? Bun.stdin.stream() : await download(name)
    await pipeline(Readable.from(bytes), createWriteStream(path, { mode: 0o600 }))
    return await use(Bun.file(path).stream())
  } finally {
    rmSync(path, { force: true })
  }
}

async function openFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Failure('data', `cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`)
  })
  if (found.isDirectory()) throw new Failure('data', `cannot read ${path}: it is a directory`)
  return Bun.file(path).stream()
}
