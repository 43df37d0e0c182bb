import type { Language } from '../messages/languages'
import type { RatingDisplay, Theme, TitleLanguage, WeekStart } from '../values/preferences'

export interface Preferences {
  readonly titleLanguage: TitleLanguage
  readonly ratingDisplay: RatingDisplay
  /** An IANA name; UTC while it is unknown. */
  readonly timeZone: string
  readonly weekStart: WeekStart
  /** Hours are counted up to 29:59, as broadcasters do. */
  readonly hasLongNights: boolean
  readonly theme: Theme
  readonly guardsSpoilers: boolean
  readonly hasKeys: boolean
}

/** What readers of a language usually want, until they choose otherwise. */
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
