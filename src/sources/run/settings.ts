import type { Updateable } from 'kysely'
import type { Read } from '../../db/open'
import type { DB } from '../../db/schema'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import type { AnySource } from '../source'
import { lastRun, type SourceRun } from './runs'
import type { RunTools } from './tools'

/** What the administrator has set for a source, and when it runs next. */
export interface Setting {
  readonly name: string
  readonly isEnabled: boolean
  /** A URL, or a folder or file on this machine. */
  readonly location: string | undefined
  readonly hasToken: boolean
  /** Epoch milliseconds; undefined if it is not scheduled. */
  readonly nextRunAt: number | undefined
  /** Failed runs in a row. */
  readonly failures: number
}

export interface ListedSource extends Setting {
  readonly source: AnySource
  /** Ignores dry runs. */
  readonly lastRun: SourceRun | undefined
}

/** In the order in which they run. */
export async function listSources(read: Read, sources: readonly AnySource[]): Promise<ListedSource[]> {
  const listed: ListedSource[] = []
  for (const source of sources) {
    listed.push({
      ...(await settingOf(read, source.name)),
      source,
      lastRun: await lastRun(read, source.name),
    })
  }
  return listed
}

export async function settingOf(read: Read, name: string): Promise<Setting> {
  const row = await sourceRow(read, name)
  return {
    name,
    isEnabled: row?.is_enabled === 1,
    location: row?.location ?? undefined,
    hasToken: typeof row?.token === 'string',
    nextRunAt: row?.next_run_at ?? undefined,
    failures: row?.failures ?? 0,
  }
}

/** Undefined if nothing was ever set or stored for the source. */
export const sourceRow = (db: Read | Tx, name: string) =>
  db
    .selectFrom('catalogue_sources')
    .select(['is_enabled', 'location', 'token', 'state', 'next_run_at', 'failures'])
    .where('name', '=', name)
    .executeTakeFirst()

/** Columns missing in `values` stay unchanged. */
export const keepSource = (tx: Tx, name: string, values: Updateable<DB['catalogue_sources']>) =>
  tx
    .insertInto('catalogue_sources')
    .values({ ...values, name })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()

type SettingsDeps = Pick<Deps, 'read' | 'write'> & Pick<RunTools, 'now' | 'random'>

/** Undefined leaves a setting unchanged. */
export interface GivenSettings {
  readonly location?: string | undefined
  readonly token?: string | undefined
}

/** If a setting is missing, returns it and changes nothing. The first scheduled run is 10 to 30 minutes later. */
export async function enableSource(
  { read, write, now, random }: SettingsDeps,
  source: AnySource,
  { location, token }: GivenSettings = {},
): Promise<'enabled' | 'location' | 'token'> {
  const before = await settingOf(read, source.name)
  const missing = missingSetting(source, {
    location: location ?? before.location,
    hasToken: token !== undefined || before.hasToken,
  })
  if (missing !== undefined) return missing
  const firstAt = now() + 600_000 + Math.floor(fraction(random) * 1_200_000)
  const isNew = !before.isEnabled && source.intervalMs !== undefined
  const values = {
    is_enabled: 1,
    ...(location === undefined ? {} : { location }),
    ...(token === undefined ? {} : { token }),
    ...(isNew ? { next_run_at: firstAt, failures: 0 } : {}),
  }
  await write((tx) => keepSource(tx, source.name, values))
  return 'enabled'
}

/** Deletes its token. What was imported from it stays. */
export async function disableSource({ write }: Pick<SettingsDeps, 'write'>, name: string): Promise<void> {
  await write((tx) =>
    tx
      .updateTable('catalogue_sources')
      .set({ is_enabled: 0, next_run_at: null, token: null })
      .where('name', '=', name)
      .execute(),
  )
}

/** A setting that the source cannot run without. A location is required only if no host is declared. */
export function missingSetting(
  source: AnySource,
  { location, hasToken }: Pick<Setting, 'location' | 'hasToken'>,
): 'location' | 'token' | undefined {
  if (needs(source, 'location') && source.hosts.length === 0 && location === undefined) return 'location'
  return needs(source, 'token') && !hasToken ? 'token' : undefined
}

export const needs = ({ settings }: AnySource, setting: 'location' | 'token'): boolean =>
  settings.includes(setting)

/** A random number from 0 to 1. */
export const fraction = (random: SettingsDeps['random']): number => {
  const [high = 0, low = 0] = random(2)
  return (high * 256 + low) / 65_536
}
