import { fetchPage } from './answer'
import { listOf, replaceFragments } from './fragments'

/** In milliseconds: shorter than people pause between two words, longer than between two letters. */
const pause = 150

/**
 * `data-instant` on a form that searches: shows the results while one types, in the fragments of its `data-swap`, or as
 * the whole content of a page without them, which Back leads back to.
 */
export function searchAtOnce(): void {
  let timer = 0
  let running = new AbortController()
  const search = async (form: HTMLFormElement) => {
    running.abort()
    running = new AbortController()
    const url = addressOf(form)
    try {
      const page = await fetchPage(url, { signal: running.signal })
      const fragments = listOf(form.dataset.swap ?? '#results')
      // A refusal that is no page of results.
      if (!hasAll(page.document, fragments)) return
      replaceFragments(hasAll(document, fragments) ? fragments : ['#main'], page)
      moveTo(url)
      document.title = page.document.title
    } catch {
      // Aborted by a later letter, or offline: what is shown stays.
    }
  }
  const listen = (event: Event) => {
    const form = (event.target as HTMLInputElement).form
    if (form?.dataset.instant === undefined || (event as InputEvent).isComposing) return
    clearTimeout(timer)
    timer = window.setTimeout(search, pause, form)
  }
  addEventListener('input', listen)
  addEventListener('compositionend', listen)
  addEventListener('popstate', comeBack)
}

const hasAll = (page: Document, selectors: readonly string[]): boolean =>
  selectors.every((selector) => page.querySelector(selector) !== null)

let path = location.pathname

function moveTo(url: string): void {
  const isElsewhere = new URL(url).pathname !== path
  history[isElsewhere ? 'pushState' : 'replaceState'](history.state, '', url)
  path = location.pathname
}

/** The page that was there is asked for again. */
const comeBack = () => location.pathname !== path && location.reload()

function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  url.search = new URLSearchParams(new FormData(form) as unknown as URLSearchParams).toString()
  return url.href
}
