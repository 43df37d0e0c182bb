import { sql } from 'kysely'
import { type InstanceText, instanceText } from '../../accounts/instance-text'
import { usersCount } from '../../accounts/users'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { shownCount } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import { prepared } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { type Titles, titleMarkup } from '../../pages/title'
import { waitingPage } from '../../pages/waiting'
import { anyone, definePage } from '../../web/page'
import type { Visit } from '../../web/visit'
import { cardTitle, cover, workPath } from '../parts/cover'
import { ranksOf, seasonAt } from '../parts/season'
import { seasonTitle } from '../seasons/bar'
import { type SeasonWork, seasonCounts, seasonWorks } from '../seasons/queries'
import { dayOfBroadcasts } from '../track/broadcasts'
import { trackPage } from '../track/page'

export const front = definePage({
  path: '/',
  access: anyone,
  show: async (visit) => {
    const { session } = visit
    return session === undefined ? frontPage(visit) : trackPage({ ...visit, session })
  },
})

/** What this is and whose, what is on this season and tonight, and where to go from here. */
async function frontPage(visit: Visit): Promise<PageContent> {
  const { deps, t, basePath } = visit
  const counts = await instanceCounts(deps.read)
  if (counts.users === 0) return waitingPage(visit)
  const about = await instanceText(deps.read)
  const season = deps.config.publicCatalogue ? await currentSeason(visit) : undefined
  const toSeason =
    season === undefined
      ? ''
      : html`<a class="button" href="${basePath}/seasons/now">${t.search.toSeason}</a>`
  const { format } = new Intl.NumberFormat(t.language.locale)
  const main = html`<div class="front">
      <div class="front-head"><div class="text">
        <h1>${t.home.title}</h1>
        ${introduction(visit, about, counts.users)}
        <p class="buttons"><a class="button filled" href="${basePath}/sign_in">${t.signIn.title}</a>${toSeason}</p>
      </div>${season === undefined ? '' : coversOf(visit, season.works)}</div>
      ${points(visit)}
      ${season === undefined ? '' : await tonight(visit, season)}
      <p class="meta front-figures">${t.home.works} ${format(counts.works)} · ${t.home.episodes} ${format(counts.episodes)}</p>
    </div>`
  return { title: about.name === '' ? 'kiroku' : about.name, main }
}

const instanceCounts = (read: Read) =>
  read
    .selectNoFrom([
      shownCount('works').as('works'),
      shownCount('episodes').as('episodes'),
      usersCount.as('users'),
    ])
    .executeTakeFirstOrThrow()

interface NextBroadcast extends CoveredWork, Titles {
  readonly started_at: number
  readonly channel: string
  readonly estimated: number
}

/** The first of each work between two times, on any channel, in epoch milliseconds. Uses programs_started. */
const nextBroadcasts = prepared<NextBroadcast, { from: number; until: number; limit: number }>((read, slot) =>
  read
    .selectFrom('programs')
    .innerJoin('channels', 'channels.id', 'programs.channel_id')
    .innerJoin('works', 'works.id', 'programs.work_id')
    .select(['works.id', 'title', 'title_en', 'title_ro'])
    .select(coverColumns(sql<number>`0`))
    // SQLite takes the other columns from the row with the minimum.
    .select(sql<number>`min(started_at)`.as('started_at'))
    .select(['channels.name as channel', 'programs.estimated'])
    .where('started_at', '>=', slot('from'))
    .where('started_at', '<', slot('until'))
    .where('programs.hidden', '=', 0)
    .where('channels.hidden', '=', 0)
    .where('works.hidden', '=', 0)
    .groupBy('works.id')
    .orderBy('started_at')
    .limit(slot('limit')),
)

/** The instance's own words, if it has some, after whose it is. */
function introduction({ t }: Visit, { name, text }: InstanceText, users: number): Markup {
  const whose = name === '' ? [] : [t.home.logOf(name)]
  const sentences = [...whose, ...(text === '' ? [t.home.explained] : []), t.home.used(users)]
  const own = text === '' ? '' : html`<p class="own-text">${text}</p>`
  return html`${own}<p>${t.common.sentences(sentences)}</p>`
}

interface CurrentSeason {
  readonly name: string
  readonly count: number
  readonly works: readonly SeasonWork[]
}

const coversShown = 10

async function currentSeason(visit: Visit): Promise<CurrentSeason> {
  const { deps, now, preferences } = visit
  const season = seasonAt(now, preferences.timeZone)
  const asked = { user: 0, ...ranksOf(season) }
  const page = { media: '', status: '', titles: preferences.titleLanguage, limit: coversShown, offset: 0 }
  const counts = await seasonCounts(deps.seen, asked)
  return {
    name: seasonTitle(visit, season),
    count: counts.reduce((sum, { count }) => sum + count, 0),
    works: await seasonWorks.known(deps.seen, { ...asked, ...page }),
  }
}

function coversOf(visit: Visit, works: readonly SeasonWork[]): Markup {
  const one = (work: SeasonWork) => {
    const { text, lang } = cardTitle(visit, work)
    return html`<li><a href="${workPath(visit, work.id)}"><span class="unseen" lang="${lang}">${text}</span>${cover(visit, work, 98)}</a></li>`
  }
  return works.length === 0 ? html`` : html`<ul class="front-covers">${works.map(one)}</ul>`
}

function points({ t }: Visit): Markup {
  const point = (drawing: IconName, title: string, text: string) =>
    html`<li><h2>${icon(drawing)}${title}</h2><p class="meta">${text}</p></li>`
  return html`<ul class="front-points">
        ${point('check', t.home.oneTap, t.home.oneTapText)}
        ${point('calendar', t.home.inSight, t.home.inSightText)}
        ${point('download', t.home.yours, t.home.yoursText)}
      </ul>`
}

/** What is still to be broadcast before the night ends. */
async function tonight(visit: Visit, season: CurrentSeason): Promise<Markup> {
  const { deps, t, basePath, now, preferences } = visit
  const { until } = dayOfBroadcasts(now, preferences.timeZone)
  const programs = await nextBroadcasts(deps.seen, { from: now, until, limit: 8 })
  if (programs.length === 0) return html``
  const all = html`<a href="${basePath}/seasons/now">${t.home.worksOf(season.name, season.count)}</a>`
  return html`<section class="tonight"><div class="head"><h2>${t.home.tonight}</h2>${all}</div>
      <ul>${programs.map((program) => broadcast(visit, program))}</ul></section>`
}

function broadcast(visit: Visit, program: NextBroadcast): Markup {
  const mark = program.estimated === 1 ? html` <span class="estimated">${visit.t.work.estimated}</span>` : ''
  return html`<li>${cover(visit, program, 128)}<a class="work" href="${workPath(visit, program.id)}">${titleMarkup(visit, program)}</a><span class="when">${timeMarkup(visit, program.started_at, 'clock')}${mark}</span><span class="meta" lang="ja">${program.channel}</span></li>`
}
