import { element } from './element'
import { texts } from './told'

/** In each field of a password a box that shows it: long ones are mistyped on a phone. */
export function showPasswords(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
    const box = element('input', { type: 'checkbox', autocomplete: 'off' })
    box.onchange = () => {
      input.type = box.checked ? 'text' : 'password'
    }
    // What is sent is a password again, for managers of passwords.
    input.form?.addEventListener('submit', () => {
      input.type = 'password'
    })
    input.after(element('label', { className: 'reveal' }, box, new Text(texts.show)))
  }
}
