import { html, type Markup } from './html'
import type { PageContent } from './layout'

/** A page whose heading is its title. */
export const titled = (title: string, content: Markup): PageContent => ({
  title,
  main: html`<h1>${title}</h1>${content}`,
})
