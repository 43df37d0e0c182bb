import { Failure } from '../lib/failure'

/**
 * Follows up to five redirects, but never from https to http. Throws a `data` failure for any status but 200,
 * `busy` after 30 s without an answer; iterating throws `busy` if the body ends early.
 */
export async function download(url: string): Promise<AsyncIterable<Uint8Array>> {
  let at = parse(url)
  for (let hops = 0; hops <= 5; hops++) {
    const response = await request(at)
    const location = response.headers.get('location')
    if (!redirects.has(response.status) || location === null) return bodyOf(at, response)
    await response.body?.cancel()
    const next = parse(location, at)
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      throw unavailable(at, 'it leads from https to http')
    at = next
  }
  throw unavailable(parse(url), 'it leads through more than five redirects')
}

function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  // Bun's fetch would also read file: URLs.
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new Failure('data', `cannot import ${text}: only http and https URLs can be`)
}

async function request(url: URL): Promise<Response> {
  const abort = new AbortController()
  const patience = setTimeout(() => abort.abort(new Error('no answer within 30 seconds')), 30_000)
  try {
    return await fetch(url, { redirect: 'manual', signal: abort.signal })
  } catch (cause) {
    throw new Failure('busy', `cannot import ${url.href}: ${cause instanceof Error ? cause.message : cause}`)
  } finally {
    clearTimeout(patience)
  }
}

function bodyOf(url: URL, response: Response): AsyncIterable<Uint8Array> {
  if (response.status !== 200 || response.body === null)
    throw unavailable(url, `the answer is ${response.status}`)
  return withReadFailure(url, response.body)
}

async function* withReadFailure(url: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw new Failure('busy', `cannot import ${url.href}: the answer ended early`)
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

const unavailable = (url: URL, why: string) => new Failure('data', `cannot import ${url.href}: ${why}`)
