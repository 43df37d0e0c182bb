import { type RawBuilder, sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'
import { byRenown } from '../parts/renown'

export interface SeasonWork extends CoveredWork, Titles {
  /** As exact as known; '' if unknown. */
  readonly released_on: string
  /** Epoch milliseconds. */
  readonly broadcast_begin: number | null
  readonly watchers_count: number
  readonly kind: StatusKind | null
}

/** `user` is 0 for visitors; `from` and `until` are values of `season_rank`. */
type OfSeason = { user: number; from: number; until: number }

/** `media` and `status`: '' for any; `none` for works without a status. */
type PageOfSeason = OfSeason & {
  media: string
  status: string
  titles: string
  limit: number
  offset: number
}

/** Uses works_season_desc and the key of statuses. */
const ofSeason = <V extends OfSeason>(read: Read, slot: SlotOf<V>) =>
  read
    .selectFrom('works')
    .leftJoin('statuses', (join) =>
      join.onRef('statuses.work_id', '=', 'works.id').on('statuses.user_id', '=', slot('user')),
    )
    .where('season_rank', '>=', slot('from'))
    .where('season_rank', '<=', slot('until'))
    .where('works.hidden', '=', 0)

/** How many works a season has, by medium and by own status. */
export const seasonCounts = prepared((read, slot: SlotOf<OfSeason>) =>
  ofSeason(read, slot)
    .select('media')
    .select(sql<StatusKind | 'none'>`ifnull(kind, 'none')`.as('status'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['media', 'status']),
)

const worksBy = (order: (slot: SlotOf<PageOfSeason>) => RawBuilder<unknown>) =>
  prepared<SeasonWork, PageOfSeason>((read, slot) =>
    ofSeason(read, slot)
      .select(['works.id', 'title', 'title_en', 'title_ro', 'released_on', 'broadcast_begin'])
      .select('watchers_count')
      .select(coverColumns(slot('user')))
      .select(sql<StatusKind | null>`kind`.as('kind'))
      .where(sql<boolean>`${slot('media')} in ('', media)`)
      .where(sql<boolean>`${slot('status')} in ('', ifnull(kind, 'none'))`)
      .orderBy(order(slot))
      .orderBy(byRenown)
      .limit(slot('limit'))
      .offset(slot('offset')),
  )

/** A page of a season, in each sort order. */
export const seasonWorks = {
  known: worksBy(() => sql`null`),
  start: worksBy(
    () => sql`coalesce(nullif(released_on, ''), date(broadcast_begin / 1000, 'unixepoch', '+9 hours'), '~')`,
  ),
  title: worksBy(
    (slot) => sql`
      case ${slot('titles')}
        when 'english' then coalesce(nullif(title_en, ''), nullif(title_ro, ''), title)
        when 'romaji' then coalesce(nullif(title_ro, ''), title)
        else coalesce(nullif(title_kana, ''), title) end collate nocase`,
  ),
} as const

/** Years with works, latest first: one lookup in works_season per year. */
export const yearsWithWorks = preparedSql<{ year: number }, Record<string, never>>(
  () => sql`
    with recursive years (year) as (
      select max(season_rank) / 10 from works where hidden = 0
      union all
      select (select max(season_rank) / 10 from works where hidden = 0 and season_rank < year * 10)
      from years where year is not null
    )
    select year from years where year is not null limit 200`,
)
