import type { OwnEntry } from '../row'
import type { RecordHere } from './here'
import type { NewImportedLap, NewImportedRecord, NewImportedSkip } from './planned-row'
import { byTime, type FilePlay, isCommented, nearRecord, sittingMs } from './sittings'

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

/** Assigns laps to the missing plays of an episode: by time, after those of its earlier records (D63). */
export function lapped<P extends FilePlay>(
  missing: readonly P[],
  records: readonly RecordHere[],
): readonly { readonly play: P; readonly lap: number }[] {
  const { dated, others } = byTime(records)
  const lastOther = Math.max(0, ...others.map(({ lap }) => lap))
  let passed = 0
  let lap = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return missing.map((play) => {
    const at = play.moment?.at ?? Number.MAX_SAFE_INTEGER
    for (; (dated[passed]?.watchedAt ?? at) < at - sittingMs; passed++)
      lap = Math.max(lap, dated[passed]?.lap ?? 0)
    const isSameSitting = at - lastAt <= sittingMs && play.moment !== null
    const beside = nearRecord(dated, at)?.lap ?? (isSameSitting ? lap : besideBlank(play, others, lap))
    lap = Math.max(lap, beside ?? Math.max(lap, lastOther) + 1)
    lastAt = at
    return { play, lap: beside ?? lap }
  })
}

/** A commented play shares the first lap that has a record without time and text, and no other comment. */
function besideBlank(play: FilePlay, others: readonly RecordHere[], lap: number): number | undefined {
  if (!isCommented(play)) return undefined
  const taken = others.reduce((last, record) => (record.isCommented ? Math.max(last, record.lap) : last), lap)
  const free = others.filter((record) => !record.isCommented && record.lap > taken)
  return free.length === 0 ? undefined : Math.min(...free.map((record) => record.lap))
}
