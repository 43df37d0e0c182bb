import type { RecordHere } from './here'
import { byTime, type FilePlay, isCommented, nearRecord, sittingMs } from './sittings'

/** Gives missing plays of an episode, by time, the laps after those of its earlier records (D63). */
export function lapped<P extends FilePlay>(
  missing: readonly P[],
  records: readonly RecordHere[],
): readonly { readonly play: P; readonly lap: number }[] {
  const { dated, others } = byTime(records)
  let passed = 0
  let lap = lastLap(others)
  let lastAt = Number.NEGATIVE_INFINITY
  // A record without time or text takes a comment beside it.
  const blank = others.filter((record) => !record.isCommented)
  return missing.map((play) => {
    const at = play.moment?.at ?? Number.MAX_SAFE_INTEGER
    for (; (dated[passed]?.watchedAt ?? at) < at - sittingMs; passed++)
      lap = Math.max(lap, dated[passed]?.lap ?? 0)
    const beside = nearRecord(dated, at)?.lap ?? (isCommented(play) ? blank.shift()?.lap : undefined)
    const isSameSitting = at - lastAt <= sittingMs && play.moment !== null
    const own = beside ?? (isSameSitting ? lap : lap + 1)
    lap = Math.max(lap, own)
    lastAt = at
    return { play, lap: own }
  })
}

const lastLap = (records: readonly RecordHere[]): number =>
  records.reduce((last, { lap }) => Math.max(last, lap), 0)
