import { type RawBuilder, sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isStation } from '../../catalogue/shown'
import { seenBy } from '../../db/guard/audience'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'
import type { PicturedUser } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { chosenTitle } from '../../pages/title'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { personLink } from '../parts/opinion'
import { ratingMark, ratingText } from '../parts/rating'
import { seasonName } from '../parts/season'
import { statusMark } from '../parts/status'
import type { WorkView } from './view'

/** Streaming sites with addresses, then the channels that broadcast it. */
export async function whereToWatch({ visit, work }: WorkView): Promise<Markup> {
  const { deps } = visit
  const [streams, channels] = await Promise.all([
    streamsOf(deps.seen, { work: work.id }),
    channelsOf(deps.seen, { work: work.id }),
  ])
  const links = streams.map(streamLink)
  const others = channels.filter(({ name }) => links.every((link) => link.name !== name))
  if (links.length + others.length === 0) return html``
  const chips = [...links, ...others.map(({ name }) => ({ name, url: undefined }))].map(({ name, url }) =>
    url === undefined
      ? html`<li class="chip" lang="ja">${name}</li>`
      : html`<li><a class="chip" lang="ja" href="${url}" rel="noreferrer">${name}${icon('out', 14)}</a></li>`,
  )
  return html`<section><h2>${visit.t.work.where}</h2><ul class="places">${chips}</ul></section>`
}

const streamsOf = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('streams')
    .select(['site', 'external_id'])
    .where('work_id', '=', slot('work'))
    .orderBy('site')
    .limit(20),
)

// uses programs_work
const channelsOf = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('channels')
    .select('name')
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('programs')
        .select('channel_id')
        .where('work_id', '=', slot('work'))
        .where('hidden', '=', 0),
    )
    .orderBy('sort_number')
    .orderBy('id')
    .limit(12),
)

interface StreamSite {
  readonly name: string
  /** What precedes and follows the site's id of a work. */
  readonly before: string
  readonly after?: string
}

/** Keyed by the names of bangumi-data, which the catalogue uses. */
const sites: Readonly<Record<string, StreamSite>> = {
  danime: { name: 'dアニメストア', before: 'https://animestore.docomo.ne.jp/animestore/ci_pc?workId=' },
  unext: { name: 'U-NEXT', before: 'https://video.unext.jp/title/' },
  abema: { name: 'ABEMA', before: 'https://abema.tv/video/title/' },
  nicovideo: { name: 'ニコニコチャンネル', before: 'https://ch.nicovideo.jp/' },
  netflix: { name: 'Netflix', before: 'https://www.netflix.com/title/' },
  prime: { name: 'Prime Video', before: 'https://www.amazon.co.jp/gp/video/detail/' },
  disneyplus: { name: 'Disney+', before: 'https://www.disneyplus.com/series/view/' },
  crunchyroll: { name: 'Crunchyroll', before: 'https://www.crunchyroll.com/series/', after: '/' },
  youtube: { name: 'YouTube', before: 'https://www.youtube.com/playlist?list=' },
}

interface Stream {
  readonly site: string
  readonly external_id: string
}

/** `url` is undefined if only the site is known. */
function streamLink({ site, external_id }: Stream): { name: string; url: string | undefined } {
  const known = sites[site]
  if (known === undefined) return { name: site, url: undefined }
  const { name, before, after = '' } = known
  return { name, url: external_id === '' ? undefined : `${before}${encodeURIComponent(external_id)}${after}` }
}

/** Who else here is watching it, and how far they are; visitors see nobody (D64). */
export async function peopleHere({ visit, work, userId }: WorkView): Promise<Markup> {
  if (visit.session === undefined) return html``
  const viewers = await viewersOf(visit.deps.crowd, { user: userId, work: work.id })
  if (viewers.length === 0) return html``
  const rows = viewers.map(
    (viewer) =>
      html`<li>${personLink(visit, viewer)}<span class="meta">${progressWords(visit, viewer)}</span></li>`,
  )
  return html`<section><h2>${visit.t.work.peopleHere}</h2><ul class="people">${rows}</ul></section>`
}

type Context = WorkView['visit']

function progressWords(pageContext: Context, viewer: Viewer): string {
  const { t } = pageContext
  const { kind, number, number_text } = viewer
  const episode = number_text === null ? '' : episodeName(pageContext, { number, number_text })
  const rated = ratingText(pageContext, viewer)
  const word = kind === null ? '' : t.statuses[kind]
  const place = kind === 'watched' ? '' : episode
  const status = kind === 'watching' && place !== '' ? '' : word
  return [place, status, rated].filter((one) => one !== '').join(t.common.dot)
}

interface Viewer extends PicturedUser {
  readonly kind: StatusKind | null
  readonly rating: string | null
  readonly score: number | null
  readonly number: string | null
  readonly number_text: string | null
}

