import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
  if (path !== '-') return await writeFile(call, path, chunks).catch((cause) => failed(path, cause))
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

async function writeFile(call: Call, path: string, chunks: AsyncIterable<string>): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  // A pipe or a device is written to; a file beside it would take its place.
  if (found !== undefined && !found.isFile()) return await fill(openSync(path, 'w'), chunks)
  // What a link leads to is replaced, and not the link.
  await replaceFile(call, found === undefined ? path : realpathSync(path), chunks)
}

/** The file has its name once it is whole and on disk; until then it has one that no other file has. */
async function replaceFile(call: Call, path: string, chunks: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.${call.random(8).toHex()}.partial`
  const file = openSync(partial, 'wx', 0o600)
  try {
    await fill(file, chunks)
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

async function fill(file: number, chunks: AsyncIterable<string>): Promise<void> {
  try {
    // Unlike `writeSync` it goes on after a short write.
    for await (const chunk of chunks) writeFileSync(file, chunk)
    if (fstatSync(file).isFile()) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What the operating system says of a path; whatever made the text has failures of its own. */
function failed(path: string, cause: unknown): never {
  if (cause instanceof Error && 'syscall' in cause)
    throw new Failure('io', `cannot write ${path}: ${cause.message}`)
  throw cause
}
