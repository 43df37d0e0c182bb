import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { survivor } from '../../catalogue/survivors'
import { preparedSql, type SlotOf } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { seeOther } from '../../web/page'
import { AnswerInstead, pageNotFound } from '../../web/problem'
import { returnPath } from '../../web/return-to'
import { readOrNotFound, type Visit } from '../../web/visit'
import { newestRating } from '../work/beside'

export interface ShownSeries {
  readonly id: number
  readonly name: string
  readonly name_en: string
  readonly name_ro: string
}

/** The series in the address; a merged one leads to what it was merged into. Throws not_found. */
export async function findSeries(visit: Visit): Promise<ShownSeries> {
  const id = readOrNotFound(positiveInteger, visit.params.id)
  const [series] = await shownSeries(visit.deps.seen, { id })
  if (series === undefined) throw pageNotFound()
  if (series.id === id) return series
  throw new AnswerInstead(
    seeOther(visit, returnPath(visit).replace(/^\/series\/[^/?]+/, `/series/${series.id}`)),
  )
}

const shownSeries = preparedSql<ShownSeries, { id: number }>(
  (slot) => sql`
    select id, name, name_en, name_ro from series where id = ${survivor('series', slot('id'))} and hidden = 0`,
)

export interface WorkOfSeries extends CoveredWork, Titles {
  readonly media: string
  readonly no_episodes: number
  readonly episodes_count: number
  readonly season_year: number | null
  readonly season: string | null
  readonly minutes: number | null
  /** 1 if it is known when it came out, and that was before. */
  readonly is_out: number
  /** The reader's. */
  readonly kind: StatusKind | null
  readonly rating: string | null
  readonly score: number | null
  readonly viewings: number
}

type OfSeries = { series: number; user: number; today: string; rank: number }

/**
 * By release, as on the pages of its works. `today`: the reader's, `rank`: its `season_rank`. The largest has 30. Uses the key of
 * series_works and reviews_user_work.
 */
export const worksOfSeries = preparedSql<WorkOfSeries, OfSeries>(
  (slot: SlotOf<OfSeries>) => sql`
    select works.id, title, title_en, title_ro, media, no_episodes, episodes_count, season_year, season, minutes,
      ${coverColumnsSql(slot('user'))}, statuses.kind,
      coalesce(released_on <= ${slot('today')}, season_rank <= ${slot('rank')}, 0) as is_out,
      ${newestRating<string>('rating_overall_state', slot('user'), sql.ref('works.id'))} as rating,
      ${newestRating<number>('score', slot('user'), sql.ref('works.id'))} as score, (
        select count(*) from reviews
        where user_id = ${slot('user')} and reviews.work_id = works.id and watched_at is not null) as viewings
    from series_works join works on works.id = series_works.work_id
    left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = works.id
    where series_id = ${slot('series')} and works.hidden = 0
    order by ifnull(season_rank, 99999), released_on, works.id limit 100`,
)
