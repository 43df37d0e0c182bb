import { chooseRow, chosenRow } from './rows'

/** Selects its text, so that the next search replaces it. False if the page has no search field. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('form[role=search] [name=q]')
  const field = [...fields].find((one) => one.checkVisibility())
  field?.select()
  return field !== undefined
}

/** Down leads from the search field into the results, whose keys act; Up leads back, and Escape leaves the field. */
export function walkResults(): void {
  addEventListener('keydown', (event) => {
    const { target, key, isComposing, ctrlKey, metaKey, altKey, shiftKey } = event
    if (isComposing || ctrlKey || metaKey || altKey || shiftKey || !(target instanceof HTMLElement)) return
    const isField = target.matches('form[role=search] [name=q]')
    const isRow = target === chosenRow()
    if (isField && key === 'Escape') target.blur()
    else if ((isField || isRow) && key === 'ArrowDown') chooseRow(1)
    else if (isRow && key === 'ArrowUp') chooseRow(-1) || focusSearch()
    else return
    event.preventDefault()
  })
}
