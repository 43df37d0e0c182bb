import { type AnsweredPage, fetchPage } from './answer'
import { element } from './element'
import { problemBefore } from './fragments'
import { texts } from './told'

/** Boxes next to the toast for presses that were not saved, by the button's name: they stay until a retry succeeds. */
const boxes = new Map<string, HTMLElement>()

/** In the form's dialog if there is one, because it covers the toast; otherwise in a box with a button to retry. */
export function tellLost(form: HTMLFormElement, button: HTMLElement | null, again: () => void): void {
  form.dataset.lost = ''
  const dialog = form.closest('dialog')
  if (dialog === null) putBox(nameOf(button), again)
  else problemBefore(form, dialog, texts.failed)
  if (dialog !== null && button !== null) button.textContent = texts.again
}

/** Something else has to be done first, such as signing in: links to it in another tab. */
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
 * Before a retry: the current page, if its fragment lacks the button, so that the first try was saved although
 * its response was lost. Otherwise undefined, and the form takes the CSRF token of that page.
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
