import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Markup } from '../../pages/html'
import { toast } from '../../pages/toast'
import {
  blockPerson,
  followPerson,
  mutePerson,
  unblockPerson,
  unfollowPerson,
  unmutePerson,
} from '../../social/connection-acts'
import { anyText } from '../../values/text'
import type { Flash } from '../../web/flash'
import type { PageRoute } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { defineAct } from '../acts/act-route'

const username = anyText

const acts = {
  follow: followPerson,
  unfollow: unfollowPerson,
  mute: mutePerson,
  unmute: unmutePerson,
  block: blockPerson,
  unblock: unblockPerson,
}

/** `username`: the other user. Doing it to one's own account is not found (D52). */
export const connectionRoutes: readonly PageRoute[] = Object.entries(acts).map(([name, act]) =>
  defineAct({
    path: `/${name}`,
    values: { username },
    run: async (visit, sent) => act(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
)

async function otherId({ deps, session }: MemberVisit, sent: { readonly username: string }): Promise<number> {
  const [other] = await activeUser(deps.seen, { key: sent.username.toLowerCase() })
  if (other === undefined || other.id === session.userId) throw pageNotFound()
  return other.id
}

const activeUser = preparedSql<{ id: number }, { key: string }>(
  (slot) => sql`
    select id from users where username_key = ${slot('key')} and disabled_at is null
      and not exists (select 1 from deletions where user_id = users.id)`,
)

/** Nobody follows again but the follower. Undefined if they no longer exist. */
export async function removedToast(visit: MemberVisit, { id }: Flash): Promise<Markup | undefined> {
  const [user] = await usernameOf(visit.deps.seen, { id })
  return user && toast(visit, visit.t.people.removed(user.username))
}

const usernameOf = preparedSql<{ username: string }, { id: number }>(
  (slot) => sql`select username from users where id = ${slot('id')}`,
)
