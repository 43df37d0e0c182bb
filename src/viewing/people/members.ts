import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql, type SlotOf } from '../../db/prepared'
import type { PicturedUser } from '../../pages/avatar'
import type { Followable } from '../parts/follow'

/** A condition on `users`: somebody whom this viewer meets on pages of several people (D78). */
const isThere = (viewer: RawBuilder<unknown>) => sql`disabled_at is null
  and not exists (select 1 from deletions where deletions.user_id = users.id)
  and not exists (select 1 from mutes where mutes.user_id = ${viewer} and muted_id = users.id)
  and not exists (select 1 from blocks where blocks.user_id = ${viewer} and blocked_id = users.id)
  and not exists (select 1 from blocks where blocks.user_id = users.id and blocked_id = ${viewer})`

/** In the directory (D75). */
export const isListed = (viewer: RawBuilder<unknown>) => sql`listed = 1 and privacy <> 'private'
  and not exists (select 1 from privacy_moves where privacy_moves.user_id = users.id) and ${isThere(viewer)}`

/** A person as rows show them. */
export interface ShownMember extends PicturedUser, Followable {
  readonly id: number
  readonly name: string
  /** Works that both watched, or began to. */
  readonly common: number
  /** The newest thing that they did and the viewer may see; null if there is none. */
  readonly last: number | null
}

interface MembersAsked {
  readonly ids: readonly number[]
  readonly viewer: number
}

/** In the order of `ids`; only those who are still in the directory. */
export const membersWith = (crowd: Read, asked: MembersAsked) => inOrder(listedMembers, crowd, asked)

/** The same of people who need not be in it, such as followers. */
export const peopleWith = (crowd: Read, asked: MembersAsked) => inOrder(anyPeople, crowd, asked)

type ShownQuery = { ids: string; viewer: number }

async function inOrder(
  query: typeof listedMembers,
  crowd: Read,
  { ids, viewer }: MembersAsked,
): Promise<readonly ShownMember[]> {
  const rows = await query(crowd, { ids: JSON.stringify(ids), viewer })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const shownPeople = (slot: SlotOf<ShownQuery>, which: RawBuilder<unknown>) => sql<ShownMember>`
  select users.id, username, avatar_url, iif(name = '', username, name) as name, privacy,
    exists (select 1 from follows where follower_id = ${slot('viewer')} and followed_id = users.id) as follows,
    exists (
      select 1 from follow_requests where follower_id = ${slot('viewer')} and followed_id = users.id
        and withdrawn_at is null) as asks,
    ${inCommon(slot('viewer'), sql`users.id`)} as common,
    (select max(activities.id) from activities where activities.user_id = users.id and withheld < 2) as last
  from users where users.id in (select value from json_each(${slot('ids')})) and ${which}`

const listedMembers = preparedSql<ShownMember, ShownQuery>((slot) =>
  shownPeople(slot, isListed(slot('viewer'))),
)

const anyPeople = preparedSql<ShownMember, ShownQuery>((slot) => shownPeople(slot, isThere(slot('viewer'))))

/** How many works both have watched or begun. Uses the key of statuses. */
export function inCommon(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    select count(*) from statuses as other cross join statuses as own
      on own.user_id = ${one} and own.work_id = other.work_id and own.kind <> 'wanna_watch'
    where other.user_id = ${other} and other.kind <> 'wanna_watch')`
}

/** A follow, and the one at its other end. */
interface FollowKey {
  readonly id: number
  readonly person: number
}

type FollowsQuery = { user: number; before: number; limit: number }

/** Newest first, those that the viewer may see (D76). Uses follows_followed and follows_follower. */
export const followsOf = {
  followers: preparedSql<FollowKey, FollowsQuery>(
    (slot) => sql`
    select id, follower_id as person from follows
    where followed_id = ${slot('user')} and id < ${slot('before')} order by id desc limit ${slot('limit')}`,
  ),
  following: preparedSql<FollowKey, FollowsQuery>(
    (slot) => sql`
    select id, followed_id as person from follows
    where follower_id = ${slot('user')} and id < ${slot('before')} order by id desc limit ${slot('limit')}`,
  ),
}
