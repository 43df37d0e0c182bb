import { type RawBuilder, sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { seenBy } from '../../db/guard/audience'
import { prepared, type SlotOf } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { chosenTitle } from '../../pages/title'
import { cover, workPath } from '../parts/cover'
import { ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { statusMark } from '../parts/status'
import type { WorkView } from './view'

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
    return html`<li><a class="series-row" href="${workPath(visit, one.id)}"${current}>${cover(visit, one, 32)}<span class="text"><span lang="${lang}">${text}</span><small>${season}</small></span><span class="own">${one.kind === null ? '' : statusMark(t, one.kind)}${ratingMark(visit, one.rating)}</span></a></li>`
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
  return html`<section class="of-series"><h2>${t.work.series}</h2>${more(before)}<ol class="series">${near.map(row)}</ol>${more(after)}</section>`
}

/** From the newest review or viewing with a rating. Uses reviews_user. */
const ownRating = (user: RawBuilder<number>) =>
  sql<string | null>`(select rating_overall_state from ${seenBy('reviews', 'reviews_user')}
    where user_id = ${user} and reviews.work_id = works.id and rating_overall_state is not null
    order by id desc limit 1)`.as('rating')

const worksOfSeries = prepared((read, slot: SlotOf<{ work: number; user: number }>) =>
  read
    .selectFrom('works')
    .leftJoin('statuses', (join) =>
      join.onRef('statuses.work_id', '=', 'works.id').on('statuses.user_id', '=', slot('user')),
    )
    .select(['works.id', 'works.title', 'works.title_en', 'works.title_ro'])
    .select(coverColumns(slot('user')))
    .select([sql<StatusKind | null>`statuses.kind`.as('kind'), ownRating(slot('user'))])
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
