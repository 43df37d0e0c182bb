import { type RawBuilder, sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { currentLap } from '../../library/laps'
import { finishedOn, startedOn } from '../../library/status-dates'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'
import type { LibrarySort } from './asked'

/** A work on a shelf, with its sort key. */
export interface ShelfKey extends Titles {
  readonly id: number
  readonly key: number | null
  readonly changed_at: number
}

type Filter = { user: number; shelf: string; medium: string; year: number }

const keysBy = (key: (slot: SlotOf<Filter>) => RawBuilder<number | null>) =>
  preparedSql<ShelfKey, Filter>(
    (slot) => sql<ShelfKey>`
    with ${viewings(slot)}
    select works.id, ${key(slot)} as key, statuses.changed_at, works.title, works.title_en, works.title_ro
    from statuses join works on works.id = statuses.work_id left join viewings on viewings.work_id = works.id
    where statuses.user_id = ${slot('user')} and (${slot('shelf')} = 'all' or kind = ${slot('shelf')}) and hidden = 0
      and (${slot('medium')} = '' or media = ${slot('medium')}) and (${slot('year')} = 0 or season_year = ${slot('year')})`,
  )

type OfUser = SlotOf<{ user: number }>

const points = (state: RawBuilder<unknown>) =>
  sql`case ${state} when 'great' then 4 when 'good' then 3 when 'average' then 2 when 'bad' then 1 end`

/** Per work: when a film was last watched, and the last rating of the whole. Uses reviews_user. */
const viewings = (slot: OfUser) => sql`viewings as materialized (
      select work_id, max(iif(watched_at_precision <> 'none', watched_at, null)) as at,
        max(id * 8 + ${points(sql.ref('rating_overall_state'))}) % 8 as rating
      from reviews where user_id = ${slot('user')} group by work_id)`

/** Uses records_user_work, like the two below. */
const lastRecord = (slot: OfUser) => sql<number>`(
      select watched_at from records where user_id = ${slot('user')} and records.work_id = works.id
        and watched_at_precision <> 'none' order by watched_at desc limit 1)`

const lastWatched = (slot: OfUser) => sql<number>`max(ifnull(${lastRecord(slot)}, 0), ifnull(viewings.at, 0))`

/** Counts the lap's records over known episodes: exact enough for sorting, and readable from the index. */
const watchedShare = (slot: OfUser) => sql<number>`(
      select count(*) from records where user_id = ${slot('user')} and records.work_id = works.id
        and lap = ${currentLap(slot('user'), sql.ref('works.id'))}
    ) * 1.0 / nullif(episodes_count, 0)`

/** 1 to 4: the rating of the whole, otherwise the average of its episodes. */
const rating = (slot: OfUser) => sql<number>`ifnull(viewings.rating, (
      select avg(${points(sql.ref('rating_state'))}) from records
      where user_id = ${slot('user')} and records.work_id = works.id))`

const none = () => sql<null>`null`

/** Of a shelf, in any order. */
export const shelfKeys: Readonly<Record<LibrarySort, ReturnType<typeof keysBy>>> = {
  recent: keysBy(lastWatched),
  changed: keysBy(none),
  title: keysBy(none),
  season: keysBy(() => sql<number>`season_rank`),
  progress: keysBy(watchedShare),
  rating: keysBy(rating),
}

export interface ShelfWork extends CoveredWork, Titles {
  readonly episodes_count: number
  readonly no_episodes: number
  readonly kind: StatusKind
  readonly changed_at: number
  readonly started_on: string | null
  readonly finished_on: string | null
  /** Epoch milliseconds; 0 if never or unknown. */
  readonly last_at: number
  /** 1 to 4. */
  readonly rating: number | null
}

/** `works` is a JSON array of ids. In any order. */
export const shelfWorks = preparedSql<ShelfWork, { user: number; works: string; reader: number }>(
  (slot) => sql<ShelfWork>`
    with ${viewings(slot)}
    select works.id, title, title_en, title_ro, episodes_count, no_episodes, kind, changed_at,
      ${coverColumnsSql(slot('reader'))},
      ${startedOn} as started_on, ${finishedOn} as finished_on, ${lastWatched(slot)} as last_at, ${rating(slot)} as rating
    from statuses join works on works.id = statuses.work_id left join viewings on viewings.work_id = works.id
    where statuses.user_id = ${slot('user')} and statuses.work_id in (select value from json_each(${slot('works')}))`,
)

/** The years of the works in a user's library, latest first. */
export const yearsOf = preparedSql<{ year: number }, { user: number }>(
  (slot) => sql<{ year: number }>`
    select distinct season_year as year from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and hidden = 0 and season_year is not null order by season_year desc`,
)
