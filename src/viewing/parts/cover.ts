import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { chosenTitle, splitTitle, type Titles } from '../../pages/title'

export { coverMarkup as cover } from '../../covers/cover-url'

export const workPath = ({ basePath }: Pick<PageContext, 'basePath'>, workId: number): string =>
  `${basePath}/works/${workId}`

interface CardTitle {
  /** Plain text, for the names of buttons. */
  readonly text: string
  readonly lang: string
  /** Two lines, or one and the season below it. */
  readonly lines: Markup
}

export function cardTitle(pageContext: PageContext, titles: Titles): CardTitle {
  const { text, lang } = chosenTitle(pageContext, titles)
  const { main, season } = splitTitle(text)
  if (season === '') return { text, lang, lines: html`${text}` }
  const lines = html`<span class="main">${main}</span> <span class="season">${season}</span>`
  return { text, lang, lines }
}
