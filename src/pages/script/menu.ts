/** Escape closes an open menu and focuses its summary. */
export function closeMenus(): void {
  addEventListener('keydown', ({ code }) => {
    if (code !== 'Escape') return
    const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]')
    if (menu === null) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
}

/** Pressing a toast outside its buttons removes it, because it covers the page. */
export function putAwayToasts(): void {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('button') !== null) return
    target.closest('.toast')?.remove()
  })
}
