import { version } from '../version'
import { html } from './html'
import { type Look, page } from './layout'

/** Where the default catalogue's data comes from; CC BY asks for the source, the licence and that it was changed. */
const sources = [
  {
    name: 'bangumi-data',
    licence: 'CC BY 4.0',
    link: 'https://creativecommons.org/licenses/by/4.0/',
    use: 'works, titles, dates and streams; changed: selected, dated and joined with the ids below',
  },
  {
    name: '@kawaiioverflow/arm',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: 'ids of works on other sites',
  },
  {
    name: 'bgmd',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: 'dates of first broadcast, as facts',
  },
  {
    name: 'anime-sachedule-search-data',
    licence: 'MIT',
    link: 'https://opensource.org/license/mit',
    use: 'numbers of episodes, as facts',
  },
]

export const aboutPage = (look: Look) =>
  page(
    look,
    'About · kiroku',
    html`
      <h1>About</h1>
      <p>kiroku ${version} is free software under the MIT licence.</p>
      <h2 id="data">Data</h2>
      <p>The default catalogue is made from these packages:</p>
      <ul>
        ${sources.map(({ name, licence, link, use }) => html`<li>${name} (<a href="${link}" rel="noreferrer">${licence}</a>): ${use}.</li>`)}
      </ul>
      <p>
        It knows no readings, casts, staff or subtitles, and the episodes of works nobody listed are estimated from
        their dates. An administrator can add data with <code>kiroku catalogue import</code>.
      </p>`,
  )
