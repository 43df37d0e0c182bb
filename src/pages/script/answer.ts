export interface AnsweredPage {
  readonly url: URL
  readonly isOk: boolean
  readonly status: number
  /** A copy that this device keeps: there was no answer. */
  readonly isKept: boolean
  readonly document: Document
}

/** Follows redirects. Rejects if there is no response, if it is not a page, or if the server failed. */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<AnsweredPage> {
  const headers = { Accept: 'text/html', 'X-Kiroku-Page': location.pathname }
  const response = await fetch(url, { ...init, headers })
  const type = response.headers.get('content-type') ?? ''
  if (response.status >= 500 || !type.startsWith('text/html')) throw new Error(`${response.status} ${type}`)
  const parsed = new DOMParser().parseFromString(await response.text(), 'text/html')
  const isKept = 'kept' in parsed.documentElement.dataset
  return { url: new URL(response.url), isOk: response.ok, status: response.status, isKept, document: parsed }
}
