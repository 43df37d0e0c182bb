import { trimmed } from '../../lib/white-space'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Score } from '../row'
import { datesOf, type FileDates } from './file-dates'
import type { ScoreFormat } from './planned-row'
import type { RowToPlan } from './row-to-plan'

/** What a row of a file says, in our terms. */
export interface Said extends FileDates {
  readonly status: StatusKind | null
  readonly rating: RatingState | null
  /** From 1 to 100 (D87). */
  readonly score: number | null
  readonly hasUnknownScale: boolean
  readonly note: string
  readonly rewatches: number
}

/** Reports, in English, what is left out of a row. */
export type Warn = (warning: string) => void

export function saidOf({ match: { row }, options, largestScore, now }: RowToPlan, warn: Warn): Said {
  if (row.error !== undefined) warn(row.error)
  const hints = { scoreFormat: options.scoreFormat, largest: largestScore }
  const scale = row.score && scaleOf(row.score, hints)
  return {
    status: row.status ?? null,
    rating: row.rating ?? (row.score && scale ? ratingOfScore(row.score.value, scale) : null),
    score: row.score && scale ? hundredthsOf(row.score.value, scale) : null,
    hasUnknownScale: row.rating === undefined && row.score !== undefined && scale === undefined,
    note: proseOf('the note', row.note, warn),
    rewatches: row.rewatches ?? 0,
    ...datesOf(row, { now, timeZone: options.timeZone }, warn),
  }
}

/** `scoreFormat` is the user's choice; `largest` is the file's largest score without a scale. */
interface ScaleHints {
  readonly scoreFormat: ScoreFormat | null
  readonly largest: number | null
}

/** The file's own scale takes precedence. Undefined if it is unknown and has to be asked for. */
function scaleOf(score: Score, { scoreFormat, largest }: ScaleHints): Scale | undefined {
  if (score.scale !== undefined) return score.scale
  if (scoreFormat !== null) return scales[scoreFormat]
  const most = Math.max(score.value, largest ?? 0)
  if (most > 10) return 100
  return most > 5 ? 10 : undefined
}

/** Out of ten: below 5 bad, below 7 average, below 9 good. */
function ratingOfScore(value: number, scale: Scale): RatingState | null {
  if (!(value > 0)) return null
  const tenths = scale === 3 ? (smileys[Math.round(value)] ?? 9) : (value * 10) / scale
  if (tenths < 5) return 'bad'
  if (tenths < 7) return 'average'
  return tenths < 9 ? 'good' : 'great'
}

function hundredthsOf(value: number, scale: Scale): number | null {
  if (!(value > 0)) return null
  const hundredths = scale === 3 ? (smileyScores[Math.round(value)] ?? 85) : Math.round((value * 100) / scale)
  return Math.min(100, Math.max(1, hundredths))
}

type Scale = NonNullable<Score['scale']>

const scales = { POINT_3: 3, POINT_5: 5, POINT_10: 10, POINT_100: 100 } as const satisfies Record<
  ScoreFormat,
  Scale
>

const smileys: Readonly<Record<number, number>> = { 1: 4, 2: 6, 3: 9 }

/** What AniList counts a smiley as. */
const smileyScores: Readonly<Record<number, number>> = { 1: 35, 2: 60, 3: 85 }

/** The text as far as it is allowed here (D12, D13): the first 10,000 characters. */
export function proseOf(what: string, text: string | undefined, warn: Warn = () => {}): string {
  if (text === undefined || text === '') return ''
  const clean = trimmed(text.replaceAll('\0', '').toWellFormed())
  if (clean.length <= maxProse) return clean
  const characters = [...clean]
  if (characters.length <= maxProse) return clean
  warn(`${what} is cut to ${maxProse} characters`)
  return trimmed(characters.slice(0, maxProse).join(''))
}

const maxProse = 10_000
