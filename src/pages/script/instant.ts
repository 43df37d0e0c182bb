import { fetchPage } from './answer'
import { listOf, replaceFragments } from './fragments'

/** In milliseconds: shorter than people pause between two words, longer than between two letters. */
const pause = 150

/** `data-instant` on a form that searches: shows the results while one types, in the fragments of its `data-swap`. */
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
      if (fragments.some((selector) => page.document.querySelector(selector) === null)) return
      replaceFragments(fragments, page)
      history.replaceState(history.state, '', url)
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
}

function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  url.search = new URLSearchParams(new FormData(form) as unknown as URLSearchParams).toString()
  return url.href
}
