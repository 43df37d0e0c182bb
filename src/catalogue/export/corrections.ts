import type { Database } from 'bun:sqlite'
import { instanceIdOf } from '../../db/health/commit-ticks'
import { addressOf } from '../../lib/network'
import type { Kind, KindName } from '../import/kinds/field'
import { kindOf, kinds } from '../import/kinds/kinds'
import { byHand } from '../import/source'
import { numbersOf } from '../numbers-of'
import { CorrectionLines } from './correction-lines'

/** What others know this instance by: the host of its links if everybody may reach it, else the beginning of its own id. */
export function correctionsLabel(handle: Database, baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname
  const isPublic = host.includes('.') && addressOf(host) === undefined && !atHome.test(host)
  return isPublic ? host : (instanceIdOf(handle) ?? 'instance').slice(0, 13)
}

const atHome = /\.(arpa|home|internal|lan|local|localdomain|localhost)$/

export interface CorrectionsOptions {
  /** What other instances know this one by, such as its host. */
  readonly label: string
  /** Epoch milliseconds: only rows that were changed by hand since then. */
  readonly since?: number | undefined
}

/**
 * What was set by hand, as a file of corrections for other instances and the default catalogue (D98): only the fields by hand, with
 * what sources say instead, why, and where it says so; rows made by hand whole. Names nobody. `handle` stays in use until the
 * last line.
 */
export function* exportCorrections(handle: Database, options: CorrectionsOptions): Generator<string> {
  const isOurs = !handle.inTransaction
  if (isOurs) handle.run('begin')
  try {
    const lines = new CorrectionLines(handle, options.label)
    const name = `corrections/${options.label}`
    yield JSON.stringify({ type: 'catalogue', version: 1, name, mode: 'upsert', preserve_ids: ['annict'] })
    for (const kind of kinds) {
      const broadcast = kind.name === 'episode' ? episodesOf(handle, options.since) : new Set<number>()
      for (const id of new Set([...correctedRows(handle, kind, options.since), ...broadcast])) {
        const line = lines.lineOf(kind, id) ?? (broadcast.has(id) ? lines.nameOf(kind, id) : undefined)
        if (line !== undefined) yield JSON.stringify(line)
      }
    }
    for (const { kind, to, key, reason } of mergesByHand(handle, options.since)) {
      const merge = { type: kind, key, merged_into: lines.keyOf(kind, to) }
      yield JSON.stringify({ ...merge, ...(reason !== '' && { reason }) })
    }
  } finally {
    if (isOurs) handle.run('commit')
  }
}

/** Episodes of broadcasts by hand, which another instance has to recognize. */
function episodesOf(handle: Database, since: number | undefined): Set<number> {
  const programs = JSON.stringify(correctedRows(handle, kindOf.program, since))
  const sql = `select distinct episode_id from programs
    where episode_id is not null and id in (select value from json_each(?)) order by 1`
  return new Set(numbersOf(handle, sql, programs))
}

interface MergeByHand {
  readonly kind: KindName
  readonly to: number
  /** By which a pack named the row that went. */
  readonly key: string
  readonly reason: string
}

/** Keys of rows that were merged by hand, and not taken apart again. Uses external_ids_local. */
const mergesByHand = (handle: Database, since = 0): MergeByHand[] =>
  handle
    .query<MergeByHand, [number]>(
      `select merged.kind, merged.local_id as "to", ns || ':' || external_id as key, max(reason) as reason
       from catalogue_merges as m join catalogue_changes as c on c.id = m.change_id
       join redirects as r on r.kind = m.kind and r.from_id = m.from_id
       join external_ids as merged indexed by external_ids_local on merged.local_id = r.to_id and merged.kind = m.kind
       where m.task = 'merge' and m.state = 'moved' and merged.is_key = 2 and c.created_at >= ?
       group by 1, 2, 3 order by 1, 2, 3`,
    )
    .all(since)

/** Ids of rows with anything by hand. */
function correctedRows(handle: Database, kind: Kind, since: number | undefined): number[] {
  const { name, table } = kind
  const ofParts = [
    'removed_parts',
    ...['work_aliases', 'series_works', 'streams'].map((one) => `${one} where source_id = 1`),
  ]
  const parts = name === 'work' ? ofParts.map((from) => `union select work_id from ${from}`) : []
  const found = `
    select id from ${table} where source_id = 1
      or owners <> '{}' and exists (select 1 from json_each(owners) where value = ${byHand})
    ${parts.join(' ')}`
  if (since === undefined) return numbersOf(handle, `${found} order by id`)
  // uses catalogue_change_fields_row
  const isRecent = `exists (
    select 1 from catalogue_change_fields as f join catalogue_changes as c on c.id = f.change_id
    where f.kind = '${name}' and f.row_id = found.id and c.source_id is null and c.created_at >= ?)`
  return numbersOf(handle, `select id from (${found}) as found where ${isRecent} order by id`, since)
}
