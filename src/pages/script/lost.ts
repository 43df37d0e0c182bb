import { type AnsweredPage, fetchPage } from './answer'
import { noteSent } from './drafts'
import { element } from './element'
import { problemBefore } from './fragments'
import { keep, kept, texts, who } from './told'

/** Boxes next to the toast for presses that were not saved, by the button's name: they stay until a retry succeeds. */
const boxes = new Map<string, HTMLElement>()

/** In the form's dialog if it is open, because it covers the toast; otherwise in a box with a button to retry. */
export function tellLost(form: HTMLFormElement, button: HTMLElement | null, again: () => void): void {
  const dialog = form.closest('dialog')
  if (!dialog?.open) {
    putBox(nameOf(button), again)
    return
  }
  problemBefore(form, dialog, texts.failed)
  if (button !== null) button.textContent = texts.again
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
  presses.delete(form)
  boxes.get(nameOf(button))?.remove()
  boxes.delete(nameOf(button))
}

const nameOf = (button: HTMLElement | null): string => button?.ariaLabel ?? button?.textContent?.trim() ?? ''

const presses = new WeakMap<HTMLFormElement, { readonly sent: string; readonly id: string }>()

/** What the form sends, with an id that stays the same while the same is sent again: the server does it only once. */
export function pressOf(form: HTMLFormElement, button: HTMLElement | null): FormData {
  const data = new FormData(form, button)
  const sent = JSON.stringify([...data].filter(([name]) => name !== 'csrf'))
  const before = presses.get(form)
  const id = before?.sent === sent ? before.id : randomId()
  presses.set(form, { sent, id })
  data.set('form_id', id)
  return data
}

/** 128 bits; `randomUUID` needs https. */
const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .slice(0, 22)

const csrfIn = (parent: ParentNode) => parent.querySelector<HTMLInputElement>('[name=csrf]')

/** After signing in again in another tab. False if nobody, or somebody else, is signed in. */
export async function renewToken(form: HTMLFormElement): Promise<boolean> {
  const { document: fresh } = await fetchPage(location.href)
  const [old, renewed] = [csrfIn(form), csrfIn(fresh)]
  if (!old || !renewed || who(fresh) === undefined || who(fresh) !== who()) return false
  old.value = renewed.value
  return true
}

export const asksToSignIn = (page: AnsweredPage): boolean =>
  page.document.querySelector('form[action$="/sign_in"]') !== null

/** Sends the form as a page: the server keeps it while its person signs in. */
export function signInFirst(form: HTMLFormElement, button: HTMLElement | null, action: string): void {
  const data = pressOf(form, button)
  keep('again', `${data.get('form_id')} ${who()}`)
  noteSent(form)
  const inputs = [...data].map(([name, value]) =>
    element('input', { type: 'hidden', name, value: String(value) }),
  )
  const whole = element('form', { method: 'post', action, enctype: form.enctype, hidden: true }, ...inputs)
  document.body.append(whole)
  whole.submit()
}

/** Signed in again: presses for the person who pressed in this tab. */
export function sendKept(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-kept]')
  if (form === null || kept('again') !== `${form.dataset.kept} ${who()}`) return
  keep('again', undefined)
  form.requestSubmit()
}
