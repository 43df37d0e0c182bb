/** A press on what was done, beside its buttons, puts it away: it covers what lies below. What was lost stays. */
export function putAwayToasts(): void {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('button') !== null) return
    target.closest('.toast:not(.lost)')?.remove()
  })
}
