/** Which control of a fragment has the focus: selectors to try in order. */
export type FocusPlace = readonly string[]

export function placeOfFocus(fragment: Element): FocusPlace | undefined {
  const focused = document.activeElement
  if (focused === null || !fragment.contains(focused)) return undefined
  if (focused === fragment) return [':scope']
  const { focus, work } = (focused as HTMLElement).dataset
  const act = focused.closest('form')?.dataset.act
  const [name, value] = [focused.getAttribute('name'), focused.getAttribute('value')]
  const opener = focused.closest('details.menu')?.querySelector('summary')?.dataset.focus
  const inForm = act === undefined ? '' : `form[data-act="${act}"] `
  return [
    // The chosen row.
    ...(work === undefined ? [] : ['.chosen']),
    ...(focus === undefined ? [] : [`[data-focus="${focus}"]`]),
    ...(opener === undefined ? [] : [`[data-focus="${opener}"]`]),
    ...(focused.id === '' ? [] : [`#${CSS.escape(focused.id)}`]),
    ...(name === null ? [] : [`[name="${name}"][value="${value}"]`, `${inForm}[name="${name}"]`]),
    ...(act === undefined ? [] : [`${inForm}button`]),
    'a, button, summary, input:not([type=hidden])',
  ]
}

/** Focuses the first visible control, otherwise the content of the page. */
export function focusIn(fragment: Element | null, place: FocusPlace): void {
  const controls = place.flatMap((selector) => {
    return selector === ':scope' ? [fragment] : [...(fragment?.querySelectorAll(selector) ?? [])]
  })
  const canBeSeen = (one: Element | null) => one instanceof HTMLElement && one.checkVisibility()
  const control = controls.find(canBeSeen) ?? document.querySelector('#main')
  if (!(control instanceof HTMLElement)) return
  if (control.tabIndex < 0) control.tabIndex = -1
  control.focus({ preventScroll: true })
}

/** The control that was pressed last, for the way back from its message. */
let pressed: FocusPlace | undefined

export function rememberPress(): void {
  const main = document.querySelector('#main')
  pressed = (main === null ? undefined : placeOfFocus(main)) ?? pressed
}

export function focusToast(): boolean {
  const undo = document.querySelector<HTMLElement>('#toast [data-keys]')
  rememberPress()
  undo?.focus()
  return undo !== null
}

/** From the message, or from nowhere once it is gone, back to what was pressed. */
export function returnFromToast(): boolean {
  const { activeElement } = document
  const isAway = activeElement === document.body || activeElement?.closest('#toast')
  if (!isAway || pressed === undefined) return false
  focusIn(document.querySelector('#main'), pressed)
  pressed = undefined
  return true
}
