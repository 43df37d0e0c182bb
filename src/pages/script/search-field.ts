/** Selects its text, so that the next search replaces it. False if the page has no search field. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('form[role=search] [name=q]')
  const field = [...fields].find((one) => one.checkVisibility())
  field?.select()
  return field !== undefined
}
