import { noRow } from './claims'
import { isOutranked } from './hide-row'
import type { Line } from './line'
import { mergeRows } from './merge-rows'
import type { Unresolved } from './resolve'
import { noteStale, type Run } from './run'

/** Takes over a line that says that its row is part of another one. */
export function mergeLine(run: Run, line: Line, hash: number): 'done' | Unresolved {
  const { kind, key = '', mergedInto = '' } = line
  const to = run.keys.refer(kind.name, mergedInto)
  if (to === undefined) return { kind: kind.name, key: mergedInto }
  const from = run.keys.refer(kind.name, key)
  run.tally.count(kind.name, merge(run, line, from, to))
  run.claims.claim({ kind: kind.name, id: from === to ? noRow : (from ?? noRow) }, key, hash)
  return 'done'
}

function merge(run: Run, { kind, key = '' }: Line, from: number | undefined, to: number) {
  // The key of a row we never had leads to the other one all the same.
  if (from === undefined) run.keys.addMergedKey(kind.name, key, to)
  if (from === undefined || from === to) return 'unchanged'
  const stored = run.tables.read(kind, from)
  if (stored !== undefined && isOutranked(run, stored)) return 'conflict'
  mergeRows(run, kind, from, to)
  if (kind.name === 'work') {
    run.listed.episodes.add(to)
    for (const works of run.worksWith.values()) works.add(to)
  }
  noteStale(run, kind, from)
  noteStale(run, kind, to)
  return 'merged'
}
