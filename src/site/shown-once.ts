import { html, type Markup } from '../pages/html'
import type { Shown } from '../pages/layout'

/** The page after a secret was made, which is shown this once: only its hash is kept. `ways` lead on from there. */
export const shownOnce = (title: string, secret: Markup, ways: Markup): Shown => ({
  title,
  main: html`
    <h1>${title}</h1>
    <div class="once">${secret}</div>
    <p>${ways}</p>`,
})

/** A secret in one word, and what to do with it. */
export const copied = (text: string, id: string, secret: string): Markup =>
  html`<p>${text}</p><p><code id="${id}">${secret}</code></p>`
