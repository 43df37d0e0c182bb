import type { CsvRow } from '../../file/csv'
import type { ListRow, Moment, WorkRef } from '../../row'
import { countIn, dayIn, instantIn, secondsIn, textIn } from '../fields'
import { csvReader } from '../reader'
import { refAt, refAtTmdb } from '../row-parts'

/** Less of the running time does not count as a play. */
const leastPercent = 80

/** The history table of Tautulli, which monitors a Plex server. A row is a play. */
export const tautulli = csvReader(
  'tautulli',
  ['media_type', 'grandparent_title', 'media_index', 'percent_complete'],
  tautulliRow,
)

function tautulliRow(cells: CsvRow): ListRow {
  const isMovie = cells.media_type === 'movie'
  const season = isMovie ? undefined : countIn(cells.parent_media_index)
  const episode = isMovie ? 0 : (countIn(cells.media_index) ?? 0)
  return {
    sourceId: textIn(isMovie ? cells.rating_key : cells.grandparent_rating_key),
    title: textIn(isMovie ? cells.title : cells.grandparent_title),
    refs: refsOf(cells.guid ?? '', isMovie, season),
    // For a series, the column has the episode's year.
    year: isMovie ? countIn(cells.year) : undefined,
    media: isMovie ? 'movie' : undefined,
    plays: [{ season, episode, watchedAt: momentIn(cells.started || cells.date || '') }],
    mayBeOther: true,
    user: cells.user || undefined,
    ...((countIn(cells.percent_complete) ?? 0) < leastPercent && { skipped: 'played_too_little' }),
    ...(!isMovie && cells.media_type !== 'episode' && { skipped: 'not_anime' }),
  }
}

/** Epoch seconds, an instant, the server's local time, or a day. */
function momentIn(cell: string): Moment | undefined {
  if (/^\d{9,11}$/.test(cell)) return secondsIn(cell)
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(cell) ?? []
  if (day !== undefined && time !== undefined) return `${day}T${time.padEnd(8, ':00')}`
  return instantIn(cell) ?? dayIn(cell)
}

/** Plex's older agents name a series by its id at TheTVDB or TMDB, and HAMA also by AniDB's. */
function refsOf(guid: string, isMovie: boolean, season: number | undefined): readonly WorkRef[] {
  const [, agent, site, id] = /^com\.plexapp\.agents\.(\w+):\/\/(?:(anidb|tvdb)\d?-)?(\d+)/.exec(guid) ?? []
  if (site === 'anidb') return refAt('anidb', id)
  if (agent === 'thetvdb' || site === 'tvdb') return refAt('tvdb', id, season)
  return agent === 'themoviedb' ? refAtTmdb(isMovie, id, season) : []
}
