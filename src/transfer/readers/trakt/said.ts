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
  /** What goes with the plays of an episode. */
  ofEpisode(item: Fields): Pick<Play, 'rating' | 'comment'>
  /** What goes with the row of a title, once. */
  takeTitle(key: string): SaidOfTitle
  /** Of series, seasons and films that were not taken. */
  rows(): Iterable<Row>
}

/** Ratings and comments. Those of an episode belong to its plays: alone they make none. */
export function createSaid(): Said {
  const counts = createCounts()
  const titles = new Map<string, { readonly row: Row; said: SaidOfTitle }>()
  const [ratings, comments] = [new Map<string, RatingState>(), new Map<string, string>()]
  const sayOfTitle = (item: Fields, said: SaidOfTitle): void => {
    const key = titleKeyOf(item)
    const title = titles.get(key)
    if (title === undefined) {
      counts.add('titles')
      titles.set(key, { row: rowOf(item), said })
    } else title.said = { ...title.said, ...said }
  }
  const sayOfEpisode = <T>(map: Map<string, T>, item: Fields, said: T): void => {
    counts.add('plays')
    map.set(episodeKey(item), said)
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
    const key = episodeKey(item)
    return { rating: ratings.get(key), comment: comments.get(key) }
  }
  const takeTitle = (key: string): SaidOfTitle => {
    const { said } = titles.get(key) ?? { said: nothing }
    titles.delete(key)
    return said
  }
  const rows = () => titles.values().map(({ row, said }) => ({ ...row, ...said }))
  return { counts, rate, comment, ofEpisode, takeTitle, rows }
}

function episodeKey(item: Fields): string {
  const { season, episode } = placeOf(item)
  return `${keyOf(item)}/${season}/${episode}`
}

const nothing = {}

/** As scores of works are told (import-formats.md §4.0). */
function ratingOf(ten: number): RatingState {
  if (ten <= 4) return 'bad'
  if (ten <= 6) return 'average'
  return ten <= 8 ? 'good' : 'great'
}
