import { numbersOf } from '../../numbers-of'
import { limits } from '../file/limits'
import type { Line } from '../file/line'
import { noRow } from '../rows/claims'
import { isOutranked } from '../rows/hide-row'
import type { Unresolved } from '../rows/resolve'
import { noteStale, type Run } from '../run'
import { mergeRows, type Pair } from './rows'

/** Merges the row of a line into another; returns an error sentence. May stop after each `yield` and resume. */
export function* mergeLine(
  run: Run,
  line: Line,
  hash: number,
): Generator<void, 'done' | Unresolved | string> {
  const { kind, key = '', mergedInto = '' } = line
  const to = run.keys.refer(kind.name, mergedInto)
  if (to === undefined) return { kind: kind.name, key: mergedInto }
  const from = run.keys.refer(kind.name, key)
  const refusal = from === to ? undefined : tooMuch(run, line, from, to)
  if (refusal !== undefined) return refusal
  // The key of an unknown row becomes a redirect as well.
  if (from === undefined) run.keys.addMergedKey(kind.name, key, to)
  const isMerge = from !== undefined && from !== to
  const fate = isMerge ? yield* merge(run, line, { from, to }) : 'unchanged'
  run.tally.count(kind.name, fate)
  run.tally.corrections?.count(correctionOf(from, fate), line, 'merged_into', mergedInto)
  // A claim of its own: the file may also describe the row, and both lines must count as unchanged next time.
  run.claims.claim({ kind: kind.name, id: from === to ? noRow : (from ?? noRow) }, `${key} merged`, hash)
  return 'done'
}

/** What became of a merge that another instance made. */
function correctionOf(from: number | undefined, fate: 'merged' | 'conflict' | 'unchanged') {
  if (from === undefined) return 'unknown'
  return ({ merged: 'taken', conflict: 'left', unchanged: 'needless' } as const)[fate]
}

function* merge(run: Run, { kind }: Line, { from, to }: Pair): Generator<void, 'merged' | 'conflict'> {
  const stored = run.tables.read(kind, from)
  if (stored !== undefined && isOutranked(run, stored)) return 'conflict'
  for (const _ of mergeRows(
    run.handle,
    kind,
    { from, to },
    { onRename: (name, id) => run.keys.forget(name, id) },
  )) {
    // Aliases may have moved before the end of the piece.
    noteStale(run, kind, from, to)
    yield
  }
  if (kind.name === 'work') for (const works of run.worksWith.values()) works.add(to)
  noteStale(run, kind, from, to)
  return 'merged'
}

/** Names accumulate with each merge; no real row has this many. */
function tooMuch({ keys, handle, tally }: Run, { kind }: Line, from: number | undefined, to: number) {
  if (from !== undefined && tally.total('merged') >= limits.merges)
    return `a file may merge at most ${limits.merges.toLocaleString('en')} rows`
  const own = from === undefined ? 1 : keys.count(kind.name, from, limits.names)
  if (own + keys.count(kind.name, to, limits.names) > limits.names)
    return `no row may have more than ${limits.names} names, those of rows merged into it included`
  if (kind.name !== 'work' || from === undefined) return undefined
  const [aliases = 0] = numbersOf(handle, countAliases, from, to, limits.aliasesOfWork)
  return aliases > limits.aliasesOfWork
    ? `no work may have more than ${limits.aliasesOfWork.toLocaleString('en')} aliases, those of works merged into it included`
    : undefined
}

const countAliases = `
  select count(*) from (
    select 1 from work_aliases where work_id in (?1, ?2)
    union all select 1 from search_names where work_id in (?1, ?2) limit ?3 + 1)`
