import type { OwnEntry } from '../row'
import type { NewImportedLap, NewImportedRecord } from './planned-row'

/** Of a file that says more, the others are of the last one. */
export const mostLaps = 1000

/** The laps after the current one. Each began when kiroku's own file says so, else with its first record. */
export function newLaps(
  records: readonly NewImportedRecord[],
  own: OwnEntry['laps'],
  { current, now }: { readonly current: number; readonly now: number },
): readonly NewImportedLap[] {
  const begins = new Map<number, number>()
  for (const { lap, watchedAt } of records)
    if (lap > current) begins.set(lap, Math.min(begins.get(lap) ?? now, watchedAt))
  for (const { number, startedAt } of own)
    if (number > current && number <= mostLaps) begins.set(number, startedAt)
  const last = Math.max(current, ...begins.keys())
  let begin = now
  const laps = Array.from({ length: last - current }, (_, at) => {
    begin = begins.get(last - at) ?? begin
    return { number: last - at, startedAt: begin }
  })
  return laps.toReversed()
}
