import type { Source } from './sources'

/** Their common names, in any language. */
export const sourceNames: Readonly<Record<Source, string>> = {
  mal: 'MyAnimeList',
  shikimori: 'Shikimori',
  anilist: 'AniList',
  'anilist-gdpr': 'AniList (account download)',
  annict: 'Annict',
  'annict-backup': 'annict-backup',
  kitsu: 'Kitsu',
  simkl: 'Simkl',
  trakt: 'Trakt',
  tvtime: 'TV Time',
  yamtrack: 'Yamtrack',
  ryot: 'Ryot',
  mediatracker: 'MediaTracker',
  neodb: 'NeoDB',
  bangumi: 'Bangumi',
  'anime-planet': 'Anime-Planet',
  letterboxd: 'Letterboxd',
  'jellyfin-playback': 'Jellyfin (Playback Reporting)',
  tautulli: 'Plex (Tautulli)',
  csv: 'CSV',
  kiroku: 'kiroku',
}
