import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { chosenTitle, type Titles } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { detailsOf } from '../activity/details'
import { entryMarkup } from '../activity/entry'
import { pageOfEntries } from '../activity/stream'
import { cover, workPath } from '../parts/cover'
import type { ShownUser } from '../parts/find-user'
import { inCommon } from '../people/members'

const mostCovers = 5

/** Ratings of fewer works say little of whether two people agree. */
const enoughRated = 5

/** What the reader and another person both watched, and how alike they rated it. Empty if there is nothing, and for visitors. */
export async function commonWorks(visit: Visit, user: ShownUser): Promise<Markup | ''> {
  const { deps, session, t } = visit
  if (session === undefined) return ''
  const pair = { reader: session.userId, other: user.id }
  const [{ works, rated, alike } = { works: 0, rated: 0, alike: 0 }] = await commonCounts(deps.seen, pair)
  if (works === 0) return ''
  const covers = await bestKnown(deps.seen, pair)
  const ratings =
    rated < enoughRated ? '' : html`<p class="meta">${t.profilePage.bothRated(rated, alike)}</p>`
  const link = (work: CommonWork) =>
    html`<a href="${workPath(visit, work.id)}" aria-label="${chosenTitle(visit, work).text}">${cover(visit, work, 28)}</a>`
  return html`<section class="box common-works"><div><h2>${t.activity.inCommon(works)}</h2>${ratings}</div><div class="told-works">${covers.map(link)}</div></section>`
}

interface CommonCounts {
  readonly works: number
  /** Works as a whole, by the newest rating of each. */
  readonly rated: number
  readonly alike: number
}

type Pair = { reader: number; other: number }

/** Uses reviews_user and the key of statuses. */
const commonCounts = preparedSql<CommonCounts, Pair>((slot) => {
  const ratingsOf = (user: unknown) => sql`(
    select work_id, rating_overall_state as rating, max(id) from reviews
    where user_id = ${user} and rating_overall_state is not null group by work_id)`
  return sql`
    select ${inCommon(slot('reader'), slot('other'))} as works, count(*) as rated,
      ifnull(sum(own.rating = other.rating), 0) as alike
    from ${ratingsOf(slot('other'))} as other join ${ratingsOf(slot('reader'))} as own on own.work_id = other.work_id`
})

interface CommonWork extends Titles, CoveredWork {}

const bestKnown = preparedSql<CommonWork, Pair>(
  (slot) => sql`
  select works.id, works.title, works.title_en, works.title_ro, ${coverColumnsSql(slot('reader'))}
  from statuses as other
    cross join statuses as own on own.user_id = ${slot('reader')} and own.work_id = other.work_id
      and own.kind <> 'wanna_watch'
    cross join works on works.id = other.work_id and works.hidden = 0
  where other.user_id = ${slot('other')} and other.kind <> 'wanna_watch'
  order by works.watchers_count desc, works.id limit ${sql.lit(mostCovers)}`,
)

const mostRecent = 10

/** What another person did last, as entries of activity; undefined if their records were never told, as imported ones, and for visitors. */
export async function recentEntries(visit: Visit, user: ShownUser): Promise<Markup | undefined> {
  const { deps, session } = visit
  if (session === undefined) return undefined
  const asked = { before: Number.MAX_SAFE_INTEGER, limit: mostRecent }
  const { entries } = await pageOfEntries(deps.seen, { person: user.id }, asked)
  if (entries.length === 0) return undefined
  const details = await detailsOf(deps.seen, entries, session.userId)
  return html`${entries.map((entry) => html`${entryMarkup({ ...visit, session }, entry, details, 'when')}`)}`
}
