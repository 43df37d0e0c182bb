import type { Message } from '../messages/languages'
import { version } from '../version'
import { html } from './html'
import type { PageContent, PageContext } from './layout'

interface Source {
  readonly name: string
  readonly licence: string
  readonly link: string
  readonly use: Message
}

/** Sources of the default catalogue; CC BY demands the source, the licence and that it was changed. */
const sources: readonly Source[] = [
  {
    name: 'bangumi-data',
    licence: 'CC BY 4.0',
    link: 'https://creativecommons.org/licenses/by/4.0/',
    use: (t) => t.about.bangumiData,
  },
  {
    name: '@kawaiioverflow/arm',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: (t) => t.about.arm,
  },
  {
    name: 'bgmd',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: (t) => t.about.bgmd,
  },
  {
    name: 'anime-sachedule-search-data',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: (t) => t.about.searchData,
  },
]

export const aboutPage = ({ t }: PageContext): PageContent => ({
  title: t.layout.about,
  main: html`
      <h1>${t.layout.about}</h1>
      <p>${t.about.licence(version)}</p>
      <h2 id="data">${t.about.data}</h2>
      <p>${t.about.sources}</p>
      <ul>
        ${sources.map(({ name, licence, link, use }) => html`<li>${name} (<a href="${link}" rel="noreferrer">${licence}</a>)${t.common.colon}${use(t)}</li>`)}
      </ul>
      <p>${t.about.missing} <code>kiroku catalogue import</code></p>`,
})
