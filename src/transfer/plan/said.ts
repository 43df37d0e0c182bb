import { trimmed } from '../../lib/white-space'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import { datesOf, type FileDates } from './file-dates'
import type { RowToPlan } from './row-to-plan'
import { ratingOfScore, scaleOf } from './score'

/** What a row of a file says, in our terms. */
export interface Said extends FileDates {
  readonly status: StatusKind | null
  readonly rating: RatingState | null
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
    hasUnknownScale: row.rating === undefined && row.score !== undefined && scale === undefined,
    note: proseOf('the note', row.note, warn),
    rewatches: row.rewatches ?? 0,
    ...datesOf(row, { now, timeZone: options.timeZone }, warn),
  }
}

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
