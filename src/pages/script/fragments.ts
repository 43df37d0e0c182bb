import type { AnsweredPage } from './answer'
import { element } from './element'
import { focusIn, placeOfFocus } from './focus'
import { restoreDrafts } from './outbox/drafts'
import { renewSelection } from './selection'
import { putTimesInZone } from './times'

/** Replaces them by those of another page and removes any it lacks. Keeps the focus in place. */
export function replaceFragments(selectors: readonly string[], { document: answered }: AnsweredPage): void {
  for (const selector of selectors) {
    const old = document.querySelector(selector)
    if (old === null) continue
    const fresh = answered.querySelector(selector)
    const place = placeOfFocus(old)
    const neighbour = old.nextElementSibling ?? old.previousElementSibling
    if (fresh === null) leave(old, neighbour)
    else replace(old, document.importNode(fresh, true))
    if (place !== undefined) focusIn(document.querySelector(selector) ?? neighbour, place)
  }
}

/** The chosen row hands over to its neighbour, until an undo brings it back. */
function leave(old: Element, neighbour: Element | null): void {
  old.remove()
  if (!(neighbour instanceof HTMLElement) || !old.matches('.chosen') || !neighbour.dataset.work) return
  neighbour.classList.add('chosen')
  neighbour.dataset.before = (old as HTMLElement).dataset.work
}

function replace(old: Element, fresh: Element): void {
  fresh.classList.add('changed')
  if (old.classList.contains('chosen')) fresh.classList.add('chosen')
  const { before, work } = old.querySelector<HTMLElement>('.chosen')?.dataset ?? {}
  const rowOf = (id?: string) => fresh.querySelector(`[data-work="${id}"]`)
  const chosen = rowOf(before) ?? rowOf(work)
  chosen?.classList.add('chosen')
  old.replaceWith(fresh)
  putTimesInZone(fresh)
  void restoreDrafts(fresh)
  renewSelection(fresh)
}

/** For a fragment that replaces a long one which was scrolled past its end. */
export function showFromTop(selector: string): void {
  const fragment = document.querySelector<HTMLElement>(selector)
  if (fragment === null) return
  fragment.tabIndex = -1
  fragment.focus({ preventScroll: true })
  fragment.scrollIntoView()
}

/** Puts it into the existing live region, so that screen readers announce it. */
export function showToast({ document: answered }: AnsweredPage): void {
  const toast = answered.querySelector('#toast')
  putToast(...(toast?.cloneNode(true).childNodes ?? []))
}

/** In place of the last one. */
export const putToast = (...nodes: readonly Node[]): void =>
  document.querySelector('#toast')?.replaceChildren(...nodes)

export const sayInToast = (textContent: string): void =>
  putToast(element('div', { className: 'toast', textContent }))

/** Above a form with a text, or in a dialog, which covers the toast; otherwise as a toast. */
export function sayBeside(form: HTMLFormElement, text: string): void {
  if (!form.closest('dialog') && !form.querySelector('textarea')) {
    sayInToast(text)
    return
  }
  form.parentElement?.querySelector('.problems')?.remove()
  const box = element('div', { className: 'problems', role: 'alert', textContent: text })
  form.before(box)
  box.scrollIntoView({ block: 'nearest' })
}

export const listOf = (selectors: string | undefined): readonly string[] =>
  (selectors ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
