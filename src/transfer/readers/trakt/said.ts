import type { RatingState } from '../../../library/ratings'
import { type Counts, createCounts } from '../../counts'
import type { Play, Row } from '../../row'
import { type Fields, fieldsOf, instantIn, scoreIn, textIn } from '../fields'
import { keyOf, placeOf, rowOf, titleKeyOf } from './subject'

type SaidOfTitle = Pick<Row, 'score' | 'note' | 'updatedAt'>

export interface Said {
  readonly counts: Counts
  rate(item: Fields): void
  comment(item: Fields): void
  /** The rating and comment for the plays of an episode. */
  ofEpisode(item: Fields): Pick<Play, 'rating' | 'comment'>
  /** What belongs to the row of a title; returned once. */
  takeTitle(key: string): SaidOfTitle
  /** Series, seasons and films that were not taken. */
  rows(): Iterable<Row>
}

/** Ratings and comments. Those of an episode are added to its plays and never create one. */
export function createSaid(): Said {
  const counts = createCounts()
  const titles = new Map<string, { readonly row: Row; said: SaidOfTitle }>()
  const [ratings, comments]: [OfEpisodes<RatingState>, OfEpisodes<string>] = [new Map(), new Map()]
  const sayOfTitle = (item: Fields, said: SaidOfTitle): void => {
    const key = titleKeyOf(item)
    const title = titles.get(key)
    if (title === undefined) {
      counts.add('titles')
      titles.set(key, { row: rowOf(item), said })
    } else title.said = { ...title.said, ...said }
  }
  const sayOfEpisode = <T>(map: OfEpisodes<T>, item: Fields, said: T): void => {
    counts.add('plays')
    const series = keyOf(item)
    const episodes = map.get(series) ?? new Map<number, T>()
    map.set(series, episodes.set(placeNumber(item), said))
  }
  const rate = (item: Fields): void => {
    const value = scoreIn(item.rating)
    if (value === undefined) return
    if (item.episode !== undefined) sayOfEpisode(ratings, item, ratingOf(value))
    else sayOfTitle(item, { score: { value, scale: 10 }, updatedAt: instantIn(item.rated_at) })
  }
  const comment = (item: Fields): void => {
    const { comment, updated_at, created_at } = fieldsOf(item.comment)
    const text = counts.kept(textIn(comment))
    if (item.episode !== undefined) sayOfEpisode(comments, item, text)
    else sayOfTitle(item, { note: text, updatedAt: instantIn(updated_at) ?? instantIn(created_at) })
  }
  const ofEpisode = (item: Fields) => {
    if (ratings.size + comments.size === 0) return nothing
    const [series, place] = [keyOf(item), placeNumber(item)]
    return { rating: ratings.get(series)?.get(place), comment: comments.get(series)?.get(place) }
  }
  const takeTitle = (key: string): SaidOfTitle => {
    const { said } = titles.get(key) ?? { said: nothing }
    titles.delete(key)
    return said
  }
  const rows = () => titles.values().map(({ row, said }) => ({ ...row, ...said }))
  return { counts, rate, comment, ofEpisode, takeTitle, rows }
}

/** By series, then by `placeNumber`: with a string key per episode, 250,000 ratings took 36 MiB more. */
type OfEpisodes<T> = Map<string, Map<number, T>>

function placeNumber(item: Fields): number {
  const { season = -1, episode } = placeOf(item)
  return season * 1e9 + episode
}

const nothing = {}

/** The same steps as for scores of works. */
function ratingOf(ten: number): RatingState {
  if (ten <= 4) return 'bad'
  if (ten <= 6) return 'average'
  return ten <= 8 ? 'good' : 'great'
}
