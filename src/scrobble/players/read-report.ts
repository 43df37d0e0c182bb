import { countIn, type Fields, textIn } from '../../transfer/readers/fields'
import { type IgnoredReport, ignored, type Player, type PlayerReader, type PlayerReport } from '../report'
import { emby, jellyfin } from './jellyfin'
import { kodi } from './kodi'
import { plex, tautulli } from './plex'
import { instantSaid, playsOf, refsIn, saidText, titlesIn } from './said-values'
import { trakt } from './trakt'

/** For scripts and browsers (`docs/scrobbling.md`), and what is proposed to MALSync. Without an episode it is a film. */
const generic: PlayerReader = (body) => {
  const user = saidText(body.user)
  if (body.media_type === 'manga') return ignored('not_video', user)
  const isUpdate = body.event === 'progress_update'
  if (body.event !== undefined && !isUpdate) return ignored('event', user)
  const titles = titlesIn(body.original_title, body.title)
  if (titles.length === 0 && body.ids === undefined) return { user, ...inFileName(saidText(body.file)) }
  const episode = isUpdate ? body.progress : body.episode
  const isMovie = countIn(episode) === undefined && textIn(episode).trim() === ''
  const plays = playsOf({
    titles,
    refs: refsIn(body.ids, isMovie),
    isMovie,
    season: body.season,
    episode,
    lastEpisode: body.episode_end,
    airDate: body.air_date,
    year: body.year,
    watchedAt: instantSaid(body.watched_at),
  })
  const percent = isUpdate || body.progress === undefined ? undefined : Number(textIn(body.progress))
  return { user, plays, percent }
}

/** `[Group] Title S2 - 03 [1080p].mkv`, as files are often called. */
function inFileName(file: string): Pick<PlayerReport, 'plays' | 'isGuess'> {
  const name = file
    .replace(/^.*[\\/]/, '')
    .replace(/\.\w{2,4}$/, '')
    .replaceAll(/\[[^\]]*\]|\([^)]*\)/g, ' ')
    .replaceAll('_', ' ')
  const [, title, season, episode] =
    /^\s*(.+?)[\s.-]+(?:S(\d{1,2})\s*E|(?:EP?|#|第)?\s*)(\d{1,4})(?:話|v\d)?(?:[\s.-].*)?$/i.exec(name) ?? []
  return {
    plays: playsOf({ titles: titlesIn(title), refs: [], isMovie: false, season, episode }),
    isGuess: true,
  }
}

const readers: Readonly<Record<Player, PlayerReader>> = {
  jellyfin,
  plex,
  emby,
  kodi,
  tautulli,
  trakt,
  generic,
}

/** `player` undefined: whose it is can be seen from its shape. */
export function readReport(
  player: Player | undefined,
  body: Fields,
  path: string,
): PlayerReport | IgnoredReport {
  return readers[player ?? playerOf(body, path)](body, path)
}

function playerOf(body: Fields, path: string): Player {
  if (path !== '' || body.show !== undefined || body.movie !== undefined || body.shows !== undefined)
    return 'trakt'
  if (body.NotificationType !== undefined) return 'jellyfin'
  if (body.Event !== undefined) return textIn(body.Event).includes('.') ? 'emby' : 'jellyfin'
  if (body.Metadata !== undefined) return 'plex'
  if (body.mediaType !== undefined || body.jsonrpc !== undefined) return 'kodi'
  return body.action !== undefined && body.media_type !== undefined ? 'tautulli' : 'generic'
}
