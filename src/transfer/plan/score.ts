import type { RatingState } from '../../library/ratings'
import type { Score } from '../row'
import type { ScoreFormat } from './planned-row'

/** `scoreFormat` is the user's choice; `largest` is the file's largest score without a scale. */
export interface ScaleHints {
  readonly scoreFormat: ScoreFormat | null
  readonly largest: number | null
}

/** The file's own scale takes precedence. Undefined if it is unknown and has to be asked for. */
export function scaleOf(score: Score, { scoreFormat, largest }: ScaleHints): Scale | undefined {
  if (score.scale !== undefined) return score.scale
  if (scoreFormat !== null) return scales[scoreFormat]
  const most = Math.max(score.value, largest ?? 0)
  if (most > 10) return 100
  return most > 5 ? 10 : undefined
}

/** Out of ten: below 5 bad, below 7 average, below 9 good. */
export function ratingOfScore(value: number, scale: Scale): RatingState | null {
  if (!(value > 0)) return null
  const tenths = scale === 3 ? (smileys[Math.round(value)] ?? 9) : (value * 10) / scale
  if (tenths < 5) return 'bad'
  if (tenths < 7) return 'average'
  return tenths < 9 ? 'good' : 'great'
}

type Scale = NonNullable<Score['scale']>

const scales = { POINT_3: 3, POINT_5: 5, POINT_10: 10, POINT_100: 100 } as const satisfies Record<
  ScoreFormat,
  Scale
>

const smileys: Readonly<Record<number, number>> = { 1: 4, 2: 6, 3: 9 }
