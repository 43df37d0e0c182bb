import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'

/** A record, or the viewing of a film. */
export interface WatchedKey {
  readonly id: number
  readonly is_viewing: number
  readonly at: number
  readonly precision: Precision
}

/** Newest first; without those at an unknown time (D61). Uses records_user_work and reviews_user. */
export const watchedBetween = preparedSql<WatchedKey, { user: number; from: number; until: number }>(
  (slot) => sql<WatchedKey>`
    select id, 0 as is_viewing, watched_at as at, watched_at_precision as precision from records
    where user_id = ${slot('user')} and watched_at >= ${slot('from')} and watched_at < ${slot('until')}
      and watched_at_precision <> 'none'
    union all
    select id, 1, watched_at, watched_at_precision from reviews
    where user_id = ${slot('user')} and watched_at >= ${slot('from')} and watched_at < ${slot('until')}
      and watched_at_precision <> 'none'
    order by at desc, is_viewing, id desc`,
)

/** Years in which something was watched, latest first. Uses records_user_work and reviews_user. */
export const watchedYears = preparedSql<{ year: number; count: number }, { user: number }>(
  (slot) => sql<{ year: number; count: number }>`
    select cast(strftime('%Y', at / 1000, 'unixepoch') as integer) as year, count(*) as count from (
      select watched_at as at from records where user_id = ${slot('user')} and watched_at_precision <> 'none'
      union all
      select watched_at from reviews where user_id = ${slot('user')} and watched_at_precision <> 'none'
    ) group by year order by year desc`,
)

/** The last ones whose time is known at least in part: a year counts as its first day. */
export const lastWatched = preparedSql<WatchedKey, { user: number; limit: number }>(
  (slot) => sql<WatchedKey>`
    select id, 0 as is_viewing, watched_at as at, watched_at_precision as precision from records
    where user_id = ${slot('user')} and watched_at_precision <> 'none'
    union all
    select id, 1, watched_at, watched_at_precision from reviews
    where user_id = ${slot('user')} and watched_at_precision <> 'none'
    order by at desc, is_viewing, id desc limit ${slot('limit')}`,
)

type EntriesQuery = { ids: string; reader: number }

/** `ids`: a JSON array; `was_seen`: 1 if the reader has a record of the episode. */
export const recordsWithEpisodes = prepared((read, slot: SlotOf<EntriesQuery>) =>
  read
    .selectFrom('records')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .innerJoin('works', 'works.id', 'records.work_id')
    .select([
      'records.id',
      'records.comment as text',
      'records.comments_count',
      'records.rating_state as rating',
      'records.score',
      'records.private',
    ])
    .select(['records.work_id', 'records.episode_id', 'works.title', 'works.title_en', 'works.title_ro'])
    .select(['episodes.number', 'episodes.number_text', 'episodes.title as episode_title'])
    .select(coverColumns(slot('reader')))
    .select([sql<number>`works.hidden or episodes.hidden`.as('hidden'), isOnlyOfItsNumber.as('is_only')])
    .select(
      // uses records_user_episode
      sql<number>`exists (select 1 from records as own
        where own.user_id = ${slot('reader')} and own.episode_id = records.episode_id)`.as('was_seen'),
    )
    .where(sql<boolean>`records.id in (select value from json_each(${slot('ids')}))`),
)

/** `was_seen`: 1 if the reader has watched the work, or logged a viewing of it. */
export const viewingsWithWorks = prepared((read, slot: SlotOf<EntriesQuery>) =>
  read
    .selectFrom('reviews')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select([
      'reviews.id',
      'reviews.body as text',
      'reviews.comments_count',
      'reviews.rating_overall_state as rating',
      'reviews.score',
      'reviews.private',
    ])
    .select(['reviews.work_id', 'works.title', 'works.title_en', 'works.title_ro', 'works.hidden'])
    .select(coverColumns(slot('reader')))
    .select(
      sql<number>`exists (select 1 from statuses
          where user_id = ${slot('reader')} and statuses.work_id = reviews.work_id and kind = 'watched')
        or exists (select 1 from reviews as own
          where own.user_id = ${slot('reader')} and own.work_id = reviews.work_id
            and own.watched_at is not null)`.as('was_seen'),
    )
    .where(sql<boolean>`reviews.id in (select value from json_each(${slot('ids')}))`),
)
