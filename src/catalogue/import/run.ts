import type { Database } from 'bun:sqlite'
import type { Piece } from '../../db/in-pieces'
import { reindexRow } from '../search/index-row'
import type { SearchKind } from '../search/texts'
import type { Kind } from './kinds/field'
import type { Tally } from './report'
import { Claims, claimsOf } from './rows/claims'
import { Keys } from './rows/keys'
import { Tables } from './rows/tables'
import { TitleIndex } from './rows/title-index'
import { type Source, sourcePriorities } from './source'

/** Where an import writes: the database itself, or a scratch copy on which it is tried. */
export interface Target {
  readonly handle: Database
  readonly piece: Piece
  /** Nobody searches a scratch copy. */
  readonly isSearched: boolean
}

/** An import under way: one file, in as many transactions as it takes. */
export interface Run extends Target {
  readonly source: Source
  readonly priorities: ReadonlyMap<number, number>
  readonly preserveIds: readonly string[]
  readonly tally: Tally
  readonly keys: Keys
  readonly claims: Claims
  readonly tables: Tables
  /** Where works without a common id are recognized by title. */
  readonly titles: TitleIndex | undefined
  /** By kind, the works that had rows of that kind when it was first asked: rows that came since are known by name. */
  readonly worksWith: Map<Kind, Set<number>>
  /** The rows whose index is to be written before the piece ends. */
  readonly stale: Map<SearchKind, Set<number>>
  /** How many rows of each index were written. */
  readonly indexed: Map<SearchKind, number>
}

/** Whose word an import is, and how it recognizes rows. */
export interface Terms {
  readonly source: Source
  readonly preserveIds: readonly string[]
  readonly matchTitles: boolean
}

/** Begins an import: reads what the database knows, and writes nothing. */
export async function startRun(
  target: Target,
  { source, preserveIds, matchTitles }: Terms,
  tally: Tally,
): Promise<Run> {
  const { handle } = target
  return {
    ...target,
    source,
    priorities: sourcePriorities(handle),
    preserveIds,
    tally,
    keys: new Keys(handle),
    claims: new Claims(handle, source.id, await claimsOf(handle, source.id)),
    tables: new Tables(handle),
    titles: matchTitles ? new TitleIndex(handle) : undefined,
    worksWith: new Map(),
    stale: new Map(),
    indexed: new Map(),
  }
}

/** Notes that the texts of a row, or whether it is shown, may have changed. */
export function noteStale({ stale }: Run, { search }: Kind, id: number): void {
  if (search === undefined) return
  const rows = stale.get(search) ?? new Set()
  stale.set(search, rows.add(id))
}

/** Writes down what is held back, so that the piece may end here. */
export function settle(run: Run): void {
  run.claims.flush()
  for (const [kind, rows] of run.stale) {
    // A row below the one before makes FTS5 write out what it gathered.
    const inOrder = [...rows].toSorted((one, other) => one - other)
    if (run.isSearched) for (const id of inOrder) reindexRow(run.handle, kind, id)
    run.indexed.set(kind, (run.indexed.get(kind) ?? 0) + rows.size)
  }
  run.stale.clear()
}
