import { quarters } from '../../catalogue/season'
import { localTime } from '../../lib/local-time'
import type { RunScope } from '../source'

/** What the administrator asked for; everything is optional. */
export interface AskedScope {
  readonly seasons?: readonly string[]
  readonly since?: string | undefined
  readonly isFull?: boolean
  readonly limit?: number | undefined
}

/** `now` is in epoch milliseconds. */
export function scopeOf({ seasons = [], since, isFull = false, limit }: AskedScope, now: number): RunScope {
  const { year, month, day } = localTime(now, 'Asia/Tokyo')
  const current = year * 4 + Math.floor((month - 1) / 3)
  const usual = [-2, -1, 0, 1, 2].map((distance) => seasonAt(current + distance))
  return {
    today: [year, pad(month), pad(day)].join('-'),
    seasons: seasons.length === 0 ? usual : seasons,
    ...(seasons.length > 0 && { hasOwnSeasons: true }),
    since,
    isFull,
    limit,
  }
}

export const isUsual = ({ seasons = [], since, isFull = false, limit }: AskedScope): boolean =>
  seasons.length === 0 && since === undefined && !isFull && limit === undefined

/** The same text for scopes that differ only in the day. */
export const scopeKey = ({ today: _, ...others }: RunScope): string => JSON.stringify(others)

const seasonAt = (index: number) => `${Math.floor(index / 4)}-${quarters[index % 4]}`

const pad = (part: number) => String(part).padStart(2, '0')
