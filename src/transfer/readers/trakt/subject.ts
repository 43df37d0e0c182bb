import type { Row } from '../../row'
import { countIn, type Fields, fieldsOf, textIn } from '../fields'
import { refAt, refAtTmdb } from '../row-parts'

/** The same for all items about one film or one series. */
export function keyOf(item: Fields): string {
  const { trakt, tmdb } = fieldsOf(fieldsOf(item.movie ?? item.show).ids)
  return `${item.movie === undefined ? 'show' : 'movie'}/${textIn(trakt)}/${textIn(tmdb)}`
}

const seasonOf = (item: Fields): number | undefined => countIn(fieldsOf(item.season).number)

/** The same for all items about one film, one series, or one season of it. */
export const titleKeyOf = (item: Fields): string => `${keyOf(item)}/${seasonOf(item)}`

/** The film or the series, with the season number if the item is about a season. */
export function rowOf(item: Fields): Row {
  const isMovie = item.movie !== undefined
  const title = fieldsOf(item.movie ?? item.show)
  const [ids, season] = [fieldsOf(title.ids), seasonOf(item)]
  return {
    sourceId: textIn(ids.trakt),
    title: textIn(title.title),
    refs: [...refAtTmdb(isMovie, ids.tmdb, season), ...(isMovie ? [] : refAt('tvdb', ids.tvdb, season))],
    year: countIn(title.year),
    media: isMovie ? 'movie' : undefined,
  }
}

/** Season and number of the episode that an item is about; 0 for a film. */
export function placeOf(item: Fields): { readonly season: number | undefined; readonly episode: number } {
  const { season, number } = fieldsOf(item.episode)
  return { season: countIn(season), episode: countIn(number) ?? 0 }
}
