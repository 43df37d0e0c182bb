import { fetchPage } from './answer'
import { listOf, replaceFragments, sayBeside } from './fragments'
import { texts } from './told'

/** In milliseconds: shorter than a pause between two words, longer than one between two letters. */
const pause = 150

/**
 * `data-instant` on a search form: shows results while typing, in the fragments named by its `data-swap`, or on a page
 * without them as its whole content, with Back leading back.
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
      // An error page instead of results.
      if (!hasAll(page.document, fragments)) return
      replaceFragments(hasAll(document, fragments) ? fragments : ['#main'], page)
      moveTo(url)
      document.title = page.document.title
    } catch {
      // Unless it was aborted by further typing: keep what is shown.
      if (!navigator.onLine) sayBeside(form, texts.online)
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

/** Back to a page that was replaced: load it again. */
const comeBack = () => location.pathname !== path && location.reload()

function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  url.search = new URLSearchParams(new FormData(form) as unknown as URLSearchParams).toString()
  return url.href
}

/** Sends the form of a file as soon as the file is chosen: its button is for browsers without script. */
export function sendChosenFiles(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="file"][data-at-once]'))
    input.onchange = () => {
      if (input.files?.length) input.form?.requestSubmit()
    }
}
