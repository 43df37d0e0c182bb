import type { Database } from 'bun:sqlite'
import { reindexRow } from '../search/index-row'
import { idRanges } from './id-ranges'
import { columnDrift, type KeptColumn, keptColumns, setColumn } from './recount'
import { createRest, type Rest } from './rest'
import { searchDrift } from './search-drift'

/** Recounts in short transactions with pauses of the same length, so that a server can write. Restartable. */
export async function repair(handle: Database): Promise<void> {
  for (const change of changes(handle, createRest())) {
    const began = performance.now()
    handle.transaction(change).immediate()
    await Bun.sleep(Math.max(5, performance.now() - began))
  }
}

function* changes(handle: Database, rest: Rest): Generator<() => void> {
  for (const kept of keptColumns) yield* columnChanges(handle, kept, rest)
  yield* searchChanges(handle, rest)
}

function* columnChanges(handle: Database, kept: KeptColumn, rest: Rest): Generator<() => void> {
  for (const range of idRanges(handle, kept.table, kept.key)) {
    for (let from = range.from; from <= range.to; ) {
      const drift = columnDrift(handle, kept, { from, to: range.to }, rowsAtOnce)
      const to = drift.length < rowsAtOnce ? range.to : Number(drift.at(-1)?.row)
      const first = Number(drift[0]?.row)
      if (drift.length > 0) yield () => setColumn(handle, kept, { from: first, to })
      from = to + 1
      rest()
    }
  }
}

function* searchChanges(handle: Database, rest: Rest): Generator<() => void> {
  const found = searchDrift(handle, Number.POSITIVE_INFINITY, rest)
  for (let at = 0; at < found.length; at += rowsAtOnce) {
    const rows = found.slice(at, at + rowsAtOnce)
    yield () => {
      for (const { kind, id } of rows) reindexRow(handle, kind, id)
    }
  }
}

/** A row with its triggers takes about 50 µs. */
const rowsAtOnce = 400
