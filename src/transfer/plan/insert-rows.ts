import type { Tx } from '../../db/write'
import { addEpisodes } from '../../library/next-episode'
import type { OwnShares } from '../row'
import type { ChangeSink } from './change-sink'
import type { Writes } from './planned-row'
import { insertLap, insertRecords, insertSkips } from './statements'

interface ToInsert {
  readonly userId: number
  readonly writes: Writes
  readonly limit: number
}

/** Inserts at most `limit` episodes, laps, records and skips, in this order. `left`: how many are missing still. */
export async function insertRows(
  tx: Tx,
  { userId, writes, limit }: ToInsert,
  log: ChangeSink,
): Promise<{ readonly rows: number; readonly left: number }> {
  const { workId } = writes
  const lacking = Math.max(0, (writes.growsTo ?? 0) - writes.episodes.length)
  const grown = await grow(tx, workId, Math.min(lacking, limit), log)
  const episodes = [...writes.episodes, ...grown]
  const laps = writes.laps.slice(0, limit - grown.length)
  await addLaps(tx, { userId, workId, laps }, log)
  const records = writes.records.slice(0, limit - grown.length - laps.length)
  await addRecords(tx, { userId, workId, records, episodes }, log)
  const skips = writes.skips.slice(0, limit - grown.length - laps.length - records.length)
  await addSkips(tx, { userId, workId, skips, episodes }, log)
  const rows = grown.length + laps.length + records.length + skips.length
  const all = lacking + writes.laps.length + writes.records.length + writes.skips.length
  return { rows, left: all - rows }
}

interface NewRows {
  readonly userId: number
  readonly workId: number
  /** Ids. */
  readonly episodes: readonly number[]
}

async function addLaps(
  tx: Tx,
  { userId, workId, laps }: Omit<NewRows, 'episodes'> & Pick<Writes, 'laps'>,
  log: ChangeSink,
): Promise<void> {
  for (const { number, startedAt } of laps) {
    const [lap] = await insertLap(tx, { user: userId, work: workId, number, started: startedAt })
    if (lap !== undefined) log.inserted('laps', workId, lap.id, lap.id)
  }
}

async function grow(tx: Tx, workId: number, count: number, log: ChangeSink): Promise<readonly number[]> {
  if (count === 0) return []
  const ids = await addEpisodes(tx, workId, count)
  logRange(log, 'episodes', workId, ids)
  return ids
}

async function addRecords(
  tx: Tx,
  { userId, workId, records, episodes }: NewRows & Pick<Writes, 'records'>,
  log: ChangeSink,
): Promise<void> {
  if (records.length === 0) return
  const cells = records.map((record) => [
    ...[episodes[record.index], record.lap, record.watchedAt, record.precision, record.createdAt],
    ...[record.ratingState, record.comment, record.isModified ? 1 : 0, record.points],
    ...shareCells(record.shares),
  ])
  const made = await insertRecords(tx, { user: userId, work: workId, records: JSON.stringify(cells) })
  logRange(
    log,
    'records',
    workId,
    made.map(({ id }) => id),
  )
}

async function addSkips(
  tx: Tx,
  { userId, workId, skips, episodes }: NewRows & Pick<Writes, 'skips'>,
  log: ChangeSink,
): Promise<void> {
  if (skips.length === 0) return
  const cells = skips.map(({ index, lap, skippedAt }) => [episodes[index], lap, skippedAt])
  const made = await insertSkips(tx, { user: userId, skips: JSON.stringify(cells) })
  logRange(
    log,
    'skips',
    workId,
    made.map(({ id }) => id),
  )
}

export const shareCells = (shares: OwnShares | undefined) => [
  Number(shares?.twitter ?? 0),
  Number(shares?.facebook ?? 0),
]

/** Ids that were given in one statement follow each other. */
function logRange(
  log: ChangeSink,
  table: 'episodes' | 'records' | 'skips',
  workId: number,
  ids: readonly number[],
): void {
  const [first, last] = [ids[0], ids.at(-1)]
  if (first !== undefined && last !== undefined) log.inserted(table, workId, first, last)
}
