import type { OwnEntry } from '../row'
import type { NewImportedLap, NewImportedRecord, NewImportedSkip } from './planned-row'

/** If a file has more, all further ones belong to the last lap. */
export const mostLaps = 1000

/** The laps after the current one. Each began when kiroku's own file says so, otherwise with its first record or skip. */
export function newLaps(
  {
    records,
    skips,
  }: { readonly records: readonly NewImportedRecord[]; readonly skips: readonly NewImportedSkip[] },
  own: OwnEntry['laps'],
  { current, now }: { readonly current: number; readonly now: number },
): readonly NewImportedLap[] {
  const begins = new Map<number, number>()
  const begin = (lap: number, at: number) => {
    if (lap > current) begins.set(lap, Math.min(begins.get(lap) ?? now, at))
  }
  for (const { lap, watchedAt } of records) begin(lap, watchedAt)
  for (const { lap, skippedAt } of skips) begin(lap, skippedAt)
  for (const { number, startedAt } of own)
    if (number > current && number <= mostLaps) begins.set(number, startedAt)
  const last = Math.max(current, ...begins.keys())
  let startedAt = now
  const laps = Array.from({ length: last - current }, (_, at) => {
    startedAt = begins.get(last - at) ?? startedAt
    return { number: last - at, startedAt }
  })
  return laps.toReversed()
}
