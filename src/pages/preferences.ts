import type { Language } from '../messages/languages'

/** How somebody wants pages to be; the defaults of a language until they say so. */
export interface Preferences {
  readonly titleLanguage: TitleLanguage
  /** How a stored rating is shown. */
  readonly ratingDisplay: RatingDisplay
  /** An IANA name; UTC while it is unknown. */
  readonly timeZone: string
  /** As in `Date.getDay`: Sunday is 0. */
  readonly weekStart: WeekStart
  /** Hours go on until 29:59, as broadcasters count them. */
  readonly hasLongNights: boolean
  readonly theme: Theme
  readonly guardsSpoilers: boolean
  /** Whether keys of the keyboard do something. */
  readonly hasKeys: boolean
}

export const titleLanguages = ['native', 'romaji', 'english'] as const
export const ratingDisplays = ['words', 'stars', 'ten'] as const
export const weekStarts = [0, 1, 6] as const
export const themes = ['auto', 'light', 'dark'] as const

export type TitleLanguage = (typeof titleLanguages)[number]
export type RatingDisplay = (typeof ratingDisplays)[number]
export type WeekStart = (typeof weekStarts)[number]
export type Theme = (typeof themes)[number]

export const defaultPreferences = (language: Language): Preferences => ({
  titleLanguage: language === 'ja' ? 'native' : 'english',
  ratingDisplay: 'words',
  timeZone: 'UTC',
  weekStart: language === 'ja' ? 0 : 1,
  hasLongNights: language === 'ja',
  theme: 'auto',
  guardsSpoilers: true,
  hasKeys: true,
})
