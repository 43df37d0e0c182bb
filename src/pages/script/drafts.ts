import { keep, kept, who } from './told'

/** Comments and notes that were typed and not saved stay in this tab until an act is reported, even if the page is left. */
export function keepDrafts(): void {
  addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement) || target.form?.dataset.act === undefined) return
    keep(placeOf(target.form), target.value === target.defaultValue ? undefined : target.value)
  })
  addEventListener('submit', ({ target, defaultPrevented }) => {
    if (target instanceof HTMLFormElement && !defaultPrevented) noteSent(target)
  })
  settleSent()
  restoreDrafts(document)
}

/** By person, form and subject. */
function placeOf(form: HTMLFormElement): string {
  const subject = [...form.querySelectorAll<HTMLInputElement>('[name$="_id"]')].filter(
    ({ type, name }) => type === 'hidden' && name !== 'form_id',
  )
  return `draft ${who()} ${form.getAttribute('action')} ${subject.map(({ value }) => value)}`
}

export function restoreDrafts(within: ParentNode): void {
  for (const field of within.querySelectorAll<HTMLTextAreaElement>('form[data-act] textarea')) {
    const draft = field.form === null ? undefined : kept(placeOf(field.form))
    if (draft === undefined || field.value !== field.defaultValue) continue
    field.value = draft
    const folded = field.closest('details')
    if (folded !== null) folded.open = true
  }
}

export const forgetDraft = (form: HTMLFormElement): unknown => keep(placeOf(form), undefined)

/** A form whose answer is another page: that page tells whether it was saved. */
export function noteSent(form: HTMLFormElement): void {
  if (form.dataset.act !== undefined) keep('sent', placeOf(form))
  if (form.action.endsWith('/sign_out')) sessionStorage.clear()
}

function settleSent(): void {
  const sent = kept('sent')
  // On the way: the form is sent after signing in again.
  if (sent === undefined || document.querySelector('form[action*="/sign_in"], [data-kept]') !== null) return
  if (document.querySelector('#toast .toast') !== null) keep(sent, undefined)
  keep('sent', undefined)
}
