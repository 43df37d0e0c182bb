export const titleLanguages = ['native', 'romaji', 'english'] as const
export const ratingDisplays = ['words', 'stars', 'ten', 'hundred'] as const
/** As in `Date.getDay`: Sunday is 0. */
export const weekStarts = [0, 1, 6] as const
export const themes = ['auto', 'light', 'dark'] as const

export type TitleLanguage = (typeof titleLanguages)[number]
export type RatingDisplay = (typeof ratingDisplays)[number]
export type WeekStart = (typeof weekStarts)[number]
export type Theme = (typeof themes)[number]
