/** Pressing a toast outside its buttons removes it, because it covers the page. Boxes for unsaved presses stay. */
export function putAwayToasts(): void {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('button') !== null) return
    target.closest('.toast:not(.lost)')?.remove()
  })
}
