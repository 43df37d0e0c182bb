import type { RatingState } from '../../library/ratings'
import { isExact } from '../../library/watched'
import type { OwnPlay } from '../row'
import type { KnownMoment } from './file-dates'
import type { RecordHere } from './here'

/** A play of one episode or film, as a file has it. */
export interface FilePlay {
  /** Null if the time is unknown. */
  readonly moment: KnownMoment | null
  readonly ratingState: RatingState | null
  /** From 1 to 100 (D87). */
  readonly score: number | null
  readonly comment: string
  readonly own?: OwnPlay | undefined
}

/** Two plays at most this far apart count as one. */
export const sittingMs = 12 * 60 * 60 * 1000

/** By time, unknown times last. Keeps one play per sitting, unless they say different things. */
export function oncePerSitting<P extends FilePlay>(plays: readonly P[]): readonly P[] {
  if (plays.length < 2) return plays
  const kept: P[] = []
  for (const play of plays.toSorted((one, other) => timeOf(one) - timeOf(other) || 0)) {
    const last = kept.at(-1)
    const isApart = last === undefined || play.moment === null || timeOf(play) - timeOf(last) > sittingMs
    if (isApart || (isCommented(play) && isCommented(last) && !isSame(play, last))) kept.push(play)
    else if (isCommented(play) && !isCommented(last)) kept.splice(-1, 1, play)
  }
  return kept
}

/** Plays that have no record yet, in the same order. A record at an unknown time may be any play. */
export function missingPlays<P extends FilePlay>(
  plays: readonly P[],
  records: readonly RecordHere[],
): readonly P[] {
  if (records.length === 0 && plays.length < 2) return plays
  const { dated, others } = byTime(records)
  const lacking = new Set(uncommented(plays.filter(isCommented), records))
  let spare = others.length
  for (const play of plays) {
    if (isCommented(play) || play.moment === null || isNear(dated, play.moment.at)) continue
    if (spare > 0) spare -= 1
    else lacking.add(play)
  }
  const known = records.length + lacking.size
  for (const play of plays.filter((each) => each.moment === null && !isCommented(each)).slice(known))
    lacking.add(play)
  return plays.filter((play) => lacking.has(play))
}

export const isCommented = ({ comment, ratingState, score }: FilePlay): boolean =>
  comment !== '' || ratingState !== null || score !== null

/** `dated`: the records with known times, by time. */
export function byTime(records: readonly RecordHere[]) {
  const dated = records.filter(({ precision }) => isExact(precision))
  return {
    dated: dated.toSorted((one, other) => one.watchedAt - other.watchedAt),
    others: records.filter(({ precision }) => !isExact(precision)),
  }
}

/** The first of the records, sorted by time, in the same sitting; undefined if there is none. */
export function nearRecord(dated: readonly RecordHere[], at: number): RecordHere | undefined {
  let [low, high] = [0, dated.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((dated[middle]?.watchedAt ?? 0) < at - sittingMs) low = middle + 1
    else high = middle
  }
  const found = dated[low]
  return found !== undefined && found.watchedAt <= at + sittingMs ? found : undefined
}

const isNear = (dated: readonly RecordHere[], at: number): boolean => nearRecord(dated, at) !== undefined

const timeOf = ({ moment }: FilePlay): number => moment?.at ?? Number.MAX_SAFE_INTEGER

const isSame = (one: FilePlay, other: FilePlay): boolean =>
  one.comment === other.comment && one.ratingState === other.ratingState && one.score === other.score

/**
 * A record with a comment or rating accounts for one such play: at the same time if possible, else in the same
 * sitting.
 */
function uncommented<P extends FilePlay>(plays: readonly P[], records: readonly RecordHere[]): readonly P[] {
  const commented = records.filter((record) => record.isCommented)
  if (commented.length === 0) return plays
  const times = new Map<number, number>()
  for (const { watchedAt } of commented) times.set(watchedAt, (times.get(watchedAt) ?? 0) + 1)
  const left = plays.filter(({ moment }) => !takeOne(times, moment?.at))
  const free = commented
    .filter(({ watchedAt }) => takeOne(times, watchedAt))
    .toSorted((one, other) => one.watchedAt - other.watchedAt)
  let [next, taken] = [0, 0]
  return left.filter((play) => {
    if (play.moment === null) return taken++ >= free.length
    while (next < free.length && (free[next]?.watchedAt ?? 0) < play.moment.at - sittingMs) next += 1
    const isFound = next < free.length && (free[next]?.watchedAt ?? 0) <= play.moment.at + sittingMs
    if (isFound) [next, taken] = [next + 1, taken + 1]
    return !isFound
  })
}

function takeOne(times: Map<number, number>, at: number | undefined): boolean {
  const left = at === undefined ? 0 : (times.get(at) ?? 0)
  if (at !== undefined && left > 0) times.set(at, left - 1)
  return left > 0
}
