import { type RatingState, ratingStates } from '../../library/ratings'
import type { ReaderCounts } from '../counts'
import type { Play } from '../row'

/** A play whose time, if known, is an instant. */
export interface TimedPlay extends Play {
  readonly watchedAt?: number | undefined
}

/** A linked list: the indexes of its first and last play, -1 if empty. */
export interface PlayList {
  first: number
  last: number
}

export const noPlays = (): PlayList => ({ first: -1, last: -1 })

const chunkSize = 8192
const fields = 4

/** 24 bytes per play, without comments: as objects, 500,000 of them took 100 MiB. Lists may grow in any order. */
export class Plays {
  readonly #chunks: { readonly numbers: Int32Array; readonly times: Float64Array }[] = []
  readonly #comments = new Map<number, string>()
  #size = 0

  constructor(private readonly counts: ReaderCounts) {}

  add(list: PlayList, play: TimedPlay): void {
    this.counts.add('plays')
    const at = this.#size++
    this.#write(at, play)
    if (play.comment) this.#comments.set(at, this.counts.kept(play.comment))
    if (list.first < 0) list.first = at
    else this.#chunkOf(list.last).numbers[(list.last % chunkSize) * fields + 3] = at
    list.last = at
  }

  of(list: PlayList): readonly Play[] {
    const plays: Play[] = []
    for (let at = list.first; at >= 0; ) {
      const { numbers, times } = this.#chunkOf(at)
      const start = (at % chunkSize) * fields
      const [season, watchedAt] = [numbers[start] ?? -1, times[at % chunkSize] ?? Number.NaN]
      plays.push({
        season: season < 0 ? undefined : season,
        episode: numbers[start + 1] ?? 0,
        watchedAt: Number.isNaN(watchedAt) ? undefined : watchedAt,
        ...opinionIn(numbers[start + 2] ?? 0),
        comment: this.#comments.get(at) ?? '',
      })
      at = numbers[start + 3] ?? -1
    }
    return plays
  }

  #write(at: number, { season, episode, rating, score, watchedAt }: TimedPlay): void {
    if (at % chunkSize === 0)
      this.#chunks.push({
        numbers: new Int32Array(chunkSize * fields),
        times: new Float64Array(chunkSize),
      })
    const { numbers, times } = this.#chunkOf(at)
    const start = (at % chunkSize) * fields
    numbers[start] = season ?? -1
    numbers[start + 1] = episode
    numbers[start + 2] = opinionNumber(rating, score)
    numbers[start + 3] = -1
    times[at % chunkSize] = watchedAt ?? Number.NaN
  }

  #chunkOf(at: number) {
    const chunk = this.#chunks[Math.floor(at / chunkSize)]
    if (chunk === undefined) throw new RangeError(`There is no play ${at}.`)
    return chunk
  }
}

/** Word and score in one number; 0 is none. */
const opinionNumber = (rating: RatingState | undefined, score = 0): number =>
  score * 8 + (rating === undefined ? 0 : ratingStates.indexOf(rating) + 1)

const opinionIn = (number: number): Pick<Play, 'rating' | 'score'> => ({
  rating: ratingStates[(number % 8) - 1],
  score: Math.floor(number / 8) || undefined,
})
