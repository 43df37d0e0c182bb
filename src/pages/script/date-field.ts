/** A press on "Date" goes on in its field. Not the arrow keys: they lead on to the choices behind it. */
export function openDateFields(): void {
  addEventListener('click', ({ target, detail }) => {
    if (detail === 0 || !(target instanceof HTMLInputElement) || target.value !== 'date') return
    if (target.name === 'precision') target.form?.querySelector<HTMLElement>('[name=watched_at]')?.focus()
  })
}
