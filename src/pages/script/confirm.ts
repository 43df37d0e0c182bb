import { createDialog, showDialog } from './dialog'
import { texts } from './told'

/** `data-confirm="…"` on a form or its button: asks before it is sent. */
export function askFirst(): void {
  let confirmed: HTMLFormElement | undefined
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter
    const question = button?.dataset.confirm ?? form.dataset.confirm
    if (question === undefined || confirmed === form) {
      confirmed = undefined
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    ask(question, button, () => {
      confirmed = form
      form.requestSubmit(button)
    })
  })
}

function ask(question: string, button: HTMLElement | null, go: () => void): void {
  const text = document.createElement('p')
  text.textContent = question
  const buttons = document.createElement('div')
  buttons.className = 'buttons'
  const cancel = document.createElement('button')
  cancel.textContent = texts.cancel
  const confirm = document.createElement('button')
  confirm.textContent = button?.textContent?.trim() || 'OK'
  confirm.className = button?.matches('.danger, .destroy') ? 'destroy' : 'filled'
  buttons.append(cancel, confirm)
  const dialog = createDialog(question, [text, buttons])
  cancel.onclick = () => dialog.close()
  confirm.onclick = () => {
    dialog.close()
    go()
  }
  showDialog(dialog)
}
