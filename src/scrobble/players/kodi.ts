import { type Fields, fieldsOf, textIn } from '../../transfer/readers/fields'
import { ignored, type PlayerReader, type PlayerReport } from '../report'
import { instantSaid, isTrue, objectAt, playsOf, refsIn, titlesIn } from './said-values'

/** Add-ons that send JSON over HTTP, such as HTTP Scrobbler, which sends again later what failed, and Kodi's own notification as JSON-RPC. */
export const kodi: PlayerReader = (body, path) =>
  body.method === undefined ? addOn(body, path) : notification(body, path)

const addOn: PlayerReader = (body) => {
  const event = textIn(body.event)
  if (event !== 'end' && event !== 'stop') return ignored('event')
  const isMovie = body.mediaType === 'movie'
  if (!isMovie && body.mediaType !== 'episode') return ignored('not_video')
  const plays = playsOf({
    titles: isMovie ? titlesIn(body.originalTitle, body.title) : titlesIn(body.tvShowTitle),
    refs: refsIn(isMovie ? body.uniqueIds : body.tvShowUniqueIds, isMovie),
    isMovie,
    season: body.season,
    episode: body.episode,
    airDate: textIn(body.firstAired) || body.premiered,
    year: body.year,
    watchedAt: instantSaid(body.timestamp),
  })
  const percent = Number(textIn(objectAt(body, 'progress').percent) || 0)
  return event === 'end' ? { user: '', plays } : { user: '', plays, percent }
}

const notification: PlayerReader = ({ method, params }) => {
  const data = objectAt(fieldsOf(params), 'data')
  const item = fieldsOf(data.item)
  if (method !== 'Player.OnStop') return ignored('event')
  if (item.type !== 'episode' && item.type !== 'movie') return ignored('not_video')
  return isTrue(data.end) ? ofLibrary(item) : ignored('not_completed')
}

/** Its `uniqueid` is the episode's, or the film's. */
function ofLibrary(item: Fields): PlayerReport {
  const isMovie = item.type === 'movie'
  const plays = playsOf({
    titles: isMovie ? titlesIn(item.originaltitle, item.title) : titlesIn(item.showtitle),
    refs: isMovie ? refsIn(item.uniqueid, true) : [],
    isMovie,
    season: item.season,
    episode: item.episode,
    airDate: item.firstaired ?? item.premiered,
    year: item.year,
  })
  return { user: '', plays }
}
