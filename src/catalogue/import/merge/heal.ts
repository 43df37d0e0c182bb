import type { Database } from 'bun:sqlite'
import { inPieces, type PieceRunner } from '../../../db/in-pieces'
import { reindexRow } from '../../search/index-row'
import type { Kind } from '../kinds/field'
import { noteStale, type Run, settle } from '../run'
import { mergeRows, type Pair } from './rows'
import { type UnfinishedMerge, unfinishedMerges } from './unfinished'

/** Moves what earlier merges, also of older versions, left behind. */
export async function healMerges(run: Run): Promise<void> {
  const merges = unfinishedMerges(run.handle)
  await inPieces(run.piece, function* (isOver) {
    for (const { kind, from, to } of merges) {
      for (const _ of mergeRows(run.handle, kind, { from, to }, (name, id) => run.keys.forget(name, id))) {
        if (!isOver()) continue
        settleBoth(run, kind, { from, to })
        yield
      }
      settleBoth(run, kind, { from, to })
      if (isOver()) yield
    }
  })
  if (merges.length > 0) run.tally.warn(`${merges.length} earlier merges were completed`)
}

function settleBoth(run: Run, kind: Kind, { from, to }: Pair): void {
  noteStale(run, kind, from)
  noteStale(run, kind, to)
  settle(run)
}

/** The same without an import. The caller holds the catalogue's lock. Returns what was moved. */
export async function repairMerges(
  handle: Database,
  piece: PieceRunner,
): Promise<readonly UnfinishedMerge[]> {
  const merges = unfinishedMerges(handle)
  await inPieces(piece, function* (isOver) {
    for (const { kind, from, to } of merges) {
      const steps = mergeRows(handle, kind, { from, to })
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done !== true && !isOver()) continue
        if (kind.search !== undefined) for (const id of [from, to]) reindexRow(handle, kind.search, id)
        if (isOver()) yield
        if (step.done === true) break
      }
    }
  })
  return merges
}
