export interface AnsweredPage {
  readonly url: URL
  readonly isOk: boolean
  readonly status: number
  readonly document: Document
}

/** Follows redirects. Rejects if there is no response, if it is not a page, or if the server failed. */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<AnsweredPage> {
  const response = await fetch(url, {
    ...init,
    headers: { Accept: 'text/html', 'X-Kiroku-Page': location.pathname },
  })
  const type = response.headers.get('content-type') ?? ''
  if (response.status >= 500 || !type.startsWith('text/html')) throw new Error(`${response.status} ${type}`)
  const parsed = new DOMParser().parseFromString(await response.text(), 'text/html')
  return { url: new URL(response.url), isOk: response.ok, status: response.status, document: parsed }
}
