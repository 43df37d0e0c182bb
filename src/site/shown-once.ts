import { html, type Markup } from '../pages/html'
import type { PageContent } from '../pages/layout'

/** A page with a secret that is shown only once, because only its hash is stored. */
export const shownOnce = (title: string, secret: Markup, links: Markup): PageContent => ({
  title,
  main: html`
    <h1>${title}</h1>
    <div class="once">${secret}</div>
    <p>${links}</p>`,
})

export const secretToCopy = (text: string, id: string, secret: string): Markup =>
  html`<p>${text}</p><p><code id="${id}">${secret}</code></p>`
