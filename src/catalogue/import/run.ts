import type { Database } from 'bun:sqlite'
import type { SearchKind } from '../search'
import { Claims } from './claims'
import type { Kind } from './field'
import type { Header } from './header'
import { Keys } from './keys'
import type { Tally } from './report'
import { findSource, type Source, sourcePriorities } from './source'
import { Tables } from './tables'
import { TitleIndex } from './title-index'

/** An import under way: one file, one transaction. */
export interface Run {
  readonly handle: Database
  readonly source: Source
  readonly priorities: ReadonlyMap<number, number>
  readonly preserveIds: readonly string[]
  readonly tally: Tally
  readonly keys: Keys
  readonly claims: Claims
  readonly tables: Tables
  /** Where works without a common id are recognized by title. */
  readonly titles: TitleIndex | undefined
  /** Works of which a real episode came, and of which a real program came: their estimates have had their day. */
  readonly listed: { readonly episodes: Set<number>; readonly programs: Set<number> }
  /** By kind, the works that had rows of that kind when it was first asked: rows that came since are known by name. */
  readonly worksWith: Map<Kind, Set<number>>
  /** The rows whose index is to be written at the end. A trigger makes FTS5 write out what it gathered, so not before. */
  readonly stale: Map<SearchKind, Set<number>>
}

/** Begins an import under the header's name or `source`. The caller has begun the transaction. */
export function startRun(
  handle: Database,
  header: Header,
  tally: Tally,
  options: { source?: string; matchTitles?: boolean },
): Run {
  const source = findSource(handle, options.source ?? header.name)
  return {
    handle,
    source,
    priorities: sourcePriorities(handle),
    preserveIds: header.preserveIds,
    tally,
    keys: new Keys(handle),
    claims: new Claims(handle, source.id),
    tables: new Tables(handle),
    titles: options.matchTitles === true ? new TitleIndex(handle) : undefined,
    listed: { episodes: new Set(), programs: new Set() },
    worksWith: new Map(),
    stale: new Map(),
  }
}

/** Notes that the texts of a row, or whether it is shown, may have changed. */
export function noteStale({ stale }: Run, { search }: Kind, id: number): void {
  if (search === undefined) return
  const rows = stale.get(search) ?? new Set()
  stale.set(search, rows.add(id))
}
