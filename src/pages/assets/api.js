// Makes the reference follow the reader's choice of a dark page, as the other pages do by CSS.
const dark = matchMedia('(prefers-color-scheme: dark)')
const page = document.documentElement.classList
const follow = () =>
  page.toggle('dark-mode', page.contains('dark') || (dark.matches && !page.contains('light')))
dark.addEventListener('change', follow)
follow()

// Some controls it renders have no accessible name, one that differs from their text, or cannot be reached by keyboard.
const reference = document.querySelector('#swagger-ui')

const nameOfParameter = (input) => {
  const name = input.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent
  return name?.trim() || 'Request body'
}

const names = [
  ['.parameters-col_description :is(input, select, textarea), .body-param__text', nameOfParameter],
  ['.responses-table[role=region]', (table) => table.id.replaceAll('_', ' ')],
  ['.close-modal', () => 'Close'],
  ['.dialog-ux .modal-btn.authorize', () => null],
]

function mend() {
  for (const [selector, nameOf] of names)
    for (const element of reference.querySelectorAll(`:is(${selector}):not([data-mended])`)) {
      element.dataset.mended = ''
      const name = nameOf(element)
      if (name === null) element.removeAttribute('aria-label')
      else element.setAttribute('aria-label', name)
    }
  for (const block of reference.querySelectorAll('pre.microlight:not([tabindex])')) block.tabIndex = 0
  // Headings of the dialog: its own, those of the ways to get a token, and those within each.
  for (const title of reference.querySelectorAll('.dialog-ux h2:not([aria-level])')) title.ariaLevel = '5'
  for (const dialog of reference.querySelectorAll('.modal-ux:not([role])')) {
    dialog.role = 'dialog'
    dialog.ariaModal = 'true'
    dialog.ariaLabel = 'Available authorizations'
  }
}

new MutationObserver(mend).observe(reference, { childList: true, subtree: true })
mend()
