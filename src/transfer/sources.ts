export const sources = [
  ...['mal', 'shikimori', 'anilist', 'anilist-gdpr', 'annict', 'annict-backup', 'kitsu', 'simkl', 'trakt'],
  ...['tvtime', 'yamtrack', 'ryot', 'mediatracker', 'neodb', 'bangumi', 'anime-planet', 'letterboxd'],
  ...['jellyfin-playback', 'tautulli', 'imdb', 'netflix', 'watcharr', 'seriesguide', 'csv', 'kiroku'],
] as const
export type Source = (typeof sources)[number]
