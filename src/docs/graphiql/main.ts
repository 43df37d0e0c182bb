import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { askWith } from './fetcher'
import { mendWithin } from './mend'
import { field, place, told } from './page'

const root = createRoot(place)

// Its dialogs stop the page from scrolling by a style element, which get-nonce gives this.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce,
})

/** Without a token there is no schema to ask for. */
function draw(token: string): void {
  const ide = createElement(GraphiQL, {
    fetcher: askWith(token, told),
    ...(token === '' && { schema: null }),
    defaultQuery: told.query,
    forcedTheme: told.theme,
    // Queries are forgotten with the tab: others may sign in with the same browser.
    storage: sessionStorage,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: false,
  })
  root.render(ide)
}

field.addEventListener('change', () => draw(field.value.trim()))
draw(field.value.trim())
mendWithin(place)
