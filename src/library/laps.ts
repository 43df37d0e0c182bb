import { type RawBuilder, sql } from 'kysely'

/** SQL of the lap of a work that a user is in: 1 is the first (D63). Uses the index of laps' unique columns. */
export const currentLap = (user: RawBuilder<unknown>, work: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`ifnull((
    select max(number) from laps where laps.user_id = ${user} and laps.work_id = ${work}), 1)`
