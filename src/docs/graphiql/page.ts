/** Values that `../graphiql-page.ts` puts into the markup. */
export interface Told {
  readonly endpoint: string
  readonly query: string
  readonly needsToken: string
  readonly theme: 'light' | 'dark' | 'system'
}

export const place = find<HTMLElement>('#graphiql')

/** Holds the token, which is stored nowhere else. */
export const field = find<HTMLInputElement>('#graphql-token')

const { endpoint = '', query = '', needsToken = '' } = place.dataset

export const told: Told = { endpoint, query, needsToken, theme: themeOf(document.documentElement) }

function themeOf({ classList }: Element): Told['theme'] {
  if (classList.contains('dark')) return 'dark'
  return classList.contains('light') ? 'light' : 'system'
}

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`the page has no ${selector}`)
  return element
}
