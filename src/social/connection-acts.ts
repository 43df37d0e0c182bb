import { sql } from 'kysely'
import type { Tx } from '../db/write'
import type { Act, ActDeps } from '../library/acts/act'
import { type OpenAct, writeAct } from '../library/acts/write-act'
import { isBetween } from '../library/undo/comebacks'
import { addBlock, removeBlock } from './blocks'
import { addFollow, addMute, removeFollow, removeMute } from './connections'
import { declinedMs, mustAsk } from './follow-requests'
import type { UserPair } from './user-lookup'

/** What one person does about another; the id is that of the other. Each throws `NothingChanged` if it was so already. */
type ConnectionAct = (deps: ActDeps, userId: number, otherId: number) => Promise<Act>

type ConnectionKind = 'follow' | 'unfollow' | 'mute' | 'unmute' | 'block' | 'unblock'

/** `change` returns the act's `count`. */
const connectionAct =
  (kind: ConnectionKind, change: (act: OpenAct, pair: UserPair) => Promise<number>): ConnectionAct =>
  (deps, userId, otherId) =>
    writeAct(deps, userId, kind, async (act) => {
      const count = await change(act, { user: userId, other: otherId, now: act.now })
      return { workId: 0, otherId, count }
    })

/** Asks a private profile (D76). Throws as `addFollow` does. */
export const followPerson = connectionAct('follow', async ({ tx, log, now }, pair) => {
  const isAsking = await mustAsk(tx, pair)
  const request = isAsking ? await requestOf(tx, pair) : undefined
  const isOver = request?.declined_at != null && request.declined_at < now - declinedMs
  if (request !== undefined && !isOver) {
    await log.changed('follow_requests', 0, request.id, () => addFollow(tx, pair))
    return 1
  }
  if (request !== undefined) await log.deleting('follow_requests', 0, request.id)
  const made = await addFollow(tx, pair)
  if (made !== undefined) await log.inserted(made.table, 0, made.id)
  return isAsking ? 1 : 0
})

/** Also withdraws what was asked. One that was declined stays, and looks withdrawn. */
export const unfollowPerson = connectionAct('unfollow', async ({ tx, log }, pair) => {
  const request = await requestOf(tx, pair)
  const ending = () => removeFollow(tx, pair)
  for (const { id } of await followsOf(tx, pair)) await log.deleting('follows', 0, id)
  if (request === undefined) await ending()
  else if (request.declined_at !== null) await log.changed('follow_requests', 0, request.id, ending)
  else {
    await log.deleting('follow_requests', 0, request.id)
    await ending()
  }
  const { rows } = await sql`select 1 from users where id = ${pair.other} and privacy = 'private'`.execute(tx)
  return rows.length
})

const muting = (kind: 'mute' | 'unmute', change: typeof addMute) =>
  connectionAct(kind, async ({ tx, log }, pair) => {
    await log.changed('mutes', 0, pair.other, () => change(tx, pair))
    return 0
  })

export const mutePerson = muting('mute', addMute)

export const unmutePerson = muting('unmute', removeMute)

/** Throws as `addBlock` does. */
export const blockPerson = connectionAct('block', async ({ tx, log, aside }, pair) => {
  for (const table of ['follows', 'follow_requests'] as const)
    for (const { id } of await rowsBetween(tx, table, pair)) await aside.deleting(table, 0, id)
  await log.changed('blocks', 0, pair.other, () => addBlock(tx, pair))
  return 0
})

export const unblockPerson = connectionAct('unblock', async ({ tx, log }, pair) => {
  await log.changed('blocks', 0, pair.other, () => removeBlock(tx, pair))
  return 0
})

async function requestOf(tx: Tx, { user, other }: UserPair) {
  return await tx
    .selectFrom('follow_requests')
    .select(['id', 'declined_at'])
    .where('follower_id', '=', user)
    .where('followed_id', '=', other)
    .executeTakeFirst()
}

const followsOf = async (tx: Tx, { user, other }: UserPair) =>
  await tx
    .selectFrom('follows')
    .select('id')
    .where('follower_id', '=', user)
    .where('followed_id', '=', other)
    .execute()

async function rowsBetween(tx: Tx, table: 'follows' | 'follow_requests', { user, other }: UserPair) {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${isBetween(user, other)} order by id`.execute(tx)
  return rows
}
