import type { Tx } from '../../db/write'
import { addEpisodes } from '../../library/next-episode'
import type { OwnShares } from '../row'
import type { ChangeSink, InsertedTable } from './change-sink'
import type { NewImportedRecord, Writes } from './planned-row'
import { insertLap, insertRecords, insertSkips } from './statements'

interface ToInsert {
  readonly userId: number
  readonly writes: Writes
  readonly limit: number
}

/** Inserts at most `limit` episodes, laps, records and skips, in this order. `left`: how many remain. */
export async function insertRows(
  tx: Tx,
  { userId, writes, limit }: ToInsert,
  log: ChangeSink,
): Promise<{ readonly rows: number; readonly left: number }> {
  const { workId } = writes
  const own = { user: userId, work: workId }
  const note = (table: InsertedTable, ids: readonly number[]) => logRange(log, table, workId, ids)
  const lacking = Math.max(0, (writes.growsTo ?? 0) - writes.episodes.length)
  const growing = Math.min(lacking, limit)
  let room = limit - growing
  const next = <T>(rows: readonly T[]): readonly T[] => {
    const taken = rows.slice(0, room)
    room -= taken.length
    return taken
  }
  const grown = growing === 0 ? [] : await addEpisodes(tx, workId, growing)
  note('episodes', grown)
  const episodes = [...writes.episodes, ...grown]
  for (const { number, startedAt } of next(writes.laps))
    note('laps', idsOf(await insertLap(tx, { ...own, number, started: startedAt })))
  const records = next(writes.records).map((record) => cellsOf(record, episodes))
  if (records.length > 0)
    note('records', idsOf(await insertRecords(tx, { ...own, records: JSON.stringify(records) })))
  const skips = next(writes.skips).map(({ index, lap, skippedAt }) => [episodes[index], lap, skippedAt])
  if (skips.length > 0)
    note('skips', idsOf(await insertSkips(tx, { user: userId, skips: JSON.stringify(skips) })))
  const rows = limit - room
  return { rows, left: lacking + writes.laps.length + writes.records.length + writes.skips.length - rows }
}

/** `episodes` are ids. */
const cellsOf = (record: NewImportedRecord, episodes: readonly number[]) => [
  ...[episodes[record.index], record.lap, record.watchedAt, record.precision, record.createdAt],
  ...[record.ratingState, record.comment, record.isModified ? 1 : 0, record.points],
  ...shareCells(record.shares),
]

export const shareCells = (shares: OwnShares | undefined) => [
  Number(shares?.twitter ?? 0),
  Number(shares?.facebook ?? 0),
]

const idsOf = (made: readonly { readonly id: number }[]) => made.map(({ id }) => id)

/** Ids assigned by one statement are consecutive. */
function logRange(log: ChangeSink, table: InsertedTable, workId: number, ids: readonly number[]): void {
  const [first, last] = [ids[0], ids.at(-1)]
  if (first !== undefined && last !== undefined) log.inserted(table, workId, first, last)
}
