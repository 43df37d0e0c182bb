import { type AnsweredPage, fetchPage } from './answer'
import { sent } from './dialog'
import { listOf, replaceFragments, sayBeside, showToast } from './fragments'
import { focusSearch } from './search-field'
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
    if (form.ariaBusy !== 'true' && !isSecondTap(form, event.timeStamp)) void send(form, button)
  })
}

/** What was swapped last, and when: milliseconds of the page. */
let last = { act: '', at: 0 }

/** The second half of a double tap would land on the button that has just come: the one of the next episode. */
const isSecondTap = (form: HTMLFormElement, at: number): boolean =>
  at - last.at < 400 && last.act === actOf(form)

const actOf = ({ dataset }: HTMLFormElement): string => `${dataset.act} ${dataset.swap}`

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const body = new URLSearchParams(new FormData(form, button) as unknown as URLSearchParams)
  form.ariaBusy = 'true'
  try {
    await show(form, await fetchPage(addressOf(form, button), { method: 'POST', body }))
  } catch {
    sayBeside(form, texts.failed)
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
  if (!page.isOk && !hasSome)
    return sayBeside(form, page.document.querySelector('h1 + p')?.textContent ?? texts.failed)
  if (!isHere && !hasSome) return location.assign(page.url)
  if (page.isOk) form.closest('dialog')?.close(sent)
  // A refusal is the form alone: what it lacks stays.
  if (page.isOk) last = { act: actOf(form), at: performance.now() }
  replaceFragments(page.isOk ? selectors : selectors.filter(isThere), page)
  showToast(page)
  if (page.isOk && form.dataset.focusNext === 'search') focusSearch()
}
