import { anilist } from './readers/anilist'
import { anilistGdpr } from './readers/anilist-gdpr'
import { animePlanet } from './readers/anime-planet'
import { annict } from './readers/annict'
import { annictBackup } from './readers/annict-backup'
import { bangumiCsv, bangumiJson } from './readers/bangumi'
import { kiroku } from './readers/kiroku'
import { kitsu } from './readers/kitsu'
import { letterboxd } from './readers/letterboxd'
import { malApi, malLoad, malXml, shikimoriXml } from './readers/mal'
import type { ListReader } from './readers/reader'
import { jellyfinPlayback } from './readers/self-hosted/jellyfin-playback'
import { mediatracker } from './readers/self-hosted/mediatracker'
import { neodb } from './readers/self-hosted/neodb'
import { ryot } from './readers/self-hosted/ryot'
import { tautulli } from './readers/self-hosted/tautulli'
import { yamtrack } from './readers/self-hosted/yamtrack'
import { shikimoriJson } from './readers/shikimori'
import { simklCsv, simklJson, simklZip } from './readers/simkl'
import { ownTable } from './readers/table/table'
import { trakt } from './readers/trakt'
import { tvtime } from './readers/tvtime'
import { imdb } from './readers/video/imdb'
import { netflix } from './readers/video/netflix'
import { seriesguideMovies, seriesguideShows } from './readers/video/seriesguide'
import { watcharr } from './readers/video/watcharr'

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
