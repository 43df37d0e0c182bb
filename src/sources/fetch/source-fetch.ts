import { constants, type FileHandle, open } from 'node:fs/promises'
import { limited } from '../../fetching/content'
import { keepContent } from './keep'
import { refusalOf, SourceRefused, withoutToken } from './refused'
import type { Fetched, FetchOptions, SourceFetch, SourceFetchTools } from './source-query'
import { targetOf } from './target'
import { fetchFromWeb } from './web'

/** The only way for sources to reach the network. */
export const createSourceFetch =
  (tools: SourceFetchTools): SourceFetch =>
  async (source, request, options) => {
    try {
      const target = targetOf(source, request, options.location, tools.env)
      return 'path' in target
        ? await fetchFile(target.path, source.maxBytes, options)
        : await fetchFromWeb(tools, { source, request, options, target })
    } catch (cause) {
      throw withoutToken(refusalOf(cause), options.token)
    }
  }

/** Reads a file at the location set by the administrator, as if a server had sent it. */
async function fetchFile(
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
