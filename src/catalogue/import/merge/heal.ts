import type { Database } from 'bun:sqlite'
import { inPieces, type PieceRunner } from '../../../db/in-pieces'
import { reindexRow } from '../../search/index-row'
import type { Kind } from '../kinds/field'
import { noteStale, type Run, settle } from '../run'
import { mergeRows, type OnRename } from './rows'
import { type UnfinishedMerge, unfinishedMerges } from './unfinished'

/** Moves references that earlier merges, also by older versions, left behind. */
export async function healMerges(run: Run): Promise<void> {
  const index = (kind: Kind, from: number, to: number) => {
    noteStale(run, kind, from, to)
    settle(run)
  }
  const merges = await finishMerges(run, index, (name, id) => run.keys.forget(name, id))
  if (merges.length > 0) run.tally.warn(`${merges.length} earlier merges were completed`)
}

/** The same outside an import. The caller holds the catalogue's lock. Returns what was moved. */
export const repairMerges = (handle: Database, piece: PieceRunner): Promise<readonly UnfinishedMerge[]> =>
  finishMerges({ handle, piece }, ({ search }, ...ids) => {
    if (search !== undefined) for (const id of ids) reindexRow(handle, search, id)
  })

async function finishMerges(
  { handle, piece }: Pick<Run, 'handle' | 'piece'>,
  index: (kind: Kind, from: number, to: number) => void,
  onRename?: OnRename,
): Promise<readonly UnfinishedMerge[]> {
  const merges = unfinishedMerges(handle)
  await inPieces(piece, function* (isOver) {
    for (const { kind, from, to } of merges) {
      for (const _ of mergeRows(handle, kind, { from, to }, { onRename })) {
        if (!isOver()) continue
        index(kind, from, to)
        yield
      }
      index(kind, from, to)
      if (isOver()) yield
    }
  })
  return merges
}
