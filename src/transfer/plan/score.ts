import type { RatingState } from '../../library/ratings'
import type { Score } from '../row'
import type { ScoreFormat } from './planned-row'

/** `scoreFormat` is what a person chose; `largest` is the largest score of the file that has no scale. */
export interface ScaleHints {
  readonly scoreFormat: ScoreFormat | null
  readonly largest: number | null
}

/** The file's own scale goes first. Undefined: nothing tells it, so that it must be asked. */
export function scaleOf(score: Score, { scoreFormat, largest }: ScaleHints): Scale | undefined {
  if (score.scale !== undefined) return score.scale
  if (scoreFormat !== null) return scales[scoreFormat]
  const most = Math.max(score.value, largest ?? 0)
  if (most > 10) return 100
  return most > 5 ? 10 : undefined
}

/** Up to 4 of 10 is bad, 5 to 6 average, 7 to 8 good; what is between them counts downwards. */
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
