import { type AnsweredPage, fetchPage } from './answer'
import { element } from './element'
import { problemBefore } from './fragments'
import { texts } from './told'

/** Beside the toast, about presses that were not saved, by what the button says: they stay until a try succeeds. */
const boxes = new Map<string, HTMLElement>()

/** In the dialog that the form is in, which covers the toast; otherwise with a button of its own. */
export function tellLost(form: HTMLFormElement, button: HTMLElement | null, again: () => void): void {
  form.dataset.lost = ''
  const dialog = form.closest('dialog')
  if (dialog === null) putBox(nameOf(button), again)
  else problemBefore(form, dialog, texts.failed)
  if (dialog !== null && button !== null) button.textContent = texts.again
}

/** First something else is to be done, such as signing in: in a tab beside this one. */
export function tellWayOn(form: HTMLFormElement, dialog: HTMLElement, page: AnsweredPage): void {
  form.dataset.lost = ''
  const textContent = page.document.querySelector('h1')?.textContent ?? page.document.title
  const link = element('a', { href: page.url.href, target: '_blank', textContent })
  problemBefore(form, dialog, `${texts.notSaved} `).append(link)
}

function putBox(name: string, again: () => void): void {
  const text = element('span', { textContent: `${name} – ${texts.failed}` })
  const button = element('button', { textContent: texts.again, onclick: again })
  const box = element('div', { className: 'toast lost' }, text, button)
  const old = boxes.get(name)
  if (old === undefined) document.querySelector('#toast')?.prepend(box)
  else old.replaceWith(box)
  if (old?.contains(document.activeElement)) button.focus()
  boxes.set(name, box)
}

export function forgetLost(form: HTMLFormElement, button: HTMLElement | null): void {
  delete form.dataset.lost
  boxes.get(nameOf(button))?.remove()
  boxes.delete(nameOf(button))
}

const nameOf = (button: HTMLElement | null): string => button?.ariaLabel ?? button?.textContent?.trim() ?? ''

/**
 * Before another try: the page as it is now, if the first try was saved though nothing was answered, for then the
 * button is no longer in the fragment it was in. Otherwise the form takes the token of that page.
 */
export async function savedPage(
  form: HTMLFormElement,
  button: HTMLElement | null,
  selectors: readonly string[],
): Promise<AnsweredPage | undefined> {
  if (form.dataset.lost === undefined) return undefined
  const page = await fetchPage(location.href)
  if (page.document.querySelector('.account') === null) return undefined
  const [token, fresh] = [csrfIn(form), csrfIn(page.document)]
  if (token && fresh) token.value = fresh.value
  const selector = selectors.find((one) => form.closest(one) !== null)
  if (selector === undefined) return undefined
  const same = `[name="${button?.getAttribute('name')}"][value="${button?.getAttribute('value')}"]`
  return page.document.querySelector(`:is(${selector}) ${same}`) === null ? page : undefined
}

const csrfIn = (parent: ParentNode) => parent.querySelector<HTMLInputElement>('[name=csrf]')
