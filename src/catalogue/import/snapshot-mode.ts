import type { YieldingWork } from '../../db/in-pieces'
import { numbersOf } from '../numbers-of'
import type { Kind } from './kinds/field'
import { kinds } from './kinds/kinds'
import { noRow } from './rows/claims'
import { hideRow } from './rows/hide-row'
import { type Run, settle } from './run'

export interface Absent {
  readonly kind: Kind
  readonly keys: readonly string[]
  /** Rows that no other source lists, which will be hidden. */
  readonly doomed: readonly number[]
  readonly listed: number
}

/** Rows missing from a snapshot, kind by kind, after all lines; only reads. */
export function* findAbsent(run: Run): Generator<Absent> {
  for (const kind of kinds) yield absentOf(run, kind)
}

/** Refuses a snapshot that would hide over a tenth of a kind's rows, as the file is probably broken. */
export function tooManyAbsent(run: Run): string | undefined {
  for (const { kind, doomed, listed } of findAbsent(run)) {
    if (doomed.length * 10 > listed)
      return `this snapshot would hide ${doomed.length} of ${listed} rows of type ${kind.name}, which is more than 10 %: force it if that is meant`
  }
  return undefined
}

export const hideAbsent = (run: Run, { kind, doomed, keys }: Absent): YieldingWork<void> =>
  function* (isOver) {
    for (const id of doomed) {
      run.tally.count(kind.name, hideRow(run, kind, id))
      if (!isOver()) continue
      settle(run)
      yield
    }
    settle(run)
    for (const key of keys) {
      forget(run, kind, key)
      if (isOver()) yield
    }
  }

function absentOf(run: Run, kind: Kind): Absent {
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
  return { kind, keys, doomed: rows.size === 0 ? [] : soleRows(run, kind, rows), listed: lines.length }
}

/** The rows that no other source lists or owns a field of. */
function soleRows(run: Run, kind: Kind, rows: ReadonlySet<number>): number[] {
  const ofOthers = 'select local_id from import_rows where source_id <> ? and kind = ?'
  const shared = new Set(numbersOf(run.handle, ofOthers, run.source.id, kind.name))
  return [...rows].filter((id) => {
    const stored = run.tables.read(kind, id)
    if (stored === undefined || shared.has(id) || (stored.hidden & 1) === 1) return false
    const sources = [stored.sourceId, ...Object.values(stored.owners)]
    return sources.every((source) => source === run.source.id)
  })
}

/** Without this, an identical line would count as unchanged when it comes back. */
function forget({ handle, source }: Run, kind: Kind, key: string): void {
  handle
    .query('delete from import_rows where source_id = ? and kind = ? and key = ?')
    .run(source.id, kind.name, key)
}
