/** A press on what folds a text field opens it and goes on in the field. */
export function openComments(): void {
  addEventListener('click', (event) => {
    const summary = event.target instanceof Element ? event.target.closest('summary') : null
    const details = summary?.parentElement
    const field = details?.querySelector<HTMLElement>(':scope > textarea')
    if (!(details instanceof HTMLDetailsElement) || details.open || !field) return
    event.preventDefault()
    details.open = true
    field.focus()
  })
}
