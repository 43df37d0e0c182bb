import { fetchPage } from './answer'
import { element } from './element'
import { sayInToast } from './fragments'
import { restoreDrafts } from './outbox/drafts'
import { aimSheet } from './outbox/marks'
import { texts } from './told'

/** `data-dialog` on a link: shows the content of its page in a dialog. */
export function openLinksInDialogs(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[data-dialog]')
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void openInDialog(link.href)
  })
  addEventListener('popstate', () => {
    const url = history.state?.dialog
    const open = document.querySelector<HTMLDialogElement>('dialog[open]')
    if (url === undefined) open?.close()
    else if (open === null) void openInDialog(url)
  })
  void openAfterReload()
}

/** Phones reload a page that was put away: what was being typed is on the screen again. */
async function openAfterReload(): Promise<void> {
  const url = history.state?.dialog
  if (url === undefined) return
  const dialog = await dialogOf(url)
  if (dialog !== undefined && hasTyped(dialog)) showDialog(dialog)
  else history.replaceState(null, '')
}

/** Dialogs that were closed with text typed in them, by address: they are reopened as they were left. */
const drafts = new Map<string, HTMLDialogElement>()

/** Goes to the page itself if that fails. */
export async function openInDialog(url: string): Promise<void> {
  const dialog = drafts.get(url) ?? (await dialogOf(url))
  if (dialog === undefined) return navigator.onLine ? location.assign(url) : sayInToast(texts.online)
  // Back closes it; on the page itself, Back would leave what was typed.
  if (history.state?.dialog !== url) history.pushState({ dialog: url }, '')
  showDialog(dialog)
}

async function dialogOf(url: string): Promise<HTMLDialogElement | undefined> {
  const page = await fetchPage(url).catch(() => undefined)
  const main = page?.document.querySelector('#main')
  const isThere = page?.isOk && page.url.pathname === new URL(url, location.href).pathname
  if (!main || !isThere) return undefined
  const heading = main.querySelector('h1')?.textContent?.trim() ?? ''
  const dialog = createDialog(heading, [closeButton(), ...document.importNode(main, true).childNodes])
  if (main.querySelector('.keys-columns') !== null) dialog.classList.add('keys')
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== sent && hasTyped(dialog)) drafts.set(url, dialog)
    else drafts.delete(url)
    if (history.state?.dialog === url) history.back()
  })
  aimSheet(dialog, new URL(url, location.href))
  await restoreDrafts(dialog)
  return dialog
}

/** A dialog's return value once its form was accepted. */
const sent = 'sent'

/** Even if it was closed before the answer came. */
export function closeSent(dialog: HTMLDialogElement | null): void {
  for (const [url, draft] of drafts) if (draft === dialog) drafts.delete(url)
  dialog?.close(sent)
}

const hasTyped = (dialog: HTMLElement): boolean =>
  [...dialog.querySelectorAll<HTMLTextAreaElement>('textarea')].some((text) => text.value.trim() !== '')

/** Removed when it closes; pressing outside closes it. */
function createDialog(name: string, content: readonly Node[]): HTMLDialogElement {
  const dialog = element('dialog', { className: 'sheet', ariaLabel: name }, ...content)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  return dialog
}

export function createQuestion(question: string, ...buttons: readonly Node[]): HTMLDialogElement {
  const text = element('p', { textContent: question })
  return createDialog(question, [text, element('div', { className: 'buttons' }, ...buttons)])
}

/** Closing it gives the focus back. */
export function showDialog(dialog: HTMLDialogElement): void {
  const before = document.activeElement
  dialog.onclose = () => {
    dialog.remove()
    if (before instanceof HTMLElement) before.focus()
  }
  document.body.append(dialog)
  dialog.showModal()
}

function closeButton(): HTMLElement {
  const button = element('button', { className: 'round', ariaLabel: texts.close, textContent: '✕' })
  return element('form', { method: 'dialog', className: 'close' }, button)
}
