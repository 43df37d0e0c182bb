import { GraphiQL, type GraphiQLProps } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { mendWithin } from './mend'

const place = find<HTMLElement>('#graphiql')

const root = createRoot(place)

/** Values that `../graphiql-page.ts` puts into the markup. */
interface Told {
  readonly endpoint: string
  readonly query: string
  readonly needsToken: string
  readonly theme: 'light' | 'dark' | 'system'
}

/** Holds the token, which is stored nowhere else. */
const field = find<HTMLInputElement>('#graphql-token')

const { endpoint = '', query = '', needsToken = '' } = place.dataset

const told: Told = { endpoint, query, needsToken, theme: themeOf(document.documentElement) }

function themeOf({ classList }: Element): Told['theme'] {
  if (classList.contains('dark')) return 'dark'
  return classList.contains('light') ? 'light' : 'system'
}

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`the page has no ${selector}`)
  return element
}

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

/** Queries the API with the reader's token, like any other client. */
const askWith =
  (token: string, { endpoint, needsToken }: Told): GraphiQLProps['fetcher'] =>
  async (operation) => {
    if (token === '') return { errors: [{ message: needsToken }] }
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(operation),
    })
    return response.json()
  }

field.addEventListener('change', () => draw(field.value.trim()))
draw(field.value.trim())
mendWithin(place)
