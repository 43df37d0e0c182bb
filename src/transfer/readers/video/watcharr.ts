import type { StatusKind } from '../../../library/statuses'
import type { ListRow } from '../../row'
import { countIn, entryOf, type Fields, fieldsOf, instantIn, objectsIn, textIn } from '../fields'
import { type ListReader, rowsAt } from '../reader'
import { refAtTmdb, scoreOf } from '../row-parts'

/** The export of the profile page. */
export const watcharr: ListReader = {
  source: 'watcharr',
  recognises: ({ places }) => places.has('[].content.tmdbId') && places.has('[].status'),
  rows: ({ file }) => rowsAt('$.*', watcharrRow)(file),
}

function watcharrRow(entry: Fields): ListRow {
  const content = fieldsOf(entry.content)
  const isMovie = content.type === 'movie'
  const began = textIn(content.release_date) || textIn(content.first_air_date)
  return {
    sourceId: textIn(content.tmdbId),
    title: textIn(content.title),
    refs: refAtTmdb(isMovie, content.tmdbId),
    year: countIn(began.slice(0, 4)),
    media: isMovie ? 'movie' : undefined,
    status: entryOf(statuses, entry.status),
    plays: objectsIn(entry.watchedEpisodes)
      .filter(({ status }) => status === 'FINISHED')
      .map(({ seasonNumber, episodeNumber }) => ({
        season: countIn(seasonNumber),
        episode: countIn(episodeNumber) ?? 0,
      })),
    score: scoreOf(entry.rating, 10),
    note: textIn(entry.thoughts),
    updatedAt: instantIn(entry.updatedAt),
    mayBeOther: true,
  }
}

const statuses: Readonly<Record<string, StatusKind>> = {
  PLANNED: 'wanna_watch',
  WATCHING: 'watching',
  FINISHED: 'watched',
  HOLD: 'on_hold',
  DROPPED: 'stop_watching',
}
