import { isExact } from '../../../library/watched'
import type { OwnPlay, Play } from '../../row'
import type { FileClock, KnownMoment } from '../file-dates'
import type { RecordHere } from '../here'
import { byTime, type FilePlay, isCommented, nearRecord } from '../sittings'

/** For kiroku's own file, which states how exactly a time is known. */
export function ownMoment(
  { watchedAt }: Play,
  { precision }: OwnPlay,
  { now }: FileClock,
): KnownMoment | null {
  if (precision === 'none' || typeof watchedAt !== 'number' || !Number.isSafeInteger(watchedAt)) return null
  return watchedAt < earliest || watchedAt > now + dayMs ? null : { at: watchedAt, precision }
}

/** Each play of kiroku's own file is a record. A record imported from elsewhere counts as the same one if it may be. */
export function missingOwn(plays: readonly FilePlay[], records: readonly RecordHere[]): readonly FilePlay[] {
  if (records.length === 0) return plays
  const left = Map.groupBy(records, ({ precision, watchedAt, lap }) => momentKey(precision, watchedAt, lap))
  const missing = plays.filter(
    ({ moment, own }) =>
      left.get(momentKey(moment?.precision ?? 'none', moment?.at ?? 0, own?.lap ?? 1))?.pop() === undefined,
  )
  const { dated, others } = byTime([...left.values()].flat())
  let spare = others.filter((record) => !record.isCommented).length
  return missing.filter((play) => {
    if (isCommented(play)) return true
    if (isDated(play) && nearRecord(dated, play.moment?.at ?? 0) !== undefined) return false
    spare -= 1
    return spare < 0
  })
}

const isDated = ({ moment }: FilePlay): boolean => moment !== null && isExact(moment.precision)

const momentKey = (precision: string, at: number, lap: number) => `${precision === 'none' ? '' : at} ${lap}`

const earliest = Date.UTC(1900, 0)
const dayMs = 86_400_000
