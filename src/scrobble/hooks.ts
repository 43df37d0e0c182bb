import { refuseMore } from '../accounts/token'
import type { Read } from '../db/open'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx, Write } from '../db/write'
import { notFound } from '../http/errors'
import { checkSecret, createSecret, hashSecret, type Random } from '../lib/secret'
import { valid } from '../values/field-problem'
import { lineOfText } from '../values/text'
import type { DeliverySource } from './deliver'
import { deliveriesMs } from './deliveries'
import type { Player } from './report'

/** What its person sets. */
export interface HookOptions {
  readonly name: string
  /** Of the player; '' for any. */
  readonly playerUser: string
  /** Percent. */
  readonly threshold: number
  readonly setStatus: boolean
  readonly dryRun: boolean
  readonly activity: boolean
}

export interface Hook extends HookOptions {
  readonly id: number
  readonly player: Player
  /** Who spoke first; '' for nobody yet. */
  readonly heardUser: string
  /** Epoch milliseconds; null for never. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export const hookDefaults = {
  ...{ playerUser: '', threshold: 80, setStatus: true, dryRun: false, activity: false },
} as const

export const hookName = lineOfText(100, (t) => t.rules.description)

/** Returns the address, only here: the database keeps a hash of its secret. Throws a `FieldProblem`. */
export async function createHook(
  deps: { write: Write; now(): number; random: Random; baseUrl: string },
  userId: number,
  { player, ...options }: HookOptions & { readonly player: Player },
): Promise<{ readonly id: number; readonly url: string }> {
  valid('name', hookName, options.name)
  const secret = createSecret('hk', deps.random)
  const { id } = await deps.write(async (tx) => {
    await dropRevoked(tx, userId, deps.now() - deliveriesMs)
    const own = tx.selectFrom('hooks').select('id').where('user_id', '=', userId)
    refuseMore(await own.execute(), (t) => t.rules.mostHooks)
    return await tx
      .insertInto('hooks')
      .values({
        ...{ user_id: userId, player, secret_hash: hashSecret(secret), created_at: deps.now() },
        ...columnsOf(options),
        name: options.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  return { id, url: `${deps.baseUrl}/hooks/${player}/${secret}` }
}

/** Those whose deliveries are forgotten too. */
async function dropRevoked(tx: Tx, userId: number, before: number): Promise<void> {
  await tx.deleteFrom('hooks').where('user_id', '=', userId).where('revoked_at', '<', before).execute()
}

const columnsOf = (options: Partial<HookOptions>) => ({
  name: options.name,
  player_user: options.playerUser,
  threshold: options.threshold,
  set_status: flagOf(options.setStatus),
  dry_run: flagOf(options.dryRun),
  activity: flagOf(options.activity),
})

const flagOf = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))

/** Throws not_found, also for somebody else's, and a `FieldProblem`. */
export async function changeHook(
  { write }: { write: Write },
  userId: number,
  id: number,
  options: Partial<HookOptions>,
): Promise<void> {
  if (options.name !== undefined) valid('name', hookName, options.name)
  const changed = await write((tx) =>
    tx
      .updateTable('hooks')
      .set({ ...columnsOf(options), user_id: userId })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute(),
  )
  if (changed.length === 0) throw notFound('The hook')
}

/** It stays in the list as revoked, for its deliveries; its address is gone for good. */
export async function revokeHook(
  { write, now }: { write: Write; now(): number },
  userId: number,
  id: number,
): Promise<void> {
  const revoked = await write((tx) =>
    tx
      .updateTable('hooks')
      .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(now())) }))
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute(),
  )
  if (revoked.length === 0) throw notFound('The hook')
}

/** Oldest first. */
export async function listHooks(read: Read, userId: number): Promise<readonly Hook[]> {
  const rows = await read
    .selectFrom('hooks') // uses hooks_user
    .select(['id', 'player', 'name', 'player_user', 'heard_user', 'threshold', 'set_status', 'dry_run'])
    .select(['activity', 'created_at', 'last_used_at', 'revoked_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, player: row.player as Player, name: row.name, playerUser: row.player_user },
    ...{ heardUser: row.heard_user, threshold: row.threshold, setStatus: row.set_status === 1 },
    ...{ dryRun: row.dry_run === 1, activity: row.activity === 1, createdAt: row.created_at },
    ...{ lastUsedAt: row.last_used_at, revokedAt: row.revoked_at },
  }))
}

/** Throws not_found, also for somebody else's. */
export async function findHook(read: Read, userId: number, id: number): Promise<Hook> {
  const found = (await listHooks(read, userId)).find((hook) => hook.id === id)
  if (found === undefined) throw notFound('The hook')
  return found
}

export interface CalledHook {
  readonly source: DeliverySource & { readonly hookId: number }
  readonly player: Player
  readonly isNamed: boolean
  readonly lastUsedAt: number | null
}

/** The hook of an address; undefined for a wrong or revoked one, or a disabled user. */
export async function hookCalled(read: Read, secret: string): Promise<CalledHook | undefined> {
  if (!checkSecret('hk', secret)) return undefined
  const [row] = await hookRow(read, { hash: hashSecret(secret) })
  if (row === undefined) return undefined
  return {
    player: row.player as Player,
    isNamed: row.heard_user !== '',
    lastUsedAt: row.last_used_at,
    source: sourceOf(row.user_id, row),
  }
}

type SourceRow = Pick<
  Awaited<ReturnType<typeof hookRow>>[number],
  'id' | 'player_user' | 'threshold' | 'set_status' | 'dry_run' | 'activity'
>

const sourceOf = (userId: number, row: SourceRow) => ({
  ...{ userId, hookId: row.id, playerUser: row.player_user, threshold: row.threshold },
  ...{ setsStatus: row.set_status === 1, isDry: row.dry_run === 1, isTold: row.activity === 1 },
})

/** Of a token, which has no options. */
export const tokenSource = (userId: number): DeliverySource => ({
  ...{ userId, hookId: null, playerUser: '', threshold: hookDefaults.threshold },
  ...{ setsStatus: true, isDry: false, isTold: false },
})

/** As `tokenSource`, of a hook. */
export const sourceOfHook = (userId: number, hook: Hook): DeliverySource => ({
  ...{ userId, hookId: hook.id, playerUser: hook.playerUser, threshold: hook.threshold },
  ...{ setsStatus: hook.setStatus, isDry: hook.dryRun, isTold: hook.activity },
})

const hookRow = prepared((read, slot: SlotOf<{ hash: Uint8Array }>) =>
  read
    .selectFrom('hooks')
    .select(['id', 'user_id', 'player', 'player_user', 'heard_user', 'threshold'])
    .select(['set_status', 'dry_run', 'activity', 'last_used_at'])
    .where('secret_hash', '=', slot('hash'))
    .where('revoked_at', 'is', null)
    .where((eb) =>
      eb(eb.selectFrom('users').select('disabled_at').whereRef('users.id', '=', 'hooks.user_id'), 'is', null),
    ),
)

/** Notes the use, at most once a minute, and who spoke first. */
export async function noteHookUse(
  { write, now }: { write: Write; now(): number },
  { source: { hookId }, lastUsedAt, isNamed }: CalledHook,
  user: string,
): Promise<void> {
  const at = now()
  const isRecent = lastUsedAt !== null && at - lastUsedAt < 60_000 && at >= lastUsedAt
  if (isRecent && (isNamed || user === '')) return
  await write((tx) =>
    tx
      .updateTable('hooks')
      .set({ last_used_at: at, ...(isNamed ? {} : { heard_user: user }) })
      .where('id', '=', hookId)
      .execute(),
  )
}
