/** With its text chosen, which the next search replaces; whether the page has it. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('form[role=search] [name=q]')
  const field = [...fields].find((one) => one.checkVisibility())
  field?.select()
  return field !== undefined
}
