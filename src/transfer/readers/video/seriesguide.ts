import type { StatusKind } from '../../../library/statuses'
import type { ListRow } from '../../row'
import { countIn, type Fields, objectsIn, textIn } from '../fields'
import { type ListReader, rowsAt } from '../reader'
import { refAt, refAtTmdb, scoreOf } from '../row-parts'

/** The backup of series, whose episodes were watched at unknown times. */
export const seriesguideShows: ListReader = {
  source: 'seriesguide',
  recognises: ({ places }) =>
    places.has('[].seasons[].season') && places.has('[].seasons[].episodes[].episode'),
  rows: ({ file }) => rowsAt('$.*', showOf)(file),
}

/** The backup of films. */
export const seriesguideMovies: ListReader = {
  source: 'seriesguide',
  recognises: ({ places }) => places.has('[].released_utc_ms') && places.has('[].in_watchlist'),
  rows: ({ file }) => rowsAt('$.*', movieOf)(file),
}

function showOf(show: Fields): ListRow {
  const plays = objectsIn(show.seasons).flatMap(({ season, episodes }) =>
    objectsIn(episodes)
      .filter(({ watched }) => watched === true)
      .map(({ episode }) => ({ season: countIn(season), episode: countIn(episode) ?? 0 })),
  )
  const score = scoreOf(show.rating_user, 10)
  const note = textIn(show.user_note)
  return {
    ...told(show, false),
    refs: [...refAtTmdb(false, show.tmdb_id), ...refAt('tvdb', show.tvdb_id)],
    year: countIn(textIn(show.first_aired).slice(0, 4)),
    plays,
    score,
    note,
    ...(plays.length === 0 && score === undefined && note === '' && { skipped: 'nothing_to_import' }),
  }
}

function movieOf(movie: Fields): ListRow {
  const released = movie.released_utc_ms
  const status: StatusKind | undefined = movie.in_watchlist === true ? 'wanna_watch' : undefined
  return {
    ...told(movie, true),
    refs: refAtTmdb(true, movie.tmdb_id),
    year: typeof released === 'number' && released > 0 ? yearOf(released) : undefined,
    media: 'movie',
    status: movie.watched === true ? 'watched' : status,
    score: scoreOf(movie.rating_user, 10),
  }
}

const yearOf = (at: number): number | undefined => {
  const year = new Date(at).getUTCFullYear()
  return Number.isNaN(year) ? undefined : year
}

const told = (title: Fields, isMovie: boolean) => ({
  sourceId: `${isMovie ? 'movie/' : ''}${textIn(title.tmdb_id) || textIn(title.tvdb_id)}`,
  title: textIn(title.title),
  mayBeOther: true,
})
