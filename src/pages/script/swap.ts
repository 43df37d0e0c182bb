import { type AnsweredPage, fetchPage } from './answer'
import { closeSent } from './dialog'
import { forgetDraft } from './drafts'
import { rememberPress, returnFromToast } from './focus'
import { listOf, replaceFragments, sayBeside, showFromTop, showToast } from './fragments'
import { asksToSignIn, forgetLost, pressOf, renewToken, signInFirst, tellLost } from './lost'
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
  setBusy(form, button, true)
  try {
    const page = await answerTo(form, button)
    if (asksToSignIn(page)) signInFirst(form, button, addressOf(form, button))
    else show(form, button, page)
  } catch {
    tellLost(form, button, () => void send(form, button))
  }
  setBusy(form, button, false)
}

/** Shows at once, on the button and its row, that the press arrived. */
function setBusy(form: HTMLFormElement, button: HTMLElement | null, isBusy: boolean): void {
  const row = (button ?? form).closest(':is(li, tr)[data-work]')
  for (const one of [form, row]) if (one !== null) one.ariaBusy = isBusy ? 'true' : null
  button?.classList.toggle('pressed', isBusy)
}

async function answerTo(form: HTMLFormElement, button: HTMLElement | null): Promise<AnsweredPage> {
  const page = await post(form, button)
  const isOutOfDate = page.status === 403 && !asksToSignIn(page)
  return isOutOfDate && (await renewToken(form)) ? await post(form, button) : page
}

function post(form: HTMLFormElement, button: HTMLElement | null): Promise<AnsweredPage> {
  const sent = pressOf(form, button)
  const body =
    form.enctype === 'multipart/form-data' ? sent : new URLSearchParams(sent as unknown as URLSearchParams)
  return fetchPage(addressOf(form, button), { method: 'POST', body })
}

/** A button may have its own address. */
const addressOf = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button instanceof HTMLButtonElement && button.hasAttribute('formaction') ? button.formAction : form.action

/** Goes to a page that is another one, such as confirming a password: it has the message. */
function show(form: HTMLFormElement, button: HTMLElement | null, page: AnsweredPage): void {
  const selectors = listOf(form.dataset.swap)
  const there = selectors.filter((selector) => page.document.querySelector(selector) !== null)
  if (page.isOk && page.url.pathname !== location.pathname) {
    forgetDraft(form)
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
    forgetDraft(form)
    closeSent(form.closest('dialog'))
  }
  const shows = button?.dataset.show
  if (page.isOk && shows === undefined) last = { act: actOf(form), at: performance.now() }
  const isFromToast = form.closest('#toast') !== null
  if (!isFromToast) rememberPress()
  forgetLost(form, button)
  replaceFragments(selectors, page)
  showToast(page)
  if (isFromToast) returnFromToast()
  if (page.isOk && shows !== undefined) showFromTop(shows)
  if (page.isOk && form.dataset.focusNext === 'search') focusSearch()
}
