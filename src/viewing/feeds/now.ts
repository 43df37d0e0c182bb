import { sql } from 'kysely'
import { cutTo } from '../../covers/made/letters'
import { gothic } from '../../covers/made/made-cover'
import { preparedSql } from '../../db/prepared'
import { type Language, languages, messagesIn } from '../../messages/languages'
import { html, Markup } from '../../pages/html'
import { defaultPreferences } from '../../pages/preferences'
import { chosenTitle, type Titles } from '../../pages/title'
import { integerUpTo } from '../../values/number'
import { oneOf } from '../../values/text'
import { readIfValid } from '../../values/value'
import { anyone, definePage } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { episodeName } from '../parts/episode-name'
import { type PublicPerson, publicPerson } from './person'
import { answered } from './route'

const [most, usual] = [5, 3]
const count = integerUpTo(most)
const theme = oneOf(['auto', 'light', 'dark'])
const language = oneOf(languages)

/** What somebody with a public profile watches, as a picture for their own site: the same for whoever asks. */
export const nowPicture = definePage({
  path: '/@:username/now.svg',
  access: anyone,
  show: async (visit) => {
    const { deps, request, params } = visit
    const read = deps.readAs(0)
    const [person] = await publicPerson(read, { key: (params.username ?? '').toLowerCase() })
    if (person === undefined || !deps.config.publicCatalogue) return notThere()
    const limit = readIfValid(count, queryText(visit, 'n')) ?? usual
    const rows = await watchingOf(read, { user: person.id, limit })
    const robots = person.indexable === 0 ? { 'X-Robots-Tag': 'noindex' } : {}
    return answered(request, pictureOf(visit, person, rows), { ...headers, ...robots })
  },
})

const notThere = () =>
  new Response('There is no such picture.\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })

interface WatchingRow extends Titles {
  /** 1 if something of it was recorded, of which the last thing is the episode. */
  readonly has_record: number
  readonly number: string | null
  readonly number_text: string
}

/** Last watched first. Uses statuses_kind and records_user_work. */
const watchingOf = preparedSql<WatchingRow, { user: number; limit: number }>(
  (slot) => sql`
  select works.title, title_en, title_ro, last.id is not null as has_record, episodes.number,
    ifnull(episodes.number_text, '') as number_text
  from statuses cross join works on works.id = statuses.work_id and works.hidden = 0
    left join records as last on last.id = (
      select id from records where user_id = ${slot('user')} and work_id = statuses.work_id
      order by watched_at desc, id desc limit 1)
    left join episodes on episodes.id = last.episode_id and episodes.hidden = 0
  where statuses.user_id = ${slot('user')} and kind = 'watching'
  order by last.watched_at desc, statuses.changed_at desc, works.id limit ${slot('limit')}`,
)

const [width, margin, step] = [400, 16, 44]

function pictureOf(
  visit: Visit,
  { name, language: own }: PublicPerson,
  rows: readonly WatchingRow[],
): string {
  const chosen =
    readIfValid(language, queryText(visit, 'lang')) ?? languages.find((one) => one === own) ?? 'ja'
  const t = messagesIn(chosen)
  const colours = readIfValid(theme, queryText(visit, 'theme')) ?? 'auto'
  const height = margin * 2 + 24 + Math.max(1, rows.length) * step
  const lines =
    rows.length === 0
      ? [html`<text class="s" x="${margin}" y="72" font-size="13">${t.now.nothing}</text>`]
      : rows.map((row, at) => rowMarkup(chosen, row, margin + 50 + at * step))
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:lang="${chosen}" font-family="${gothic}" role="img"><title>${fit(t.now.title(name), 13)}</title><style>${new Markup(styles[colours])}</style><rect class="g" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/><text class="s" x="${margin}" y="32" font-size="13" font-weight="600">${fit(t.now.title(name), 13)}</text>${lines}</svg>`
    .text
}

function rowMarkup(chosen: Language, row: WatchingRow, y: number): Markup {
  const titles = defaultPreferences(chosen)
  const { text, lang } = chosenTitle({ preferences: titles }, row)
  const episode =
    row.number === null && row.number_text === ''
      ? ''
      : episodeName({ t: messagesIn(chosen), language: chosen }, row)
  return html`<text x="${margin}" y="${y}" font-size="15" font-weight="600" xml:lang="${lang}">${fit(text, 15)}</text><text class="s" x="${margin}" y="${y + 18}" font-size="13">${row.has_record === 1 ? fit(episode, 13) : ''}</text>`
}

/** On one line, without characters that XML does not have or that turn what stands beside them. */
const fit = (text: string, size: number): string =>
  cutTo(
    text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, ''),
    (width - 2 * margin) / size,
  )

const light = '.g{fill:#fdfcfa;stroke:#dedbd4}text{fill:#24262b}.s{fill:#5c6068}'
const dark = '.g{fill:#17181a;stroke:#34363b}text{fill:#e6e4df}.s{fill:#a5a8ae}'
const styles = { light, dark, auto: `${light}@media(prefers-color-scheme:dark){${dark}}` } as const

const headers = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  // For pages of other sites, which is what it is for.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}
