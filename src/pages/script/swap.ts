import { type AnsweredPage, fetchPage } from './answer'
import { hasTyped, sent } from './dialog'
import { listOf, replaceFragments, sayBeside, showFromTop, showToast } from './fragments'
import { forgetLost, savedPage, tellLost, tellWayOn } from './lost'
import { focusSearch } from './search-field'
import { texts } from './told'

/** `data-swap="#row-12, #next"`: sends the form, and takes these fragments and the toast from the page it gets back. */
export function swapFragments(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter
    if (event.defaultPrevented || form.dataset.swap === undefined || form.method !== 'post') return
    event.preventDefault()
    if (!isSecondTap(form, event.timeStamp)) void send(form, button)
  })
}

/** The last act, and when it was done: milliseconds since the page was loaded. */
let last = { act: '', at: 0 }

/** The second half of a double tap would press the button that has just appeared, for the next episode. */
const isSecondTap = (form: HTMLFormElement, at: number): boolean =>
  at - last.at < 400 && last.act === actOf(form)

const actOf = ({ dataset }: HTMLFormElement): string => `${dataset.act} ${dataset.swap}`

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  if (form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  try {
    show(
      form,
      button,
      (await savedPage(form, button, listOf(form.dataset.swap))) ?? (await answerTo(form, button)),
    )
  } catch {
    tellLost(form, button, () => void send(form, button))
  }
  form.ariaBusy = null
}

function answerTo(form: HTMLFormElement, button: HTMLElement | null): Promise<AnsweredPage> {
  const sent = new FormData(form, button)
  const body =
    form.enctype === 'multipart/form-data' ? sent : new URLSearchParams(sent as unknown as URLSearchParams)
  return fetchPage(addressOf(form, button), { method: 'POST', body })
}

/** A button may have its own address. */
const addressOf = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button instanceof HTMLButtonElement && button.hasAttribute('formaction') ? button.formAction : form.action

/** Opens a page that does not belong here, such as signing in again, unless typed text would be lost. */
function show(form: HTMLFormElement, button: HTMLElement | null, page: AnsweredPage): void {
  const selectors = listOf(form.dataset.swap)
  const isThere = (selector: string) => page.document.querySelector(selector) !== null
  const hasSome = selectors.some(isThere)
  if (hasSome || (page.isOk && page.url.pathname === location.pathname)) {
    // After a refusal the response has only the form: keep the fragments it lacks.
    take(form, button, page, page.isOk ? selectors : selectors.filter(isThere))
  } else if (page.isOk) leave(form, page)
  else sayBeside(form, page.document.querySelector('h1 + p')?.textContent ?? texts.failed)
}

function take(
  form: HTMLFormElement,
  button: HTMLElement | null,
  page: AnsweredPage,
  selectors: readonly string[],
): void {
  if (page.isOk) form.closest('dialog')?.close(sent)
  const shows = button?.dataset.show
  if (page.isOk && shows === undefined) last = { act: actOf(form), at: performance.now() }
  forgetLost(form, button)
  replaceFragments(selectors, page)
  showToast(page)
  if (page.isOk && shows !== undefined) showFromTop(shows)
  if (page.isOk && form.dataset.focusNext === 'search') focusSearch()
}

function leave(form: HTMLFormElement, page: AnsweredPage): void {
  const dialog = form.closest('dialog')
  if (dialog !== null && hasTyped(dialog)) tellWayOn(form, dialog, page)
  else location.assign(page.url)
}
