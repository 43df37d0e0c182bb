import { anilist } from './readers/anilist'
import { anilistGdpr } from './readers/anilist-gdpr'
import { animePlanet } from './readers/anime-planet'
import { annict } from './readers/annict'
import { annictBackup } from './readers/annict-backup'
import { bangumiCsv, bangumiJson } from './readers/bangumi'
import { jellyfinPlayback } from './readers/jellyfin-playback'
import { kiroku } from './readers/kiroku'
import { kitsu } from './readers/kitsu'
import { letterboxd } from './readers/letterboxd'
import { malApi, malLoad, malXml, shikimoriXml } from './readers/mal'
import { mediatracker } from './readers/mediatracker'
import { neodb } from './readers/neodb'
import type { ListReader } from './readers/reader'
import { ryot } from './readers/ryot'
import { shikimoriJson } from './readers/shikimori'
import { simklCsv, simklJson, simklZip } from './readers/simkl'
import { ownTable } from './readers/table/table'
import { tautulli } from './readers/tautulli'
import { trakt } from './readers/trakt'
import { tvtime } from './readers/tvtime'
import { imdb } from './readers/video/imdb'
import { netflix } from './readers/video/netflix'
import { seriesguideMovies, seriesguideShows } from './readers/video/seriesguide'
import { watcharr } from './readers/video/watcharr'
import { yamtrack } from './readers/yamtrack'

/** The first that recognizes a file reads it. */
export const readers: readonly ListReader[] = [
  kiroku,
  shikimoriXml,
  malXml,
  malApi,
  malLoad,
  shikimoriJson,
  anilist,
  anilistGdpr,
  annictBackup,
  annict,
  kitsu,
  simklZip,
  simklJson,
  simklCsv,
  yamtrack,
  bangumiJson,
  bangumiCsv,
  animePlanet,
  ryot,
  trakt,
  tvtime,
  letterboxd,
  neodb,
  mediatracker,
  jellyfinPlayback,
  tautulli,
  imdb,
  netflix,
  watcharr,
  seriesguideShows,
  seriesguideMovies,
  ownTable,
]
