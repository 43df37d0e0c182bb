import { maxEpisodes } from '../../library/next-episode'
import type { ListRow } from '../row'
import { type FileClock, isDay, noonOf } from './file-dates'
import type { EpisodeHere, Here } from './here'
import { grownTo } from './here-after'
import { lapped, newLaps } from './new-laps'
import { missingSkips } from './own/own-marks'
import { missingOwn } from './own/own-plays'
import { placesIn } from './place'
import type { NewImportedLap, NewImportedRecord, NewImportedSkip, ShownRecord } from './planned-row'
import { playsByPlace } from './row-plays'
import type { RowToPlan } from './row-to-plan'
import type { Said, Warn } from './said'
import { type FilePlay, missingPlays } from './sittings'

export interface PlannedEpisodes {
  readonly growsTo: number | null
  readonly laps: readonly NewImportedLap[]
  readonly records: readonly NewImportedRecord[]
  readonly skips: readonly NewImportedSkip[]
  readonly shown: readonly ShownRecord[]
  /** Number of episodes with a record afterwards. */
  readonly watched: number
  readonly hasPlays: boolean
  /** No episode is missing afterwards, and the work's length is known. */
  readonly isComplete: boolean
}

export const noEpisodes: PlannedEpisodes = {
  growsTo: null,
  laps: [],
  records: [],
  skips: [],
  shown: [],
  watched: 0,
  hasPlays: false,
  isComplete: false,
}

/** The records that a row adds to a work with episodes: first its plays, then its progress. */
export function planEpisodes(
  { match, options, now }: RowToPlan,
  here: Here,
  said: Said,
  warn: Warn,
): PlannedEpisodes {
  const { growsTo } = match
  const isComplete = options.completesWatched && match.row.mayBeComplete === true
  const row: ListRow = isComplete ? { ...match.row, progress: 'all', watched: undefined } : match.row
  const clock = { now, timeZone: options.timeZone }
  const episodes = grownTo(here.episodes, here.mayGrow ? Math.min(growsTo ?? 0, maxEpisodes) : 0)
  const plays = playsByPlace(row, episodes, clock, warn)
  const played = newPlays(plays, episodes, clock)
  const recorded = new Set(played.map(({ index }) => index))
  for (const [index, { records }] of episodes.entries()) if (records.length > 0) recorded.add(index)
  const lacking = progressOf(row, episodes).filter((index) => !recorded.has(index))
  for (const index of lacking) recorded.add(index)
  const records = [...played, ...lacking.map((index) => undated(index, now))]
  const skips = missingSkips(row.own?.skips ?? [], episodes, now)
  return {
    growsTo: episodes.length > here.episodes.length ? episodes.length : null,
    laps: newLaps({ records, skips }, row.own?.laps ?? [], { current: here.lap, now }),
    skips,
    records: withDates(records, said, { row, last: episodes.length - 1, clock }),
    shown: shownPlays(plays, played),
    watched: recorded.size,
    hasPlays: plays.length > 0,
    isComplete: here.hasKnownLength && recorded.size === episodes.length,
  }
}

type Plays = ReturnType<typeof playsByPlace>

function newPlays(
  plays: Plays,
  episodes: readonly EpisodeHere[],
  clock: FileClock,
): readonly NewImportedRecord[] {
  const made = plays.flatMap(([index, some]) => {
    const records = episodes[index]?.records ?? []
    const own = some.some((play) => play.own !== undefined)
    const missing = own ? missingOwn(some, records) : missingPlays(some, records)
    return lapped(missing, records).map(({ play, lap }) => recordOf(play, index, lap, clock))
  })
  return made.toSorted((one, other) => one.createdAt - other.createdAt || one.index - other.index)
}

function recordOf(
  { moment, ratingState, score, comment, own }: FilePlay,
  index: number,
  lap: number,
  { now }: FileClock,
): NewImportedRecord {
  const createdAt = Math.min(now, own?.createdAt ?? moment?.at ?? now)
  return {
    index,
    lap: own?.lap ?? lap,
    ratingState,
    score,
    comment,
    watchedAt: moment?.at ?? createdAt,
    precision: moment?.precision ?? 'none',
    createdAt,
    isModified: own?.isModified ?? false,
    shares: own?.shares,
    isPrivate: own?.isPrivate,
    points: own?.points ?? null,
  }
}

const undated = (index: number, now: number): NewImportedRecord =>
  recordOf({ moment: null, ratingState: null, score: null, comment: '' }, index, 1, { now, timeZone: 'UTC' })

/** The first episodes up to a number, or individual ones. */
function progressOf(row: ListRow, episodes: readonly EpisodeHere[]): readonly number[] {
  if (row.watched !== undefined) {
    const placeOf = placesIn(episodes)
    return [...new Set(row.watched.flatMap((number) => placeOf(number) ?? []))].toSorted((a, b) => a - b)
  }
  const count = row.progress === 'all' ? episodes.length : (row.progress ?? 0)
  return Array.from({ length: Math.min(count, episodes.length) }, (_, index) => index)
}

/**
 * The list's dates say when the first episode was watched, and the last one if all were. kiroku's own file has a date for
 * each record instead.
 */
function withDates(
  records: readonly NewImportedRecord[],
  { startedOn, finishedOn, status }: Said,
  { row, last, clock }: { row: ListRow; last: number; clock: FileClock },
): readonly NewImportedRecord[] {
  if (row.own !== undefined) return records
  const end = status === 'watched' || row.progress === 'all' ? lastOf(row, last) : last
  return records.map((record) => {
    if (record.precision !== 'none' || record.lap > 1) return record
    const finished = record.index === end && isDay(finishedOn) ? finishedOn : null
    const day = finished ?? (record.index === 0 && isDay(startedOn) ? startedOn : null)
    if (day === null) return record
    const noon = noonOf(day, clock)
    return { ...record, watchedAt: noon, precision: 'day', createdAt: noon }
  })
}

const lastOf = ({ progress }: ListRow, last: number): number =>
  typeof progress === 'number' ? Math.min(last, progress - 1) : last

/** At most a hundred. Plays that are already recorded get their lap from the order. */
function shownPlays(
  plays: ReturnType<typeof playsByPlace>,
  played: readonly NewImportedRecord[],
): readonly ShownRecord[] {
  const laps = new Map(played.map((record) => [playKey(record.index, record), record.lap]))
  return plays
    .flatMap(([index, some]) =>
      some.flatMap((play, at) => {
        const { moment, ratingState, comment } = play
        if (moment === null && ratingState === null && comment === '') return []
        const watched = { watchedAt: moment?.at ?? null, precision: moment?.precision ?? 'none' } as const
        const lap = laps.get(playKey(index, { ...watched, comment })) ?? at + 1
        return [{ episode: index + 1, ...watched, lap, ratingState, comment }]
      }),
    )
    .slice(0, 100)
}

const playKey = (
  index: number,
  { watchedAt, precision, comment }: Pick<ShownRecord, 'watchedAt' | 'precision' | 'comment'>,
) => `${index} ${precision === 'none' ? '' : watchedAt} ${comment}`
