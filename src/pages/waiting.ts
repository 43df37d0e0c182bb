import { html } from './html'
import type { PageContent, PageContext } from './layout'

/** Before the first account: whoever started the server has the link that creates it (D51). */
export const waitingPage = ({ t }: PageContext): PageContent => ({
  title: t.setup.waiting,
  isBare: true,
  main: html`<h1>${t.setup.waiting}</h1>
      <p>${t.setup.waitingText}</p>
      <p><code>kiroku setup-url</code></p>
      <p class="meta">${t.setup.waitingHint}</p>`,
})