/** At most six users: first those the reader follows, then those who recorded, reviewed or watch the work. */
const viewersOf = preparedSql(
  (slot: SlotOf<{ user: number; work: number }>): RawBuilder<Viewer> => sql<Viewer>`
    with near as (
      select followed_id as user_id, 0 as distance from follows
        join statuses on statuses.user_id = followed_id and statuses.work_id = ${slot('work')}
        where follower_id = ${slot('user')} and statuses.kind <> 'wanna_watch'
      union all select * from (select user_id, 1 from records where work_id = ${slot('work')} order by id desc limit 60)
      union all select * from (select user_id, 2 from reviews where work_id = ${slot('work')} order by id desc limit 20)
      union all select * from (
        select user_id, 3 from statuses where work_id = ${slot('work')} and kind in ('watched', 'watching') limit 20)
    ), chosen as (
      select users.id, username, avatar_url, min(distance) as distance from near join users on users.id = near.user_id
      where users.id <> ${slot('user')} and users.disabled_at is null
        and not exists (select 1 from mutes where mutes.user_id = ${slot('user')} and muted_id = users.id)
      group by users.id order by min(distance), users.id limit 6
    )
    select username, avatar_url, kind, number, number_text,
      ${newestRating('rating_overall_state', sql`chosen.id`, slot('work'))} as rating,
      ${newestRating('score', sql`chosen.id`, slot('work'))} as score
    from chosen
    left join statuses on statuses.user_id = chosen.id and statuses.work_id = ${slot('work')}
    left join episodes on episodes.id = (
      select episode_id from ${seenBy('records', 'records_user')} where records.user_id = chosen.id and records.work_id = ${slot('work')}
      order by records.id desc limit 1)
    order by distance, chosen.id`,
)

/** How many are shown at once; the others unfold. */
const most = 8

/** The works of the same series in order, with one's own statuses. */
export async function seriesRows({ visit, work, userId }: WorkView): Promise<Markup> {
  const works = await worksOfSeries(visit.deps.seen, { work: work.id, user: userId })
  if (works.length < 2) return html``
  const { t } = visit
  const row = (one: (typeof works)[number]) => {
    const current = one.id === work.id ? html` aria-current="page"` : ''
    const { text, lang } = chosenTitle(visit, one)
    const season = seasonName(visit, one)
    return html`<li><a class="series-row" href="${workPath(visit, one.id)}"${current}>${cover(visit, one, 32)}<span class="text"><span lang="${lang}">${text}</span><small>${season}</small></span><span class="own">${one.kind === null ? '' : statusMark(t, one.kind)}${ratingMark(visit, one)}</span></a></li>`
  }
  const at = works.findIndex(({ id }) => id === work.id)
  const start = Math.max(0, Math.min(at - most / 2, works.length - most))
  const [before, near, after] = [
    works.slice(0, start),
    works.slice(start, start + most),
    works.slice(start + most),
  ]
  const more = (some: typeof works) =>
    some.length === 0
      ? ''
      : html`<details><summary class="unfold">${t.work.moreOfSeries(some.length)}</summary><ol class="series">${some.map(row)}</ol></details>`
  const [series] = await seriesOf(visit.deps.seen, { work: work.id })
  const name =
    series === undefined
      ? t.work.series
      : html`<a href="${visit.basePath}/series/${series.id}?work=${work.id}">${t.work.series}</a>`
  return html`<section class="of-series"><h2>${name}</h2>${more(before)}<ol class="series">${near.map(row)}</ol>${more(after)}</section>`
}

/** Of several, the one with the most works. Uses series_works_work. */
const seriesOf = preparedSql<{ id: number }, { work: number }>(
  (slot) => sql`
    select series.id from series_works join series on series.id = series_id
    where work_id = ${slot('work')} and hidden = 0
    order by (select count(*) from series_works as o where o.series_id = series.id) desc, series.id limit 1`,
)

/** From the newest review or viewing with a rating. Uses reviews_user. */
export const newestRating = <T>(column: string, user: RawBuilder<unknown>, work: RawBuilder<unknown>) =>
  sql<T | null>`(select ${sql.ref(column)} from ${seenBy('reviews', 'reviews_user')}
    where user_id = ${user} and reviews.work_id = ${work} and (rating_overall_state is not null or score is not null)
    order by id desc limit 1)`

const worksOfSeries = prepared((read, slot: SlotOf<{ work: number; user: number }>) =>
  read
    .selectFrom('works')
    .leftJoin('statuses', (join) =>
      join.onRef('statuses.work_id', '=', 'works.id').on('statuses.user_id', '=', slot('user')),
    )
    .select(['works.id', 'works.title', 'works.title_en', 'works.title_ro'])
    .select(coverColumns(slot('user')))
    .select(sql<StatusKind | null>`statuses.kind`.as('kind'))
    .select(newestRating<string>('rating_overall_state', slot('user'), sql.ref('works.id')).as('rating'))
    .select(newestRating<number>('score', slot('user'), sql.ref('works.id')).as('score'))
    .where('works.hidden', '=', 0)
    .where('works.id', 'in', (eb) =>
      eb
        .selectFrom('series_works')
        .innerJoin('series', 'series.id', 'series_works.series_id')
        .select('series_works.work_id')
        .where('series.hidden', '=', 0)
        .where('series_works.series_id', 'in', (inner) =>
          // uses series_works_work
          inner
            .selectFrom('series_works as of')
            .select('of.series_id')
            .where('of.work_id', '=', slot('work')),
        ),
    )
    .orderBy(sql`ifnull(works.season_rank, 99999)`)
    .orderBy('works.released_on')
    .orderBy('works.id')
    .limit(100),
)
