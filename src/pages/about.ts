import { version } from '../version'
import { html } from './html'
import type { Look, Shown } from './layout'

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

export const aboutPage = ({ say }: Look): Shown => ({
  title: say('About', 'このサイトについて'),
  main: html`
      <h1>${say('About', 'このサイトについて')}</h1>
      <p>${say(`kiroku ${version} is free software under the MIT licence.`, `kiroku ${version} は MIT ライセンスのフリーソフトウェアです。`)}</p>
      <h2 id="data">${say('Data', 'データ')}</h2>
      <p>${say('The default catalogue is made from these packages:', '標準のカタログは次のパッケージから作られています。')}</p>
      <ul lang="en">
        ${sources.map(({ name, licence, link, use }) => html`<li>${name} (<a href="${link}" rel="noreferrer">${licence}</a>): ${use}.</li>`)}
      </ul>
      <p>${say(
        'It knows no readings, casts, staff or subtitles, and the episodes of works nobody listed are estimated from their dates. An administrator can add data with',
        '読みがな、キャスト、スタッフ、サブタイトルは含まれず、話数の分からない作品のエピソードは放送日から推定しています。管理者は次のコマンドでデータを追加できます：',
      )} <code>kiroku catalogue import</code></p>`,
})
