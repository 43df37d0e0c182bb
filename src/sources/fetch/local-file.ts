import { constants, type FileHandle, open } from 'node:fs/promises'
import { limited } from '../../fetching/content'
import type { Fetched, FetchOptions } from './asked'
import { keepContent } from './keep'
import { SourceRefused } from './refused'

/** Reads a file at the location set by the administrator, as if a server had sent it. */
export async function fetchFile(
  path: string,
  maxBytes: number,
  { keep, signal }: Pick<FetchOptions, 'keep' | 'signal'>,
): Promise<Fetched> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause) => {
    throw new SourceRefused('not_configured', `cannot read ${path}: ${cause.code}`)
  })
  if (!(await file.stat()).isFile()) throw new SourceRefused('not_configured', `${path} is no file`)
  const bytes = await keepContent(limited(piecesOf(file, signal), maxBytes), keep)
  return { kind: 'answer', bytes, etag: null, lastModified: null }
}

async function* piecesOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of file.createReadStream({ autoClose: false })) {
    signal.throwIfAborted()
    yield piece
  }
}
