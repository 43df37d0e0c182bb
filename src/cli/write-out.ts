import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { Failure } from '../lib/failure'
import type { Call } from './command'

/**
 * Writes pieces of text to a file for the owner's eyes only, or to standard output where the path is `-`. Throws an `io`
 * failure where there can be no such file.
 */
export async function writeOut(
  call: Call,
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const chunks = inChunks(pieces)
  if (path !== '-') return await writeFile(path, chunks).catch((cause) => failed(path, cause))
  for await (const chunk of chunks) await call.print(chunk)
}

/** The same text in pieces of at least 64 KiB, each ending with a line break but for the last. */
async function* inChunks(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    const end = chunk.length < 65_536 ? 0 : chunk.lastIndexOf('\n') + 1
    if (end === 0) continue
    yield chunk.slice(0, end)
    chunk = chunk.slice(end)
  }
  if (chunk !== '') yield chunk
}

/** The file has its name once it is whole and on disk. */
async function writeFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w', 0o600)
  try {
    for await (const chunk of chunks) writeSync(file, chunk)
    fsyncSync(file)
    renameSync(partial, path)
  } finally {
    closeSync(file)
    rmSync(partial, { force: true })
  }
}

/** What the operating system says of a path; whatever made the text has failures of its own. */
function failed(path: string, cause: unknown): never {
  if (cause instanceof Error && 'syscall' in cause)
    throw new Failure('io', `cannot write ${path}: ${cause.message}`)
  throw cause
}
