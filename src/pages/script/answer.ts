/** A page of the instance that was answered. */
export interface AnsweredPage {
  readonly url: URL
  readonly isOk: boolean
  readonly document: Document
}

/** Follows redirects. Rejects when nothing was answered, or no page. */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<AnsweredPage> {
  const response = await fetch(url, { ...init, headers: { Accept: 'text/html' } })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/html')) throw new Error(`no page: ${type}`)
  const parsed = new DOMParser().parseFromString(await response.text(), 'text/html')
  return { url: new URL(response.url), isOk: response.ok, document: parsed }
}
