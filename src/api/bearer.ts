import { sql } from 'kysely'
import type { TableCache } from '../cache/cache'
import type { Read } from '../db/open'
import { prepared, type SlotOf } from '../db/prepared'
import { storageFault } from '../db/storage-fault'
import type { Write } from '../db/write'
import type { Deps } from '../deps'
import { ApiError } from '../http/errors'
import { logStorageFault } from '../http/log-storage'
import { NotText, type RawValues, readQuery } from '../http/request-values'
import { checkSecret, hashSecret } from '../lib/secret'
import { isBlank } from '../lib/white-space'

export type Scope = 'read' | 'write'

export interface Viewer {
  readonly userId: number
  readonly tokenId: number
  /** Null for a personal access token. */
  readonly applicationId: number | null
  readonly scopes: readonly string[]
  /** Epoch milliseconds; null for never. */
  readonly expiresAt: number | null
  /** Epoch milliseconds, to within a minute. */
  readonly lastUsedAt: number | null
  /** Whether they have blocked somebody, or somebody them: they do not see the other side's rows (D78). */
  readonly hasBlock: boolean
}

/** Undefined without a token. Throws for two tokens (D30), and for one in the query if that is disabled (ASVS 14.2.1). */
export function bearerToken(
  request: Request,
  sent: RawValues,
  { queryTokens }: { readonly queryTokens: boolean },
): string | undefined {
  if (!queryTokens && readQuery(request, { repeats: true }).has('access_token')) {
    throw ambiguous('access_token must not be sent in the query of this instance; use Authorization: Bearer.')
  }
  const header = request.headers.get('authorization')
  const parameter = sent.get('access_token')
  const byHeader = header === null ? undefined : bearerOf(header)
  if (parameter instanceof NotText) throw ambiguous('access_token must be sent once, as text.')
  const byParameter = parameter === undefined || isBlank(parameter) ? undefined : parameter
  if (byHeader !== undefined && byParameter !== undefined) {
    throw ambiguous('access_token must not be sent beside an Authorization header.')
  }
  if (byHeader?.includes(',')) throw ambiguous('Authorization must be sent once.')
  return byHeader ?? byParameter
}

/** Undefined for another scheme. Allows several spaces (RFC 9110 §11.4, D70), where RFC 6750 §2.1 has one. */
export const bearerOf = (header: string): string | undefined => /^bearer +([^ ].*)$/i.exec(header)?.[1]

/**
 * Undefined for an unknown or expired token or a disabled user. Kept until a commit touches a token: whatever ends or
 * restores access touches those of its user (`touchTokens`). Also until a block is made or ended.
 */
export async function viewerOf(
  { warmRead, now }: Deps,
  viewers: TableCache<Viewer>,
  token: string,
  at: number,
): Promise<Viewer | undefined> {
  const known = viewers.get(token)
  const viewer = known ?? (await readViewer(warmRead(), token))
  if (viewer === undefined) return undefined
  if (known === undefined) viewers.set(token, { at, tables: ['tokens', 'blocks'] }, viewer)
  return isExpired(viewer, now()) ? undefined : viewer
}

export const isExpired = ({ expiresAt }: Viewer, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

async function readViewer(read: Read, token: string): Promise<Viewer | undefined> {
  if (!checkSecret('pat', token) && !checkSecret('at', token)) return undefined
  const [row] = await tokenRow(read, { hash: hashSecret(token) })
  if (row === undefined) return undefined
  const { id, user_id, application_id, scope, expires_at, last_used_at } = row
  const others = { expiresAt: expires_at, lastUsedAt: last_used_at, hasBlock: row.has_block === 1 }
  return { userId: user_id, tokenId: id, applicationId: application_id, scopes: scope.split(' '), ...others }
}

const tokenRow = prepared((read, slot: SlotOf<{ hash: Uint8Array }>) =>
  read
    .selectFrom('tokens')
    .select(['id', 'user_id', 'application_id', 'scope', 'expires_at', 'last_used_at'])
    .select(
      sql<number>`(exists (select 1 from blocks where blocks.user_id = tokens.user_id)
        or exists (select 1 from blocks where blocked_id = tokens.user_id))`.as('has_block'),
    )
    .where('token_hash', '=', slot('hash'))
    // Not a join: the planner looks up one token and one user, whatever its statistics say.
    .where((eb) =>
      eb(
        eb.selectFrom('users').select('disabled_at').whereRef('users.id', '=', 'tokens.user_id'),
        'is',
        null,
      ),
    ),
)

/** Records the use of a token at most once a minute, without making the request wait. */
export function recordTokenUse({ write, now, log }: Deps, { tokenId, lastUsedAt }: Viewer): void {
  const at = now()
  if (lastUsedAt !== null && at - lastUsedAt < 60_000) return
  const waiting = pendingTouches.get(write) ?? new Set<number>()
  pendingTouches.set(write, waiting)
  if (waiting.has(tokenId)) return
  waiting.add(tokenId)
  write((tx) => tx.updateTable('tokens').set({ last_used_at: at }).where('id', '=', tokenId).execute())
    .catch((cause) => {
      const fault = storageFault(cause)
      if (fault === undefined) log('token_use_not_noted', { token: tokenId, why: String(cause) })
      else logStorageFault(log, fault)
    })
    .finally(() => waiting.delete(tokenId))
}

/** Tokens with a pending write: while the writer is blocked, one write waits per token, not one per request. */
const pendingTouches = new WeakMap<Write, Set<number>>()

/** 401 (D29): without a token, no error code is given (RFC 6750 §3.1). */
export const noToken = () =>
  new ApiError(
    'unauthorized',
    ['An access token is required, as Authorization: Bearer or as access_token.'],
    {
      'WWW-Authenticate': 'Bearer realm="kiroku"',
    },
  )

export const badToken = () =>
  new ApiError('unauthorized', ['The access token is unknown, expired or revoked.'], {
    'WWW-Authenticate': 'Bearer realm="kiroku", error="invalid_token"',
  })

/** Throws 403 (D29). */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (viewer.scopes.includes(scope)) return
  throw new ApiError('forbidden', [`The access token lacks the scope ${scope}.`], {
    'WWW-Authenticate': `Bearer realm="kiroku", error="insufficient_scope", scope="${scope}"`,
  })
}

const ambiguous = (rule: string) =>
  new ApiError('invalid_params', [rule], {
    'WWW-Authenticate': 'Bearer realm="kiroku", error="invalid_request"',
  })
