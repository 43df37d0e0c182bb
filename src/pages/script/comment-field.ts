/** Pressing the summary of a folded text field opens it and focuses the field. */
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
