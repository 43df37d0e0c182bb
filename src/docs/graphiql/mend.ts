/** Some elements of GraphiQL have no name, a wrong role, or trap the keyboard (WCAG 1.3.1, 2.1.2, 4.1.2). */
export function mendWithin(place: HTMLElement): void {
  const mend = () => {
    for (const editor of place.querySelectorAll<Editor>('.CodeMirror:not([data-mended])')) mendEditor(editor)
    for (const tab of place.querySelectorAll('.graphiql-tab[aria-selected]')) mendTab(tab)
    for (const item of place.querySelectorAll('.graphiql-history-item-label[aria-label]'))
      item.removeAttribute('aria-label')
  }
  const attributeFilter = ['aria-selected', 'aria-label']
  new MutationObserver(mend).observe(place, { childList: true, subtree: true, attributeFilter })
  mend()
}

interface Editor extends HTMLElement {
  readonly CodeMirror?: {
    addKeyMap(keys: Readonly<Record<string, boolean>>): void
    setOption(name: 'lineWrapping', value: boolean): void
  }
}

function mendEditor(editor: Editor): void {
  editor.dataset.mended = ''
  // Makes the tab key move on instead of indenting.
  editor.CodeMirror?.addKeyMap({ Tab: false, 'Shift-Tab': false })
  editor.CodeMirror?.setOption('lineWrapping', true)
  const name = editor.closest('section')?.ariaLabel ?? 'Editor'
  for (const input of editor.querySelectorAll('textarea')) input.ariaLabel = name
  for (const scroller of editor.querySelectorAll<HTMLElement>('.CodeMirror-scroll')) scroller.tabIndex = 0
}

/** A tab must not contain buttons, so the tabs become a list of buttons with a current one. */
function mendTab(tab: Element): void {
  tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', tab.ariaSelected ?? 'false')
  for (const name of ['role', 'aria-selected']) tab.removeAttribute(name)
  tab.parentElement?.removeAttribute('role')
}
