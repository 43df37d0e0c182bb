import type { Database } from 'bun:sqlite'
import type { PieceRunner } from '../../db/in-pieces'
import { reindexRows } from '../search/index-row'
import type { SearchKind } from '../search/texts'
import type { Conflict } from './import-options'
import type { Kind } from './kinds/field'
import type { LineTally } from './report'
import { Claims, claimsOf } from './rows/claims'
import { Keys } from './rows/keys'
import { NamedRows } from './rows/named-rows'
import { SourceValues } from './rows/source-values'
import { CatalogueTables } from './rows/tables'
import { WorksByTitle } from './rows/title-index'
import { type RankedSource, sourcePriorities } from './source'

/** The database itself, or a scratch copy for the check. */
export interface ImportTarget {
  readonly handle: Database
  readonly piece: PieceRunner
  /** False for a scratch copy. */
  readonly isSearched: boolean
  readonly onConflict?: ((conflict: Conflict) => void) | undefined
}

export interface Run extends ImportTarget {
  readonly source: RankedSource
  readonly priorities: ReadonlyMap<number, number>
  readonly preserveIds: readonly string[]
  readonly tally: LineTally
  readonly keys: Keys
  readonly claims: Claims
  readonly tables: CatalogueTables
  readonly names: NamedRows
  readonly sourceValues: SourceValues
  /** Epoch milliseconds. */
  readonly now: number
  readonly titles: WorksByTitle | undefined
  /** The file is of corrections: `rows/correction.ts`. */
  readonly corrects: boolean
  /** For each kind, the works that had such rows when first asked; later rows are found by name. */
  readonly worksWith: Map<Kind, Set<number>>
  /** Rows to index before the end of the piece. */
  readonly stale: Map<SearchKind, Set<number>>
  readonly indexed: Map<SearchKind, number>
}

export interface CatalogueTerms {
  readonly source: RankedSource
  readonly preserveIds: readonly string[]
  readonly matchTitles: boolean
  readonly corrects: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

export async function startRun(
  target: ImportTarget,
  { source, preserveIds, matchTitles, corrects, now }: CatalogueTerms,
  tally: LineTally,
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
    tables: new CatalogueTables(handle),
    names: new NamedRows(handle),
    sourceValues: new SourceValues(handle),
    now,
    titles: matchTitles ? new WorksByTitle(handle) : undefined,
    corrects,
    worksWith: new Map(),
    stale: new Map(),
    indexed: new Map(),
  }
}

/** Marks rows for indexing, as their texts or `hidden` may have changed. */
export function noteStale({ stale }: Run, { search }: Kind, ...ids: readonly number[]): void {
  if (search === undefined) return
  const rows = stale.get(search) ?? new Set()
  for (const id of ids) rows.add(id)
  stale.set(search, rows)
}

/** Writes buffered claims and index rows, after which a piece may end. */
export function settle(run: Run): void {
  run.claims.flush()
  for (const [kind, rows] of run.stale) {
    if (run.isSearched) reindexRows(run.handle, kind, rows)
    run.indexed.set(kind, (run.indexed.get(kind) ?? 0) + rows.size)
  }
  run.stale.clear()
}
