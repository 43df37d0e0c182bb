import { element } from '../element'
import { basePath, clock, me, texts } from '../told'
import { type Draft, draftOf, drafts, putDraft, removeDraft } from './store'

/** Milliseconds after the last key. */
const pause = 300
const longest = 30 * 86_400_000

/** Texts that were typed and not sent stay on this device: the form has them again when it is opened next. */
export function keepDrafts(): void {
  if (me === undefined) return
  let timer = 0
  let typed: HTMLFormElement | undefined
  const keep = () => {
    clearTimeout(timer)
    if (typed !== undefined) void keepDraft(typed)
    typed = undefined
  }
  const note = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (form === null || textIn(form) === null) return
    typed = form
    clearTimeout(timer)
    timer = window.setTimeout(keep, pause)
  }
  for (const name of ['input', 'change']) addEventListener(name, note)
  addEventListener('pagehide', () => {
    const draft = typed === undefined ? undefined : draftIn(typed)
    // A database would be too slow now.
    if (draft !== undefined) noteLeaving(draft)
  })
  addEventListener('submit', ({ target, defaultPrevented }) => {
    typed = undefined
    if (target instanceof HTMLFormElement && !defaultPrevented) void noteSent(target)
  })
  void takeLeft()
    .then(settleSent)
    .then(() => restoreDrafts(document))
}

const textIn = (form: HTMLFormElement): HTMLTextAreaElement | null =>
  form.method === 'post' && form.elements.namedItem('csrf') !== null ? form.querySelector('textarea') : null

/** By person, form and subject; '' for a form without a text. */
export function draftKey(form: HTMLFormElement): string {
  if (textIn(form) === null) return ''
  const subjects = [...form.querySelectorAll<HTMLInputElement>('[type=hidden][name$="_id"]')]
  const ids = subjects.filter(({ name }) => name !== 'form_id').map(({ value }) => value)
  return `${me} ${new URL(form.action).pathname} ${ids}`
}

export async function keepDraft(form: HTMLFormElement): Promise<void> {
  const draft = draftIn(form)
  await (draft === undefined ? removeDraft(draftKey(form)) : putDraft(draft))
}

type Field = HTMLInputElement | HTMLTextAreaElement

const typedIn = (form: HTMLFormElement): readonly Field[] => [
  ...form.querySelectorAll<Field>('textarea, [type=text]'),
]

/** All fields of the form; undefined if what is typed is blank or as the server has it. */
function draftIn(form: HTMLFormElement): Draft | undefined {
  const text = textIn(form)
  const isTyped = typedIn(form).some(({ value, defaultValue }) => value.trim() && value !== defaultValue)
  if (text === null || !isTyped) return undefined
  const data = new FormData(form)
  data.delete('csrf')
  const fields: Readonly<Record<string, string>> = Object.fromEntries(
    data as unknown as Iterable<[string, string]>,
  )
  return { key: draftKey(form), user: me ?? '', base: text.defaultValue, at: Date.now(), fields }
}

const leftName = `kiroku-draft${basePath}`

function noteLeaving(draft: Draft): void {
  try {
    localStorage.setItem(leftName, JSON.stringify(draft))
  } catch {
    // Refused, or full.
  }
}

/** What was typed in the last moment before the page was left. */
async function takeLeft(): Promise<void> {
  try {
    const left = localStorage.getItem(leftName)
    if (left !== null) await putDraft(JSON.parse(left))
    // Not before: this page may be left too.
    localStorage.removeItem(leftName)
  } catch {
    // Browsers may refuse to keep anything.
  }
}

/** Puts what was typed back into the forms, with its time and a button that discards it. */
export async function restoreDrafts(within: ParentNode): Promise<void> {
  for (const form of within.querySelectorAll<HTMLFormElement>('form[method=post]')) {
    const text = textIn(form)
    const draft = text === null ? undefined : await draftOf(draftKey(form))
    if (text === null || draft === undefined || form.querySelector('.draft') !== null) continue
    const isSaved = typedIn(form).every(({ name, value }) => value === draft.fields[name])
    if (text.value !== text.defaultValue || isSaved) continue
    restore(form, text, draft)
  }
}

function restore(form: HTMLFormElement, text: HTMLTextAreaElement, draft: Draft): void {
  const before = text.value
  fillIn(form, draft.fields)
  const folded = text.closest('details')
  if (folded !== null) folded.open = true
  const discard = element('button', { type: 'button', className: 'quiet small', textContent: texts.discard })
  const told = element('span', { textContent: texts.draft.replace('{time}', clock(new Date(draft.at))) })
  const note = element('p', { className: 'draft' }, told, discard)
  // The server's text has changed meanwhile: it stands beside the draft.
  if (draft.base !== before && before !== '')
    note.append(element('span', { className: 'meta', textContent: `${texts.saved} ${before}` }))
  discard.onclick = () => {
    void removeDraft(draftKey(form))
    form.reset()
    note.remove()
    text.focus()
  }
  form.prepend(note)
}

/** Puts into the form what was typed, by the names of its fields: faces that were taken back, too. */
export function fillIn(form: HTMLFormElement, typed: Readonly<Record<string, string>>): void {
  for (const field of form.querySelectorAll<Field>('input, textarea')) {
    const text = typed[field.name]
    // A box that is not ticked is not sent.
    if (field.type === 'checkbox' || (field.type === 'radio' && text !== undefined))
      (field as HTMLInputElement).checked = field.value === text
    else if (text !== undefined && field.type !== 'hidden') field.value = text
  }
}

/** A form whose answer is another page: that page tells whether it was saved. */
async function noteSent(form: HTMLFormElement): Promise<void> {
  const draft = draftIn(form)
  // In one step: the next page may look before a second one.
  await (draft === undefined ? removeDraft(draftKey(form)) : putDraft({ ...draft, isSent: true }))
}

/** Saved, unless this page asks for the text again, asks who it is, or says what went wrong. */
async function settleSent(): Promise<void> {
  const isOnTheWay = document.querySelector('.failure, form[action*="/sign_in"], form[data-kept]') !== null
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[method=post]')].map(draftKey)
  for (const { isSent, ...draft } of await drafts()) {
    const isOld = draft.at < Date.now() - longest
    const isSaved = isSent && draft.user === me && !isOnTheWay && !forms.includes(draft.key)
    if (isOld || isSaved) await removeDraft(draft.key)
    else if (isSent && draft.user === me && !isOnTheWay) await putDraft(draft)
  }
}

export const forgetDraft = (form: HTMLFormElement): Promise<unknown> => removeDraft(draftKey(form))

/** At sign-out nothing of the person stays. */
export async function forgetDrafts(): Promise<void> {
  for (const { key, user } of await drafts()) if (user === me) await removeDraft(key)
}
