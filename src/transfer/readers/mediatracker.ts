import { jsonValues } from '../file/json'
import type { Play, Row, WorkRef } from '../row'
import { countIn, dayIn, type Fields, fieldsOf, idIn, listOf, scoreIn, textIn } from './fields'
import type { Contents, Reader } from './reader'

const forms = [
  { prefix: '', path: '$' },
  { prefix: '[].', path: '$.*' },
  { prefix: 'data[].', path: '$.data.*' },
] as const

const formOf = (contents: Contents) =>
  forms.find(({ prefix }) => {
    const has = (place: string) => contents.kind === 'json' && contents.places.has(`${prefix}${place}`)
    return has('seenHistory') && (has('tmdbId') || has('mediaItem.tmdbId'))
  })

/** Answers of the API with the details of a title: one, several after one another, a list, or pages of one. */
export const mediatracker: Reader = {
  source: 'mediatracker',
  recognises: (contents) => formOf(contents) !== undefined,
  rows: async function* (contents) {
    const form = formOf(contents)
    if (contents.kind === 'json' && form !== undefined)
      for await (const { value } of jsonValues(contents.file, form.path)) yield rowOf(fieldsOf(value))
  },
}

function rowOf(answer: Fields): Row {
  const item = { ...answer, ...fieldsOf(answer.mediaItem) }
  const isMovie = item.mediaType === 'movie'
  const { rating, review } = fieldsOf(item.userRating)
  const score = scoreIn(rating)
  const plays = playsIn(item)
  return {
    sourceId: textIn(item.id) || textIn(item.tmdbId),
    title: textIn(item.originalTitle) || textIn(item.title),
    refs: refsOf(item, isMovie),
    year: countIn(dayIn(item.releaseDate)?.slice(0, 4)),
    media: isMovie ? 'movie' : undefined,
    status: plays.length === 0 && item.onWatchlist === true ? 'wanna_watch' : undefined,
    plays,
    score: score === undefined ? undefined : { value: score, scale: 5 },
    note: textIn(review),
    mayBeOther: true,
    ...(!isMovie && textIn(item.mediaType || 'tv') !== 'tv' && { skipped: 'not_anime' }),
  }
}

/** A time seen names its episode by the id that it has in the seasons. */
function playsIn(item: Fields): readonly Play[] {
  const episodes = new Map(
    listOf(item.seasons)
      .flatMap((season) => listOf(fieldsOf(season).episodes))
      .map((one) => [textIn(fieldsOf(one).id), fieldsOf(one)]),
  )
  return listOf(item.seenHistory).map((one) => {
    const { date, episodeId } = fieldsOf(one)
    const { seasonNumber, episodeNumber } = episodes.get(textIn(episodeId)) ?? {}
    const watchedAt = typeof date === 'number' && date > 0 ? date : undefined
    return { season: countIn(seasonNumber), episode: countIn(episodeNumber) ?? 0, watchedAt }
  })
}

function refsOf(item: Fields, isMovie: boolean): readonly WorkRef[] {
  const [tmdb, tvdb] = [idIn(item.tmdbId), idIn(item.tvdbId)]
  return [
    ...(tmdb === undefined ? [] : [{ site: 'tmdb', id: `${isMovie ? 'movie' : 'tv'}/${tmdb}` } as const]),
    ...(tvdb === undefined || isMovie ? [] : [{ site: 'tvdb', id: tvdb } as const]),
  ]
}
