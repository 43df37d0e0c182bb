import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { FetchRefused } from '../fetching/refused'
import { type OutgoingRules, send } from '../fetching/send'
import { Failure } from '../lib/failure'

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
  const bytes = name === '-' ? Bun.stdin.stream() : download(name)
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

/**
 * Follows up to five redirects, but never from https to http. Throws a `data` failure for any status but 200, and
 * `busy` without an answer within 30 s, or for one that ends early or comes too slowly.
 */
async function* download(url: string): AsyncGenerator<Uint8Array> {
  let at = url
  const rules: OutgoingRules = {
    outside: undefined,
    redirects: 5,
    limits: { headersMs: 30_000, wholeMs: 60_000, minSpeed: 1000 },
    refuse: (to, from) => {
      if (!/^https?:$/.test(to.protocol))
        throw notImported('data', to.href, 'only http and https URLs can be')
      if (from?.protocol === 'https:' && to.protocol !== 'https:')
        throw notImported('data', at, 'it leads from https to http')
      at = to.href
    },
  }
  const { signal } = new AbortController()
  try {
    await using answer = await send(rules, { url, headersFor: () => ({}), signal })
    if (answer.status !== 200) throw notImported('data', at, `the answer is ${answer.status}`)
    yield* answer.content(Number.POSITIVE_INFINITY)
  } catch (cause) {
    if (!(cause instanceof FetchRefused)) throw cause
    const { problem, why, cause: reason } = cause
    if (problem === 'not_allowed' || problem === 'too_large') throw notImported('data', at, why)
    if (problem === 'broke_off' || problem === 'damaged')
      throw notImported('busy', at, 'the answer ended early')
    throw notImported('busy', at, reason instanceof Error ? reason.message : why)
  }
}

const notImported = (kind: 'data' | 'busy', url: string, why: string) =>
  new Failure(kind, `cannot import ${url}: ${why}`)
