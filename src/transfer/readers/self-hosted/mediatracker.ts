import type { ListRow, Play } from '../../row'
import { countIn, dayIn, type Fields, fieldsOf, objectsIn, textIn } from '../fields'
import { type Contents, type ListReader, rowsAt } from '../reader'
import { refAt, refAtTmdb, scoreOf } from '../row-parts'

const forms = [
  { prefix: '', path: '$' },
  { prefix: '[].', path: '$.*' },
  { prefix: 'data[].', path: '$.data.*' },
] as const

const formOf = ({ places }: Contents) =>
  forms.find(({ prefix }) => {
    const has = (place: string) => places.has(`${prefix}${place}`)
    return has('seenHistory') && (has('tmdbId') || has('mediaItem.tmdbId'))
  })

/** API answers with the details of titles: one, several in a row, a list, or pages of it. */
export const mediatracker: ListReader = {
  source: 'mediatracker',
  recognises: (contents) => formOf(contents) !== undefined,
  rows: async function* (contents) {
    const form = formOf(contents)
    if (form !== undefined) yield* rowsAt(form.path, mediatrackerRow)(contents.file)
  },
}

function mediatrackerRow(answer: Fields): ListRow {
  const item = { ...answer, ...fieldsOf(answer.mediaItem) }
  const isMovie = item.mediaType === 'movie'
  const { rating, review } = fieldsOf(item.userRating)
  const plays = playsIn(item)
  return {
    sourceId: textIn(item.id) || textIn(item.tmdbId),
    title: textIn(item.originalTitle) || textIn(item.title),
    refs: [...refAtTmdb(isMovie, item.tmdbId), ...(isMovie ? [] : refAt('tvdb', item.tvdbId))],
    year: countIn(dayIn(item.releaseDate)?.slice(0, 4)),
    media: isMovie ? 'movie' : undefined,
    status: plays.length === 0 && item.onWatchlist === true ? 'wanna_watch' : undefined,
    plays,
    score: scoreOf(rating, 5),
    note: textIn(review),
    mayBeOther: true,
    ...(!isMovie && textIn(item.mediaType || 'tv') !== 'tv' && { skipped: 'not_anime' }),
  }
}

/** A viewing names its episode by the id used in `seasons`. */
function playsIn(item: Fields): readonly Play[] {
  const episodes = new Map(
    objectsIn(item.seasons)
      .flatMap(({ episodes }) => objectsIn(episodes))
      .map((one) => [textIn(one.id), one]),
  )
  return objectsIn(item.seenHistory).map(({ date, episodeId }) => {
    const { seasonNumber, episodeNumber } = episodes.get(textIn(episodeId)) ?? {}
    const watchedAt = typeof date === 'number' && date > 0 ? date : undefined
    return { season: countIn(seasonNumber), episode: countIn(episodeNumber) ?? 0, watchedAt }
  })
}
