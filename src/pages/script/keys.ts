import { openInDialog } from './dialog'
import { focusToast, returnFromToast } from './focus'
import { keySequences, pressedKey } from './key-names'
import { choosableRows, chooseRow, chosenRow, leaveRow } from './rows'
import { focusSearch } from './search-field'
import { basePath } from './told'

/** Keys press controls of the page: those that name the key in `data-keys`, and the acts of the chosen row. */
export function listenToKeys(): void {
  const join = keySequences()
  addEventListener('keydown', (event) => {
    if (!isForUs(event)) return
    const key = event.altKey ? `Alt ${event.key}` : join(pressedKey(event), event.timeStamp)
    if (key !== '' && press(key)) event.preventDefault()
  })
}

function isForUs({ isComposing, ctrlKey, metaKey, target, defaultPrevented }: KeyboardEvent): boolean {
  const field = 'input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]'
  const isTyping = target instanceof Element && target.matches(field)
  const hasKeys = document.documentElement.classList.contains('has-keys')
  return hasKeys && !(isComposing || ctrlKey || metaKey || defaultPrevented || isTyping)
}

function press(key: string): boolean {
  const dialog = document.querySelector('dialog[open]')
  if (dialog !== null) return pressIn(dialog, key)
  const command = commands[key]
  if (command !== undefined) return command()
  const row = chosenRow()
  return (row && (pressIn(row, key) || pressForRow(row, key))) || pressOnPage(key)
}

/** Presses a control that the page has once for all rows. */
function pressForRow(row: HTMLElement, key: string): boolean {
  const control = controlsFor(document, key).find((one) => one.closest('[data-for-row]') !== null)
  const form = control?.closest('form')
  const work = form?.querySelector<HTMLInputElement>('[name=work_id]')
  if (!form || !work) return false
  work.value = row.dataset.work ?? ''
  keepOnPage(form, work.value)
  // Covers in the library have no id: the page is loaded again.
  if (row.id === '') delete form.dataset.swap
  else form.dataset.swap = `#${row.id}, #today, #filters`
  return click(control)
}

/** Makes the response this page as it is now, with the row even if it belongs on another page by then. */
function keepOnPage(form: HTMLFormElement, work: string): void {
  const back = form.querySelector<HTMLInputElement>('[name=return_to]')
  if (!back) return
  const url = new URL(location.href)
  if (document.querySelector('#today') !== null) url.searchParams.set('keep', work)
  back.value = url.pathname.slice(basePath.length) + url.search
}

const commands: Readonly<Record<string, () => boolean>> = {
  j: () => chooseRow(1),
  k: () => chooseRow(-1),
  Enter: openRow,
  Escape: () => returnFromToast() || leaveRow(),
  Z: focusToast,
  '/': focusSearch,
  '?': () => {
    void openInDialog(`${basePath}/keys`).then(dropUnusable)
    return true
  },
}

/** Lists only what works on this page. */
function dropUnusable(): void {
  const rows = choosableRows()
  for (const line of document.querySelectorAll<HTMLElement>('dialog [data-tried]'))
    if (!isUsable(line.dataset.tried ?? '', rows)) line.remove()
}

function isUsable(key: string, rows: readonly HTMLElement[]): boolean {
  return controlsFor(document, key).some((one) => {
    const forRow = one.closest(ofRows)
    if (forRow === null) return key !== '/' || one.checkVisibility()
    return rows.some((row) => row.contains(one) || forRow.matches('[data-for-row]'))
  })
}

function openRow(): boolean {
  const row = chosenRow()
  return row === document.activeElement && click(row?.querySelector<HTMLElement>('a[href]'))
}

/** Controls for keys that they do not name, and without which those of `commands` do nothing. */
const selectors: Readonly<Record<string, string>> = {
  r: 'form[data-act=record] button',
  u: 'button[formaction$="/up_to"]',
  '[': 'a[rel=prev]',
  ']': 'a[rel=next]',
  's 1': '[name=kind][value=wanna_watch]',
  's 2': '[name=kind][value=watching]',
  's 3': '[name=kind][value=watched]',
  's 4': '[name=kind][value=on_hold]',
  's 5': '[name=kind][value=stop_watching]',
  j: 'main [data-work]:not(article)',
  Enter: 'main [data-work]:not(article) a[href]',
  Z: '#toast [data-keys]',
  '/': '[role=search] [name=q]',
}

const controlsFor = (within: ParentNode, key: string): readonly HTMLElement[] => {
  const named = [...within.querySelectorAll<HTMLElement>('[data-keys]')]
  const others = within.querySelectorAll<HTMLElement>(selectors[key] ?? 'none')
  return [...named.filter((one) => one.dataset.keys === key), ...others]
}

const pressIn = (within: ParentNode, key: string): boolean => click(controlsFor(within, key)[0])

const ofRows = ':is(.row, .entry, .card, tr)[data-work], [data-for-row]'

/** For keys that belong to no row: would otherwise press in the first row, which nobody has chosen. */
const pressOnPage = (key: string): boolean =>
  click(controlsFor(document, key).find((one) => one.closest(ofRows) === null))

/** A choice takes the focus, so that Tab goes on from there, to the comment. */
function click(control: HTMLElement | null | undefined): boolean {
  if (control instanceof HTMLInputElement) control.focus()
  control?.click()
  return Boolean(control)
}
