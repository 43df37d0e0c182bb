import { createQuestion, showDialog } from './dialog'
import { element } from './element'
import { texts } from './told'

/** `data-confirm="…"` on a form or its button: asks before sending it. */
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
  const cancel = element('button', { textContent: texts.cancel })
  const confirm = element('button', {
    textContent: button?.textContent?.trim() || 'OK',
    className: button?.matches('.danger, .destroy') ? 'destroy' : 'filled',
  })
  const dialog = createQuestion(question, cancel, confirm)
  cancel.onclick = () => dialog.close()
  confirm.onclick = () => {
    dialog.close()
    go()
  }
  showDialog(dialog)
}
