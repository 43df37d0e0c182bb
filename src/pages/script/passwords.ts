import { element } from './element'
import { texts } from './told'

/** Adds a checkbox to each password field that shows the password: long ones are mistyped on a phone. */
export function showPasswords(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
    const box = element('input', { type: 'checkbox', autocomplete: 'off' })
    box.onchange = () => {
      input.type = box.checked ? 'text' : 'password'
    }
    // Password managers expect a password field when the form is sent.
    input.form?.addEventListener('submit', () => {
      input.type = 'password'
    })
    input.after(element('label', { className: 'reveal' }, box, new Text(texts.show)))
  }
}
