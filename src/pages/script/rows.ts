/** The row chosen with j and k. */
export const chosenRow = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-work].chosen')

/** Moves by `by` rows; false at the ends. A work's own page is an article about it, not a row. */
export function chooseRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-work]')].filter((row) => {
    return row.tagName !== 'ARTICLE' && row.checkVisibility()
  })
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
