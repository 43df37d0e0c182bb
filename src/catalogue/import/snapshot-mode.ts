import { noRow } from './claims'
import type { Kind } from './field'
import { hideRow } from './hide-row'
import { kinds } from './kinds'
import type { Run } from './run'

/**
 * Hides the rows that only this source speaks of and that its snapshot speaks of no more. A sentence refuses a snapshot
 * that would hide more than a tenth of its rows of some kind: more likely it is a broken file.
 */
export function hideAbsent(run: Run, force: boolean): string | undefined {
  const absent = kinds.map((kind) => ({ kind, ...absentOf(run, kind) }))
  const [tooMany] = absent.filter(({ doomed, listed }) => doomed.length * 10 > listed)
  if (tooMany !== undefined && !force) {
    const { kind, doomed, listed } = tooMany
    return `this snapshot would hide ${doomed.length} of ${listed} rows of type ${kind.name}, which is more than 10 %: force it if that is meant`
  }
  for (const { kind, doomed, keys } of absent) {
    for (const id of doomed) run.tally.count(kind.name, hideRow(run, kind, id))
    for (const key of keys) forget(run, kind, key)
  }
  return undefined
}

/** How many rows of a kind the source listed before, which keys of them it lists no more, and what is to be hidden. */
function absentOf(run: Run, kind: Kind) {
  const lines = run.handle
    .query<never, [number, string]>(
      'select key, hash, local_id from import_rows where source_id = ? and kind = ?',
    )
    .values(run.source.id, kind.name)
  const keys: string[] = []
  const rows = new Set<number>()
  for (const [key, hash, id] of lines) {
    if (run.claims.wasSeen(Number(hash))) continue
    keys.push(String(key))
    if (id !== noRow && !run.claims.isTaken(kind.name, Number(id))) rows.add(Number(id))
  }
  return { keys, doomed: rows.size === 0 ? [] : soleRows(run, kind, rows), listed: lines.length }
}

/** Those of some shown rows that no other source has a part in. */
function soleRows(run: Run, kind: Kind, rows: ReadonlySet<number>): number[] {
  const others = run.handle
    .query<never, [number, string]>('select local_id from import_rows where source_id <> ? and kind = ?')
    .values(run.source.id, kind.name)
  const shared = new Set(others.map(([id]) => Number(id)))
  return [...rows].filter((id) => {
    const stored = run.tables.read(kind, id)
    if (stored === undefined || shared.has(id) || (stored.hidden & 1) === 1) return false
    const sources = [stored.sourceId, ...Object.values(stored.owners)]
    return sources.every((source) => source === run.source.id)
  })
}

/** So that the line is news when it comes back. */
function forget({ handle, source }: Run, kind: Kind, key: string): void {
  handle
    .query('delete from import_rows where source_id = ? and kind = ? and key = ?')
    .run(source.id, kind.name, key)
}
