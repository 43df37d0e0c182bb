/** The row chosen with j and k, or where rows are put in order, the one with the focus. */
export const chosenRow = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.editing>:focus-within,[data-work].chosen')

/** Those that j and k choose. A work's own page is an article about it, not a row. */
export const choosableRows = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main [data-work]:not(article)')].filter((row) =>
    row.checkVisibility(),
  )

/** Moves by `by` rows; false at the ends. */
export function chooseRow(by: 1 | -1): boolean {
  const rows = choosableRows()
  const chosen = chosenRow()
  const at = chosen === null ? -1 : rows.indexOf(chosen)
  const next = rows[at < 0 ? 0 : at + by]
  if (next === undefined) return false
  chosen?.classList.remove('chosen')
  next.classList.add('chosen')
  next.tabIndex = -1
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  return true
}

export function leaveRow(): boolean {
  const chosen = chosenRow()
  chosen?.classList.remove('chosen')
  chosen?.blur()
  return chosen !== null
}
