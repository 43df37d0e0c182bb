import { type Fields, fieldsOf, objectsIn, textIn } from '../../transfer/readers/fields'
import { ignored, type PlayerReader, type ReportedPlay } from '../report'
import { instantSaid, playsOf, refsIn, titlesIn } from './said-values'

/** What scrobblers send to Trakt: `/scrobble/stop` and `/sync/history`. */
export const trakt: PlayerReader = (body, path) => {
  if (isHistory(path)) return { user: '', plays: historyIn(body).slice(0, mostPlays) }
  if (path !== '' && path !== '/scrobble/stop') return ignored('event')
  const { number, season } = fieldsOf(body.episode)
  const plays =
    body.movie === undefined ? playsIn(fieldsOf(body.show), { season, number }) : filmIn(fieldsOf(body.movie))
  return { user: '', plays, percent: Number(textIn(body.progress) || 0) }
}

export const isHistory = (path: string): boolean => path === '/sync/history'

/** As many as a season or two; more is a list to import. */
const mostPlays = 100

const playsIn = (
  { title, year, ids }: Fields,
  { season, number, watched_at }: Fields,
): readonly ReportedPlay[] =>
  playsOf({
    titles: titlesIn(title),
    refs: refsIn(ids, false),
    isMovie: false,
    season,
    episode: number,
    year,
    watchedAt: instantSaid(watched_at),
  })

const filmIn = ({ title, year, ids, watched_at }: Fields): readonly ReportedPlay[] =>
  playsOf({
    titles: titlesIn(title),
    refs: refsIn(ids, true),
    isMovie: true,
    year,
    watchedAt: instantSaid(watched_at),
  })

const historyIn = (body: Fields): readonly ReportedPlay[] => [
  ...objectsIn(body.movies).flatMap(filmIn),
  ...objectsIn(body.shows).flatMap((show) =>
    objectsIn(show.seasons).flatMap(({ number: season, episodes }) =>
      objectsIn(episodes).flatMap((episode) => playsIn(show, { ...episode, season })),
    ),
  ),
]
