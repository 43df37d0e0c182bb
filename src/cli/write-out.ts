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
import type { CliCall } from './command'

/** Writes to a file with mode 0600, or to standard output if the path is `-`. Throws an `io` failure. */
export async function writeOut(call: CliCall, path: string, pieces: Pieces): Promise<void> {
  const chunks = inChunks(pieces)
  if (path !== '-') return await writeFile(call, path, chunks).catch((cause) => failed(path, cause))
  for await (const chunk of chunks) await call.print(chunk)
}

type Pieces = Iterable<string> | AsyncIterable<string | Uint8Array>

/** Joins texts into chunks of at least 64 KiB that end at a line break, except the last; bytes are left as they are. */
async function* inChunks(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  let chunk = ''
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    chunk += piece
    const end = chunk.length < 65_536 ? 0 : chunk.lastIndexOf('\n') + 1
    if (end === 0) continue
    yield chunk.slice(0, end)
    chunk = chunk.slice(end)
  }
  if (chunk !== '') yield chunk
}

async function writeFile(
  call: CliCall,
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  // A pipe or a device is written to directly, not replaced by a file.
  if (found !== undefined && !found.isFile()) return await fill(openSync(path, 'w'), chunks)
  // Replaces the target of a symbolic link, not the link.
  await replaceFile(call, found === undefined ? path : realpathSync(path), chunks)
}

/** Atomic: the file is renamed into place once it is complete and on disk. */
async function replaceFile(
  call: CliCall,
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const partial = `${path}.${call.random(8).toHex()}.partial`
  const file = openSync(partial, 'wx', 0o600)
  try {
    await fill(file, chunks)
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}

async function fill(file: number, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    // Unlike `writeSync`, it continues after a short write.
    for await (const chunk of chunks) writeFileSync(file, chunk)
    if (fstatSync(file).isFile()) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Converts only operating system errors; the producer of the text has failures of its own. */
function failed(path: string, cause: unknown): never {
  if (cause instanceof Error && 'syscall' in cause)
    throw new Failure('io', `cannot write ${path}: ${cause.message}`)
  throw cause
}
