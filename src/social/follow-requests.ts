import { sql } from 'kysely'
import { user } from '../accounts/users'
import { defineCommand } from '../api/command'
import type { Endpoint } from '../api/endpoint'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { wordParam } from '../api/param-kinds'
import { required } from '../api/params'
import { byId } from '../catalogue/filters'
import type { Tx } from '../db/write'
import { invalidParams, notFound } from '../http/errors'
import { mostFollows, mostOpenRequests } from '../library/undo/comebacks'
import { tellOf } from './notify'
import { otherParam, otherUser, type UserPair } from './user-lookup'

/** A decline holds so long: until then nothing comes of asking again, and nobody is told. */
export const declinedMs = 30 * 86_400_000

/** Whether following takes the other's consent: their profile is private, and `user` does not follow them yet (D76). */
export async function mustAsk(tx: Tx, { user, other }: Pick<UserPair, 'user' | 'other'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${other} and privacy = 'private'
      and not exists (select 1 from follows where follower_id = ${user} and followed_id = ${other})`.execute(
    tx,
  )
  return rows.length > 0
}

/** After one more was written. Throws invalid_params. */
export async function mustFollowFew(tx: Tx, user: number): Promise<void> {
  const { rows } = await sql`
    select 1 from follows where follower_id = ${user}
    union all select 1 from follow_requests where follower_id = ${user} and declined_at is null
    limit ${mostFollows + 1}`.execute(tx)
  if (rows.length > mostFollows)
    throw invalidParams(
      `username must be of one of at most ${mostFollows} users whom the caller follows or asks to.`,
    )
}

/**
 * The id of a request that nobody has answered; undefined if there was one. Throws invalid_params if too many wait for this
 * profile's answer, or if the user follows too many.
 */
export async function ask(tx: Tx, { user, other, now }: UserPair): Promise<number | undefined> {
  await sql`delete from follow_requests where follower_id = ${user} and followed_id = ${other}
    and declined_at < ${now - declinedMs}`.execute(tx)
  const { rows: made } = await sql<{ id: number; declined_at: number | null }>`
    insert into follow_requests (follower_id, followed_id, created_at) values (${user}, ${other}, ${now})
    on conflict (follower_id, followed_id) do update set withdrawn_at = null where withdrawn_at is not null
    returning id, declined_at`.execute(tx)
  const [request] = made
  if (request === undefined || request.declined_at !== null) return undefined
  await mustFollowFew(tx, user)
  const { rows } = await sql`
    select 1 from follow_requests where followed_id = ${other} and declined_at is null
    limit ${mostOpenRequests + 1}`.execute(tx)
  if (rows.length > mostOpenRequests)
    throw invalidParams(
      `username must be of a profile that fewer than ${mostOpenRequests} people are asking to follow.`,
    )
  await tellOf.follow_request(tx, { to: other, by: user, about: request.id, at: now })
  return request.id
}

const asking = (viewer: unknown) =>
  sql`(select follower_id as rowid from follow_requests where followed_id = ${viewer} and declined_at is null)`

/** An extension (D76). */
const followRequests = defineList({
  path: '/v1/me/follow_requests',
  tag: 'Users',
  summary: 'Extension: users who ask to follow the caller, whose profile is private',
  key: 'users',
  item: defineItem('users', user),
  rows: { rowids: asking },
  filters: {},
  sorts: { sort_id: byId },
})

const decideRequest = defineCommand({
  method: 'POST',
  path: '/v1/me/follow_requests',
  tag: 'Users',
  summary: 'Extension: lets a user who asked follow the caller, or not',
  description: 'Nobody is told of a decline; it holds for 30 days.',
  params: {
    ...otherParam,
    decision: required(wordParam(['accept', 'decline'], 'What becomes of it')),
  },
  errors: ['not_found'],
  run: async ({ username, decision }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const other = await otherUser(tx, username, viewer.userId, 'follow')
      const pair = { user: viewer.userId, other, now: deps.now() }
      if (!(await decisions[decision](tx, pair))) throw notFound('The request')
    })
    return null
  },
})

async function accept(tx: Tx, { user, other, now }: UserPair): Promise<boolean> {
  const answered = await tx
    .deleteFrom('follow_requests')
    .where('follower_id', '=', other)
    .where('followed_id', '=', user)
    .where('declined_at', 'is', null)
    .returning('id')
    .execute()
  if (answered.length === 0) return false
  const [made] = await tx
    .insertInto('follows')
    .values({ follower_id: other, followed_id: user, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (made !== undefined) await tellOf.follow_accepted(tx, { to: other, by: user, about: made.id, at: now })
  return true
}

async function decline(tx: Tx, { user, other, now }: UserPair): Promise<boolean> {
  const answered = await tx
    .updateTable('follow_requests')
    .set({ declined_at: now })
    .where('follower_id', '=', other)
    .where('followed_id', '=', user)
    .where('declined_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of answered) await tx.deleteFrom('notifications').where('request_id', '=', id).execute()
  return answered.length > 0
}

/** Each returns whether there was an open request. */
export const decisions = { accept, decline }

/** `other` follows `user` no longer, if they did. */
export async function endFollower(tx: Tx, { user, other }: Pick<UserPair, 'user' | 'other'>): Promise<void> {
  await tx.deleteFrom('follows').where('follower_id', '=', other).where('followed_id', '=', user).execute()
}

const removeFollower = defineCommand({
  method: 'DELETE',
  path: '/v1/me/followers',
  tag: 'Users',
  summary: 'Extension: ends that a user follows the caller',
  params: otherParam,
  errors: ['not_found'],
  run: async ({ username }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const other = await otherUser(tx, username, viewer.userId, 'follow')
      await endFollower(tx, { user: viewer.userId, other })
    })
    return null
  },
})

export const followRequestEndpoints: readonly Endpoint[] = [followRequests, decideRequest, removeFollower]
