export const sources = [
  ...['mal', 'shikimori', 'anilist', 'anilist-gdpr', 'annict', 'annict-backup', 'kitsu', 'simkl', 'trakt'],
  ...['tvtime', 'yamtrack', 'ryot', 'mediatracker', 'neodb', 'bangumi', 'anime-planet', 'letterboxd'],
  ...['jellyfin-playback', 'tautulli', 'imdb', 'netflix', 'watcharr', 'seriesguide', 'csv', 'kiroku'],
] as const
export type ListSource = (typeof sources)[number]

/** Their common names, in any language. */
export const sourceNames: Readonly<Record<ListSource, string>> = {
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
  imdb: 'IMDb',
  netflix: 'Netflix',
  watcharr: 'Watcharr',
  seriesguide: 'SeriesGuide',
  csv: 'CSV',
  kiroku: 'kiroku',
}
