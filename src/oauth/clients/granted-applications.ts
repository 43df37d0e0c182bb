import type { TokenScope } from '../../accounts/token'
import type { Read } from '../../db/open'
import { parseScope } from '../scope'

/** Times are epoch milliseconds. */
export interface GrantedApplication {
  readonly id: number
  readonly name: string
  readonly owner: string
  /** The union of the scopes of its tokens. */
  readonly scope: TokenScope
  readonly since: number
  readonly lastUsedAt: number | null
}

/** By the time of the first consent (AP-06). */
export async function listGrantedApplications(
  read: Read,
  userId: number,
  at: number,
): Promise<readonly GrantedApplication[]> {
  const rows = await read
    .selectFrom('tokens')
    .innerJoin('applications', 'applications.id', 'application_id')
    .innerJoin('users', 'users.id', 'owner_id')
    .select(['applications.id', 'applications.name', 'username'])
    .select(({ fn }) => [
      fn.agg<string>('group_concat', ['tokens.scope']).as('scopes'),
      fn.min('tokens.created_at').as('since'),
      fn.max('tokens.last_used_at').as('last_used_at'),
    ])
    .where('tokens.user_id', '=', userId) // uses tokens_user
    .where((is) => is.or([is('tokens.expires_at', 'is', null), is('tokens.expires_at', '>', at)]))
    .groupBy('applications.id')
    .orderBy('since')
    .execute()
  return rows.map(({ id, name, username, scopes, since, last_used_at }) => ({
    id,
    name,
    owner: username,
    scope: parseScope(scopes.replaceAll(',', ' ')) ?? 'read',
    since,
    lastUsedAt: last_used_at,
  }))
}
