import { type AnsweredPage, fetchPage } from './answer'
import { closeSent } from './dialog'
import { rememberPress, returnFromToast } from './focus'
import { listOf, replaceFragments, sayBeside, showFromTop, showToast } from './fragments'
import { forgetDraft } from './outbox/drafts'
import { identify } from './outbox/send'
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

/** The second half of a double tap would press the button that has just appeared, for the next episode. One moves twice. */
export const isSecondTap = (form: HTMLFormElement, at: number): boolean =>
  at - last.at < 400 && last.act === actOf(form) && !/move/.test(last.act)

export const noteDone = (form: HTMLFormElement): void => {
  last = { act: actOf(form), at: performance.now() }
}

const actOf = ({ dataset }: HTMLFormElement): string => `${dataset.act} ${dataset.swap}`

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  if (form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  button?.classList.add('pressed')
  try {
    show(form, button, await answerTo(form, button))
  } catch {
    sayBeside(form, navigator.onLine ? texts.failed : texts.online)
  }
  form.ariaBusy = null
  button?.classList.remove('pressed')
}

async function answerTo(form: HTMLFormElement, button: HTMLElement | null): Promise<AnsweredPage> {
  const page = await post(form, button)
  const isOutOfDate = page.status === 403 && !asksToSignIn(page)
  // After signing in again in another tab.
  return isOutOfDate && (await identify()) === 'open' ? await post(form, button) : page
}

function post(form: HTMLFormElement, button: HTMLElement | null): Promise<AnsweredPage> {
  const data = new FormData(form, button)
  const body =
    form.enctype === 'multipart/form-data' ? data : new URLSearchParams(data as unknown as URLSearchParams)
  return fetchPage(addressOf(form, button), { method: 'POST', body })
}

/** A button may have its own. */
export const addressOf = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button instanceof HTMLButtonElement && button.hasAttribute('formaction') ? button.formAction : form.action

const asksToSignIn = (page: AnsweredPage): boolean =>
  page.document.querySelector('form[action$="/sign_in"]') !== null

/** Goes to a page that is another one, such as confirming a password: it has the message. */
function show(form: HTMLFormElement, button: HTMLElement | null, page: AnsweredPage): void {
  const selectors = listOf(form.dataset.swap)
  const there = selectors.filter((selector) => page.document.querySelector(selector) !== null)
  if (asksToSignIn(page)) {
    // Sent as a page: the server keeps it while its person signs in.
    delete form.dataset.swap
    form.ariaBusy = null
    form.requestSubmit(button)
  } else if (page.isOk && page.url.pathname !== location.pathname) {
    void forgetDraft(form)
    location.assign(page.url)
  } else if (page.isOk || there.length > 0) {
    // After a refusal the response has only the form: keep the fragments it lacks.
    take(form, button, page, page.isOk ? selectors : there)
  } else sayBeside(form, page.document.querySelector('h1 + p')?.textContent ?? texts.failed)
}

function take(
  form: HTMLFormElement,
  button: HTMLElement | null,
  page: AnsweredPage,
  selectors: readonly string[],
): void {
  if (page.isOk) {
    void forgetDraft(form)
    closeSent(form.closest('dialog'))
  }
  const shows = button?.dataset.show
  if (page.isOk && shows === undefined) noteDone(form)
  const isFromToast = form.closest('#toast') !== null
  if (!isFromToast) rememberPress()
  replaceFragments(selectors, page)
  showToast(page)
  if (isFromToast) returnFromToast()
  if (page.isOk && shows !== undefined) showFromTop(shows)
  if (page.isOk && form.dataset.focusNext === 'search') focusSearch()
}
