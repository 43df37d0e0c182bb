/**
 * Pressing "Date" focuses its field and selects the text, so that typing replaces it; so does pressing the field.
 * Arrow keys do not: they move on to the choices after it.
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

/** A chosen face that is pressed again is taken back: radio buttons know no way from one to none. */
export function takeBackFaces(): void {
  let chosen: readonly Element[] = []
  const takeBack = ({ target }: Event) => {
    // A number that is chosen replaces the one that was typed, which counts otherwise.
    for (const typed of document.querySelectorAll<HTMLInputElement>('.rating:has([type]:focus) [inputmode]'))
      typed.value = ''
    const face = chosen.find((one) => one === target)
    if (!(face instanceof HTMLInputElement)) return
    face.checked = false
    const none = face.form?.querySelector<HTMLInputElement>(`[name=${face.name}][value=""]`)
    if (none) none.checked = true
    face.dispatchEvent(new Event('change', { bubbles: true }))
  }
  for (const name of ['pointerdown', 'keydown'])
    addEventListener(name, () => (chosen = [...document.querySelectorAll('.rating :checked')]), true)
  addEventListener('click', takeBack)
  // Chromium does not click a chosen one.
  addEventListener('keydown', (event) => event.key === ' ' && takeBack(event))
}
