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

/** `username`: the other user. Doing it to one's own account is not found (D52). */
export const connectionRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/follow',
    values: { username },
    run: async (visit, sent) => followPerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
  defineAct({
    path: '/unfollow',
    values: { username },
    run: async (visit, sent) => unfollowPerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
  defineAct({
    path: '/mute',
    values: { username },
    run: async (visit, sent) => mutePerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
  defineAct({
    path: '/unmute',
    values: { username },
    run: async (visit, sent) => unmutePerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
  defineAct({
    path: '/block',
    values: { username },
    run: async (visit, sent) => blockPerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
  defineAct({
    path: '/unblock',
    values: { username },
    run: async (visit, sent) => unblockPerson(visit.deps, visit.session.userId, await otherId(visit, sent)),
  }),
]

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
