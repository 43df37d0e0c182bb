import type { Tx } from '../../../db/write'
import { findStored, inChunks, updateImport } from '../import-store'
import type { ImportDeps } from '../list-import'
import { Tally } from './counts'
import { Planner } from './planner'
import { countedRow, type MatchedRow, rowsAfter, type StoredRow, updateRow } from './stored-row'

/** A new match for a row of a preview; undefined leaves the row unchanged. */
export type Rematch = (row: StoredRow) => StoredRow['match'] | undefined

export const asItIs: Rematch = ({ match }) => match

/** Starts after row `done`. Each chunk also updates the counts, so that they always agree with the rows. */
export async function planRows(
  deps: ImportDeps,
  id: number,
  { rematch = asItIs, isStopping }: { readonly rematch?: Rematch; readonly isStopping: () => boolean },
): Promise<void> {
  const one = await findStored(deps.read, id)
  if (one === undefined) return
  const planner = new Planner(one, deps.now())
  await inChunks(deps.write, (tx, isOver) => planSome(tx, id, { planner, rematch, isOver }), isStopping)
}

interface Planning {
  readonly planner: Planner
  readonly rematch: Rematch
  readonly isOver: () => boolean
}

async function planSome(tx: Tx, id: number, { planner, rematch, isOver }: Planning): Promise<boolean> {
  const one = await findStored(tx, id)
  if (one?.state !== 'preview') return false
  const rows = await rowsAfter(tx, { id, done: one.done, limit: 100 })
  const tally = new Tally(one.counts)
  let done = rows.length === 0 ? one.total : one.done
  for (const row of rows) {
    const match = row.isLeftOut ? undefined : (rematch(row) ?? undefined)
    if (match !== undefined) await planAgain(tx, { ...row, match }, { planner, tally })
    done = row.number
    if (isOver()) break
  }
  await updateImport(tx, id, { done, counts: JSON.stringify(tally.counts) })
  return done < one.total
}

async function planAgain(
  tx: Tx,
  row: MatchedRow,
  { planner, tally }: { readonly planner: Planner; readonly tally: Tally },
): Promise<void> {
  const { match, planned } = await planner.plan(tx, row.match)
  tally.replace(row, countedRow(planned))
  await updateRow(tx, row.id, { match, planned })
}
