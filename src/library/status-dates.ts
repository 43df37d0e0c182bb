import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { nullable } from '../api/paging'

const precisionLength = sql`case known when 'year' then 4 when 'month' then 7 else 10 end`

const date = (description: string) =>
  nullable(Type.String({ description: `Extension: ${description}`, examples: ['2016-03'] }))

export const datesSchema = {
  started_on: date(
    'when the caller began to watch it, as precisely as known; by default, the date of the first record',
  ),
  finished_on: date(
    'when the caller finished it; by default, the date of the last record once the status is watched',
  ),
}

/** SQL of the user's status of a row of `works` as JSON (D71), for lists of works. */
export const statusObject = (user: RawBuilder<unknown>) => sql<string | null>`(
  select json_object('kind', kind, 'started_on', ${startedOn}, 'finished_on', ${finishedOn},
    'private', json(iif(private, 'true', 'false')), 'score', (
      select score from reviews
      where reviews.user_id = ${user} and reviews.work_id = works.id
        and (rating_overall_state is not null or score is not null)
      order by id desc limit 1))
  from statuses where statuses.user_id = ${user} and statuses.work_id = works.id)`

/** When a row of `statuses` joined to `works` started: the date given, else that of the first record. */
export const startedOn = sql<string | null>`ifnull(started_on, ${dayTold('asc', sql.ref('finished_on'))})`

/** Only a watched work was finished with its last record. */
export const finishedOn = sql<
  string | null
>`ifnull(finished_on, iif(kind = 'watched', ${dayTold('desc', sql.ref('started_on'))}, null))`

/**
 * Where only the other end is given, a record of that day is what told it, or was made of it by an import: this end stays
 * unknown then, as it does if they contradict each other.
 */
function dayTold(order: 'asc' | 'desc', given: RawBuilder<unknown>) {
  const isInOrder = sql.raw(order === 'asc' ? '<=' : '>=')
  return sql<string | null>`(
  select day from (select ${watchedOn(order)} as day)
  where ${given} is null or (day <> ${given} and substr(day, 1, length(${given})) ${isInOrder} ${given}))`
}

/**
 * Of any lap, as a partial date in UTC; ties always resolve alike. Uses records_user_work, which has a work's first and
 * last record at its ends, and reviews_user_work for films.
 */
function watchedOn(order: 'asc' | 'desc') {
  const first = sql`order by at ${sql.raw(order)}, known limit 1`
  return sql<string | null>`(
  select substr(strftime('%Y-%m-%d', at / 1000.0, 'unixepoch'), 1, ${precisionLength}) from (
    select at, known from (
      select r.watched_at as at, r.watched_at_precision as known from records as r
      where r.user_id = statuses.user_id and r.work_id = statuses.work_id and r.watched_at_precision <> 'none'
      ${first})
    union all
    select v.watched_at, v.watched_at_precision from reviews as v
    where works.episodes_count = 0 and v.user_id = statuses.user_id and v.work_id = statuses.work_id
      and v.watched_at is not null and v.watched_at_precision <> 'none')
  ${first})`
}
