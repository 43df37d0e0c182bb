/**
 * A press on "Date" goes on in its field, with its text chosen, which typing replaces; so does a press into the field.
 * Not the arrow keys: they lead on to the choices behind it.
 */
export function openDateFields(): void {
  let entered: EventTarget | null = null
  addEventListener('pointerdown', ({ target }) => {
    entered = target === document.activeElement ? null : target
  })
  addEventListener('click', ({ target, detail }) => {
    if (detail === 0 || !(target instanceof HTMLInputElement)) return
    const isChip = target.name === 'precision' && target.value === 'date'
    const field = isChip ? target.form?.querySelector<HTMLInputElement>('[name=watched_at]') : target
    if (!isChip && (field?.name !== 'watched_at' || field !== entered)) return
    field?.focus()
    field?.select()
  })
}
