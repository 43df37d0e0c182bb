export interface AnsweredPage {
  readonly url: URL
  readonly isOk: boolean
  readonly status: number
  /** A copy that this device keeps: there was no answer. */
  readonly isKept: boolean
  readonly document: Document
}

/**
 * Follows redirects. Rejects if there is no response, if it is not a page, or if the server failed. Waits half a minute,
 * but for what is sent, such as a file, as long as it takes.
 */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<AnsweredPage> {
  const headers = { Accept: 'text/html', 'X-Kiroku-Page': location.pathname }
  const limit = init.body === undefined ? { signal: AbortSignal.timeout(30_000) } : {}
  const response = await fetch(url, { ...limit, ...init, headers })
  const type = response.headers.get('content-type') ?? ''
  if (response.status >= 500 || !type.startsWith('text/html')) throw new Error(`${response.status} ${type}`)
  const parsed = new DOMParser().parseFromString(await response.text(), 'text/html')
  const isKept = 'kept' in parsed.documentElement.dataset
  return { url: new URL(response.url), isOk: response.ok, status: response.status, isKept, document: parsed }
}
