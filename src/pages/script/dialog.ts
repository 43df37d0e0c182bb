import { fetchPage } from './answer'
import { texts } from './told'

/** `data-dialog` on a link: shows the content of its page in a dialog. */
export function openLinksInDialogs(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a[data-dialog]')
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void openInDialog(link.href)
  })
}

/** Opens the page itself where that fails. */
export async function openInDialog(url: string): Promise<void> {
  const page = await fetchPage(url).catch(() => undefined)
  const main = page?.document.querySelector('#main')
  const isThere = page?.isOk && page.url.pathname === new URL(url, location.href).pathname
  if (!main || !isThere) return location.assign(url)
  const heading = main.querySelector('h1')?.textContent?.trim() ?? ''
  const dialog = createDialog(heading, [closeButton(), ...document.importNode(main, true).childNodes])
  if (main.querySelector('.keys-columns') !== null) dialog.classList.add('keys')
  dialog.showModal()
}

/** Is removed when it closes; a press beside it closes it. What had the focus before gets it again. */
export function createDialog(name: string, content: readonly Node[]): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  const before = document.activeElement
  dialog.className = 'sheet'
  dialog.ariaLabel = name
  dialog.append(...content)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.onclose = () => {
    dialog.remove()
    if (before instanceof HTMLElement) before.focus()
  }
  document.body.append(dialog)
  return dialog
}

function closeButton(): HTMLElement {
  const form = document.createElement('form')
  form.method = 'dialog'
  form.className = 'close'
  const button = document.createElement('button')
  button.className = 'round'
  button.ariaLabel = texts.close
  button.textContent = '✕'
  form.append(button)
  return form
}
