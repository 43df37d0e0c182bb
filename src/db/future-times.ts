import { sql } from 'kysely'
import type { Read } from './open'
import type { Tx } from './write'

/**
 * After the clock was set back, makes rows from the future count as made or used at `at` (epoch
 * milliseconds), with the same lifetime. What users wrote keeps its times.
 */
export async function clampFutureTimes(tx: Tx, at: number): Promise<void> {
  // Must come first, while `created_at` still says when the former secret was replaced.
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
  // Codes of the next minutes stay used up: the clock may have been set back by mere seconds.
  const step = stepAt(at)
  await sql`update second_factors set last_step = ${step} where last_step > ${step + 10}`.execute(tx)
}

/** Whether there is anything for `clampFutureTimes` to change. */
export async function hasFutureTimes(read: Read, at: number): Promise<boolean> {
  const columns = [...expiringTables.map((table) => [table, 'created_at'] as const), ...timestampColumns]
  const conditions = [
    ...columns.map(
      ([table, column]) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} > ${at})`,
    ),
    sql`exists (select 1 from second_factors where last_step > ${stepAt(at) + 10})`,
  ]
  const found = sql<number>`${sql.join(conditions, sql` or `)}`.as('found')
  return (await read.selectNoFrom(found).executeTakeFirst())?.found === 1
}

const stepAt = (at: number) => Math.floor(at / stepLength)

/** Milliseconds (RFC 6238). */
const stepLength = 30_000

/** Tables with a lifetime from `created_at` to `expires_at`; null for no end. */
export const expiringTables = [
  'one_time_links',
  'invitations',
  'tokens',
  'consent_requests',
  'authorization_codes',
  'device_grants',
] as const

export const timestampColumns = [
  ['follow_requests', 'declined_at'],
  ['sessions', 'created_at'],
  ['waiting_tables', 'created_at'],
  ['sessions', 'last_used_at'],
  ['sessions', 'confirmed_at'],
  ['devices', 'last_used_at'],
  ['provider_attempts', 'created_at'],
  ['spent_challenges', 'spent_at'],
  ['throttles', 'last_failed_at'],
  ['tokens', 'last_used_at'],
  ['feeds', 'last_used_at'],
  ['device_grants', 'last_polled_at'],
  ['client_secrets', 'created_at'],
  ['acts', 'created_at'],
  ['form_receipts', 'created_at'],
  ['cover_fetches', 'asked_at'],
  ['list_imports', 'changed_at'],
  ['former_images', 'replaced_at'],
  ['fetched_documents', 'fetched_at'],
  ['catalogue_runs', 'started_at'],
] as const
