import type { Message } from '../messages/languages'
import { version } from '../version'
import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

const licences = {
  'CC BY 4.0': 'https://creativecommons.org/licenses/by/4.0/',
  MIT: 'https://opensource.org/license/mit',
  'Apache-2.0': 'https://www.apache.org/licenses/LICENSE-2.0',
  'CC0 1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
} as const

/** `day`: when the data was published or collected, `YYYY-MM-DD`. */
type Source = readonly [name: string, licence: keyof typeof licences, day: string, use: Message]

/** Sources of the default catalogue; CC BY requires naming the source, the licence and that it was changed. */
const sources: readonly Source[] = [
  ['bangumi-data', 'CC BY 4.0', '2026-05-15', (t) => t.about.bangumiData],
  ['@kawaiioverflow/arm', 'MIT', '2026-05-17', (t) => t.about.arm],
  ['bgmd', 'MIT', '2026-03-24', (t) => t.about.bgmd],
  ['anime-sachedule-search-data', 'MIT', '2026-05-07', (t) => t.about.searchData],
  ['kuromoji', 'Apache-2.0', '2024-12-07', (t) => t.about.readings],
  ['SlashNephy/arm-supplementary', 'MIT', '2026-08-22', (t) => t.about.facts],
  ['erengy/anime-relations', 'CC0 1.0', '2026-08-03', (t) => t.about.relations],
]

/** The default catalogue lacks everything that was announced or broadcast later. */
export const newestDay =
  sources
    .map(([, , day]) => day)
    .toSorted()
    .at(-1) ?? ''

/** Origins, licences and dates of the default catalogue. `contacts`: about what can come from other hosts. */
export const aboutDataPage = ({ t }: PageContext, contacts: Markup): PageContent => ({
  title: t.about.data,
  main: html`
      <h1>${t.about.data}</h1>
      <p>${t.about.sources}</p>
      <ul>
        ${sources.map(([name, licence, day, use]) => html`<li>${name} (<a href="${licences[licence]}" rel="noreferrer">${licence}</a>, ${day})${t.common.colon}${use(t)}</li>`)}
      </ul>
      <p>${t.about.age(newestDay)}</p>
      <p>${t.about.missing} <code>kiroku catalogue import</code></p>
      ${contacts}`,
})

export const aboutPage = ({ t, basePath }: PageContext): PageContent => ({
  title: t.layout.about,
  main: html`
      <h1>${t.layout.about}</h1>
      <p>${t.about.licence(version)}</p>
      <p><a href="${basePath}/about/data">${t.about.toData}</a></p>`,
})
