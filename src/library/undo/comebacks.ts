import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'

/** Of one person. */
export const mostFavoriteWorks = 10

/** Of one person, with the requests of theirs that wait. */
export const mostFollows = 2000

/** Open requests of one profile. */
export const mostOpenRequests = 200

/** Of one person. */
export const mostBlocks = 1000

/** How long the undo of a block restores what it ended, in milliseconds. */
const endedMs = 600_000

/** A deleted row that the undo of an act would bring back, as SQL. */
export interface GoneRow {
  readonly cell: (column: string) => RawBuilder<unknown>
  /** The act whose undo it is; null for an import's. */
  readonly act: RawBuilder<number | null>
}

/** As SQL: there is room for it. */
export const favoriteComesBack = ({ cell }: GoneRow): RawBuilder<unknown> =>
  sql`(select count(work_id) from favorites where user_id = ${cell('user_id')}) < ${sql.lit(mostFavoriteWorks)}`

/**
 * As SQL: neither has blocked the other since, they do not follow meanwhile, and a profile that is private has consented: its
 * person accepted the follow that was ended, or a block of the last minutes ended it (D76, D78).
 */
export const followComesBack = (gone: GoneRow): RawBuilder<unknown> => sql`
  ${areTogether(gone)}
  and (${wasEndedNow(gone)} or (
    not ${wasEndedByBlock(gone)} and ((select privacy from users where id = ${gone.cell('followed_id')}) <> 'private'
      or (select count from acts where id = ${gone.act}) = 1)))
  and (select count(*) from follows where follower_id = ${gone.cell('follower_id')}) < ${sql.lit(mostFollows)}`

/** The same for a request, which only a private profile has; a decline is kept. */
export const requestComesBack = (gone: GoneRow): RawBuilder<unknown> => sql`
  ${areTogether(gone)}
  and (${wasEndedNow(gone)} or (
    not ${wasEndedByBlock(gone)} and (select privacy from users where id = ${gone.cell('followed_id')}) = 'private'))
  and (${gone.cell('declined_at')} is not null or (
    (select count(*) from follow_requests where followed_id = ${gone.cell('followed_id')} and declined_at is null)
    < ${sql.lit(mostOpenRequests)}))`

export const blockComesBack = ({ cell }: GoneRow): RawBuilder<unknown> =>
  sql`(select count(*) from blocks where user_id = ${cell('user_id')}) < ${sql.lit(mostBlocks)}`

const wasEndedByBlock = ({ act }: GoneRow) =>
  sql`exists (select 1 from acts where id = ${act} and kind = 'block')`

const wasEndedNow = ({ act }: GoneRow) =>
  sql`exists (select 1 from acts where id = ${act} and kind = 'block' and undone_at - created_at <= ${sql.lit(endedMs)})`

const areTogether = ({ cell }: GoneRow) => {
  const [follower, followed] = [cell('follower_id'), cell('followed_id')]
  return sql`not exists (
      select 1 from blocks where user_id = ${follower} and blocked_id = ${followed}
      union all select 1 from blocks where user_id = ${followed} and blocked_id = ${follower})
    and not exists (select 1 from follows where follower_id = ${follower} and followed_id = ${followed})
    and not exists (select 1 from follow_requests where follower_id = ${follower} and followed_id = ${followed})`
}

/** Follows of the two, and requests to follow. */
export async function endBetween(tx: Tx, user: number, other: number): Promise<void> {
  for (const table of ['follows', 'follow_requests'] as const)
    await sql`delete from ${sql.table(table)} where ${isBetween(user, other)}`.execute(tx)
}

export const isBetween = (user: number, other: number): RawBuilder<unknown> =>
  sql`((follower_id = ${user} and followed_id = ${other}) or (follower_id = ${other} and followed_id = ${user}))`

/** A request was accepted since, or the profile was opened: the follow that came of it ends with the undo of asking. */
export const endWhatCameOf = async (tx: Tx, user: number, act: number | null): Promise<void> => {
  await sql`delete from follows where follower_id = ${user}
    and followed_id = (select other_id from acts where id = ${act})`.execute(tx)
}

/** A decline holds, and nobody is told of it (D76). */
export const withdrawDeclined = preparedSql<never, { id: number }>(
  (slot) => sql`update follow_requests set withdrawn_at = declined_at where id = ${slot('id')}`,
)
