import { html, type Markup } from './html'
import type { PageContent } from './layout'

export const titled = (title: string, content: Markup): PageContent => ({
  title,
  main: html`<h1>${title}</h1>${content}`,
})
