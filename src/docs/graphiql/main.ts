import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { askWith } from './fetcher'
import { mendWithin } from './mend'
import { field, place, told } from './page'

const root = createRoot(place)

// Its dialogs disable scrolling through a style element, to which get-nonce gives this nonce.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce,
})

/** Without a token, there is no schema to fetch. */
function draw(token: string): void {
  const ide = createElement(GraphiQL, {
    fetcher: askWith(token, told),
    ...(token === '' && { schema: null }),
    defaultQuery: told.query,
    forcedTheme: told.theme,
    // Queries are forgotten when the tab is closed: others may use the same browser.
    storage: sessionStorage,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: false,
  })
  root.render(ide)
}

field.addEventListener('change', () => draw(field.value.trim()))
draw(field.value.trim())
mendWithin(place)
