import { type Fields, fieldsOf, textIn } from '../../transfer/readers/fields'
import { ignored, type PlayerReader } from '../report'
import { instantSaid, isFalse, isTrue, objectAt, playsOf, refsIn, saidText, titlesIn } from './said-values'

/** The plugins "Webhook", flat with all properties, and "Webhooks" in its default format. */
export const jellyfin: PlayerReader = (body, path) =>
  body.NotificationType === undefined ? webhooks(body, path) : webhook(body, path)

/** `Provider_…` are ids of the episode, so that of a series only its names are known. */
const webhook: PlayerReader = (body) => {
  const user = saidText(body.NotificationUsername)
  const kind = textIn(body.NotificationType)
  const isToggled = kind === 'UserDataSaved' && body.SaveReason === 'TogglePlayed'
  if (kind !== 'PlaybackStop' && !isToggled) return ignored('event', user)
  if (!isVideo(body.ItemType)) return ignored('not_video', user)
  if (isToggled && !isTrue(body.Played)) return ignored('unplayed', user)
  if (!isToggled && !isTrue(body.PlayedToCompletion)) return ignored('not_completed', user)
  const isMovie = body.ItemType === 'Movie'
  const own = Object.fromEntries(
    Object.entries(body).flatMap(([name, id]) => (name.startsWith('Provider_') ? [[name.slice(9), id]] : [])),
  )
  const plays = playsOf({
    titles: isMovie ? titlesIn(body.Name, body.OriginalTitle) : titlesIn(body.SeriesName),
    refs: refsIn(isMovie ? own : body.SeriesProviderIds, isMovie),
    isMovie,
    season: body.SeasonNumber,
    episode: body.EpisodeNumber,
    lastEpisode: body.EpisodeNumberEnd,
    airDate: body.PremiereDate,
    year: body.Year,
    watchedAt: instantSaid(body.UtcTimestamp),
  })
  return { user, plays }
}

const isVideo = (type: unknown): boolean => type === 'Episode' || type === 'Movie'

const webhooks: PlayerReader = (body) => {
  const user = saidText(objectAt(body, 'User').Name)
  const item = fieldsOf(body.Item)
  const event = textIn(body.Event)
  if (!['Scrobble', 'MarkPlayed', 'MarkUnplayed', 'Stop'].includes(event)) return ignored('event', user)
  if (!isVideo(item.Type)) return ignored('not_video', user)
  if (event === 'MarkUnplayed') return ignored('unplayed', user)
  const isPlayed = event !== 'Stop' || isTrue(objectAt(item, 'UserData').Played)
  if (!isPlayed || isFalse(item.Played)) return ignored('not_completed', user)
  return { user, plays: playsOfItem(item, fieldsOf(body.Series), undefined) }
}

/** An item as Jellyfin and Emby describe it: its ids are the episode's, or the film's. */
function playsOfItem(item: Fields, series: Fields, watchedAt: number | undefined) {
  const isMovie = item.Type === 'Movie'
  return playsOf({
    titles: isMovie
      ? titlesIn(item.Name, item.OriginalTitle)
      : titlesIn(series.OriginalTitle, series.Name, item.SeriesName),
    refs: refsIn(isMovie ? item.ProviderIds : series.ProviderIds, isMovie),
    isMovie,
    season: item.ParentIndexNumber,
    episode: item.IndexNumber,
    lastEpisode: item.IndexNumberEnd,
    airDate: item.PremiereDate,
    year: item.ProductionYear,
    watchedAt,
  })
}

/** Webhooks of Emby Server, as JSON or in the field `data`. */
export const emby: PlayerReader = (body) => {
  const user = saidText(objectAt(body, 'User').Name)
  const item = fieldsOf(body.Item)
  const { Event: event } = body
  if (event !== 'playback.stop' && event !== 'item.markplayed' && event !== 'item.markunplayed')
    return ignored('event', user)
  if (!isVideo(item.Type)) return ignored('not_video', user)
  if (event === 'item.markunplayed') return ignored('unplayed', user)
  if (event === 'playback.stop' && !isTrue(objectAt(body, 'PlaybackInfo').PlayedToCompletion))
    return ignored('not_completed', user)
  return { user, plays: playsOfItem(item, fieldsOf(body.Series), instantSaid(body.Date)) }
}
