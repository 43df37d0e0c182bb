import { statSync } from 'node:fs'
import { lastBackup } from '../../backup/last-backup'
import { importedAt } from '../../catalogue/import/file/pending-import'
import { databasePath } from '../../db/open'
import type { GroupWatch } from '../../db/watching'
import type { Deps } from '../../deps'
import { bodiesInFlight } from '../../http/bodies-in-flight'
import { type Metrics, only } from '../../metrics/metrics'
import { version } from '../../version'
import type { Listener } from './listener'

/** Registers figures that are read at each scrape. */
export function measureServer({ read }: Metrics, deps: Deps, listener: Listener): void {
  const { storage, mail, config } = deps
  read('kiroku_build_info', () => [{ labels: { version, runtime: `Bun ${Bun.version}` }, value: 1 }])
  read('kiroku_http_requests_in_flight', () => only(listener.pendingRequests()))
  read('kiroku_http_bodies_in_flight_bytes', () =>
    Object.entries(bodiesInFlight()).map(([sender, value]) => ({ labels: { sender }, value })),
  )
  read('kiroku_write_queue_length', () => only(storage.queueLength()))
  read('kiroku_wal_bytes', () => only(storage.room().walBytes))
  read('kiroku_disk_free_bytes', () => only(storage.room().freeBytes))
  read('kiroku_database_bytes', () => only(statSync(databasePath(config.data)).size))
  if (mail !== undefined)
    read('kiroku_letters_queued', () =>
      Object.entries(mail.waiting()).map(([queue, value]) => ({ labels: { queue }, value })),
    )
  measureBackups(read, deps)
  measureTables(read, deps)
  measureSources(read, deps)
}

/** No figure is reported if there is no backup. */
function measureBackups(read: Metrics['read'], { config, now }: Pick<Deps, 'config' | 'now'>): void {
  const last = () => lastBackup(config.data, now())
  const known = (value: number | undefined) => (value === undefined ? [] : only(value))
  const time = (milliseconds: number | undefined) => known(milliseconds && milliseconds / 1000)
  read('kiroku_backup_last_timestamp_seconds', () => time(last().madeAt))
  read('kiroku_backup_last_verified_timestamp_seconds', () => time(last().verifiedAt))
  read('kiroku_backup_last_bytes', () => known(last().bytes))
}

/** Counting 10,000 rows takes about 0.1 ms. */
function measureTables(read: Metrics['read'], deps: Pick<Deps, 'readBare'>): void {
  const count = (table: 'users' | 'sessions' | 'tokens' | 'works') =>
    deps.readBare.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'))
  const first = (rows: readonly { n: number }[]) => only(rows[0]?.n ?? 0)
  read('kiroku_users', async () => first(await count('users').execute()))
  read('kiroku_sessions', async () => first(await count('sessions').execute()))
  read('kiroku_access_tokens', async () => first(await count('tokens').execute()))
  read('kiroku_catalogue_works', async () => first(await count('works').where('hidden', '=', 0).execute()))
  read('kiroku_catalogue_imported_timestamp_seconds', async () => {
    const rows = await deps.readBare
      .selectFrom('instance')
      .select('value')
      .where('name', '=', importedAt)
      .execute()
    return rows.flatMap(({ value }) => only(Number(value) / 1000))
  })
}

/** Uses catalogue_runs_source; about ten rows per source. */
function measureSources(read: Metrics['read'], deps: Pick<Deps, 'readBare'>): void {
  const lastRuns = () =>
    deps.readBare
      .selectFrom('catalogue_sources as source')
      .innerJoin('catalogue_runs as run', 'run.source', 'source.name')
      .select(['run.source', 'run.outcome', 'run.ended_at'])
      .where('source.is_enabled', '=', 1)
      .where('run.is_dry_run', '=', 0)
      .where('run.outcome', 'is not', null)
      .orderBy('run.id')
      .execute()
  const lastOf = (rows: Awaited<ReturnType<typeof lastRuns>>) => [
    ...new Map(rows.map((row) => [row.source, row])).values(),
  ]
  read('kiroku_catalogue_source_last_success_timestamp_seconds', async () => {
    const well = (await lastRuns()).filter(({ outcome }) => outcome === 'done' || outcome === 'unchanged')
    return lastOf(well).map(({ source, ended_at }) => ({ labels: { source }, value: (ended_at ?? 0) / 1000 }))
  })
  read('kiroku_catalogue_source_last_outcome', async () =>
    lastOf(await lastRuns()).map(({ source, outcome }) => ({
      labels: { source, outcome: outcome ?? '' },
      value: 1,
    })),
  )
}

export const measureGroups =
  ({ observe }: Pick<Metrics, 'observe'>): GroupWatch =>
  (waited, commitMs) => {
    for (const milliseconds of waited) observe('kiroku_write_wait_seconds', milliseconds / 1000, {})
    observe('kiroku_write_group_size', waited.length, {})
    observe('kiroku_write_commit_seconds', commitMs / 1000, {})
  }
