import { sql } from 'kysely'
import type { Tx } from './write'

/**
 * Brings back times that lie in the future, which the clock was set back from: what was made or used then counts as
 * made or used at `at` (epoch milliseconds), and ends as long after that as it would have. So nobody waits longer, and
 * nothing lasts longer, than it was meant to. For sessions, links, codes, tokens and throttles; what people wrote keeps
 * the times they see.
 */
export async function clampFutureTimes(tx: Tx, at: number): Promise<void> {
  // Before `created_at` of the secret that took the place of the former one is clamped: it tells when that was.
  await sql`update client_secrets set expires_at = expires_at - (made.newest - ${at})
    from (select application_id, max(created_at) as newest from client_secrets group by application_id) as made
    where made.application_id = client_secrets.application_id and made.newest > ${at}`.execute(tx)
  for (const table of expiringTables) {
    const columns = sql`expires_at = expires_at - (created_at - ${at}), created_at = ${at}`
    await sql`update ${sql.table(table)} set ${columns} where created_at > ${at}`.execute(tx)
  }
  for (const [table, column] of timestampColumns) {
    const name = sql.ref(column)
    await sql`update ${sql.table(table)} set ${name} = ${at} where ${name} > ${at}`.execute(tx)
  }
  // Codes of the next minutes stay used up, since the clock may have been set back by a few seconds only.
  const step = Math.floor(at / stepLength)
  await sql`update second_factors set last_step = ${step} where last_step > ${step + 10}`.execute(tx)
}

/** A time step of two-step codes in milliseconds (RFC 6238). */
const stepLength = 30_000

/** Tables whose rows end at `expires_at`, a certain time after `created_at`; null for never. */
export const expiringTables = [
  'one_time_links',
  'invitations',
  'tokens',
  'consent_requests',
  'authorization_codes',
  'device_grants',
] as const

/** Columns from which a time is counted. */
export const timestampColumns = [
  ['sessions', 'created_at'],
  ['sessions', 'last_used_at'],
  ['sessions', 'confirmed_at'],
  ['devices', 'last_used_at'],
  ['throttles', 'last_failed_at'],
  ['tokens', 'last_used_at'],
  ['device_grants', 'last_polled_at'],
  ['client_secrets', 'created_at'],
] as const
