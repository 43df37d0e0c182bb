import { type AnsweredPage, fetchPage } from './answer'
import { listOf, replaceFragments, say, showToast } from './fragments'
import { texts } from './told'

/**
 * `data-swap="#row-12, #next"` on a form: sends it, follows the redirect and takes these fragments and the toast out of
 * the page that comes.
 */
export function swapFragments(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter
    if (event.defaultPrevented || form.dataset.swap === undefined || form.method !== 'post') return
    event.preventDefault()
    if (form.ariaBusy !== 'true') void send(form, button)
  })
}

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const body = new URLSearchParams(new FormData(form, button) as unknown as URLSearchParams)
  form.ariaBusy = 'true'
  try {
    await show(form, await fetchPage(addressOf(form, button), { method: 'POST', body }))
  } catch {
    say(texts.failed)
  }
  form.ariaBusy = null
}

/** A button may have an address of its own. */
const addressOf = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button instanceof HTMLButtonElement && button.hasAttribute('formaction') ? button.formAction : form.action

/** An answer that is another page, such as signing in again, is opened. */
async function show(form: HTMLFormElement, page: AnsweredPage): Promise<void> {
  const selectors = listOf(form.dataset.swap)
  const isHere = page.url.pathname === location.pathname
  const isThere = (selector: string) => page.document.querySelector(selector) !== null
  const hasSome = selectors.some(isThere)
  if (!page.isOk && !hasSome) return say(page.document.querySelector('h1 + p')?.textContent ?? texts.failed)
  if (!isHere && !hasSome) return location.assign(page.url)
  if (page.isOk) form.closest('dialog')?.close()
  // A refusal is the form alone: what it lacks stays.
  replaceFragments(page.isOk ? selectors : selectors.filter(isThere), page)
  showToast(page)
}
