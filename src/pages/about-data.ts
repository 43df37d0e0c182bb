import type { Message } from '../messages/languages'
import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

interface Source {
  readonly name: string
  readonly licence: string
  readonly link: string
  /** When it was published or collected, `YYYY-MM-DD`. */
  readonly day: string
  readonly use: Message
}

/** Sources of the default catalogue; CC BY demands the source, the licence and that it was changed. */
const sources: readonly Source[] = [
  {
    name: 'bangumi-data',
    licence: 'CC BY 4.0',
    link: 'https://creativecommons.org/licenses/by/4.0/',
    day: '2026-05-15',
    use: (t) => t.about.bangumiData,
  },
  {
    name: '@kawaiioverflow/arm',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    day: '2026-05-17',
    use: (t) => t.about.arm,
  },
  {
    name: 'bgmd',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    day: '2026-03-24',
    use: (t) => t.about.bgmd,
  },
  {
    name: 'anime-sachedule-search-data',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    day: '2026-05-07',
    use: (t) => t.about.searchData,
  },
  {
    name: 'kuromoji',
    licence: 'Apache-2.0',
    link: 'https://www.apache.org/licenses/LICENSE-2.0',
    day: '2024-12-07',
    use: (t) => t.about.readings,
  },
  {
    name: 'SlashNephy/arm-supplementary',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    day: '2026-08-22',
    use: (t) => t.about.facts,
  },
  {
    name: 'erengy/anime-relations',
    licence: 'CC0 1.0',
    link: 'https://creativecommons.org/publicdomain/zero/1.0/',
    day: '2026-08-03',
    use: (t) => t.about.relations,
  },
]

/** The default catalogue lacks what was announced or broadcast later. */
export const newestDay =
  sources
    .map((source) => source.day)
    .toSorted()
    .at(-1) ?? ''

/** Origins, licences and days of the default catalogue. `contacts`: of what can come from elsewhere. */
export const aboutDataPage = ({ t }: PageContext, contacts: Markup): PageContent => ({
  title: t.about.data,
  main: html`
      <h1>${t.about.data}</h1>
      <p>${t.about.sources}</p>
      <ul>
        ${sources.map(({ name, licence, link, day, use }) => html`<li>${name} (<a href="${link}" rel="noreferrer">${licence}</a>, ${day})${t.common.colon}${use(t)}</li>`)}
      </ul>
      <p>${t.about.age(newestDay)}</p>
      <p>${t.about.missing} <code>kiroku catalogue import</code></p>
      ${contacts}`,
})
