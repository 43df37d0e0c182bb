import type { Message } from '../../messages/languages'
import type { PageContext } from '../../pages/layout'
import { cityOf } from '../../pages/zone-options'
import type { RatingDisplay, Theme, TitleLanguage, WeekStart } from '../../values/preferences'

export const titleLanguageNames: Readonly<Record<TitleLanguage, Message>> = {
  native: (t) => t.preferences.native,
  romaji: (t) => t.preferences.romaji,
  english: (t) => t.preferences.english,
}

export const ratingDisplayNames: Readonly<Record<RatingDisplay, Message>> = {
  words: (t) => t.preferences.words,
  stars: (t) => t.preferences.stars,
  ten: (t) => t.preferences.ten,
}

/** In the order in which they are offered. */
export const weekStartNames: Readonly<Record<FirstDay, Message>> = {
  monday: (t) => t.preferences.monday,
  sunday: (t) => t.preferences.sunday,
  saturday: (t) => t.preferences.saturday,
}

export type FirstDay = 'monday' | 'sunday' | 'saturday'

export const weekStartOf: Readonly<Record<FirstDay, WeekStart>> = { monday: 1, sunday: 0, saturday: 6 }

export const firstDayOf: Readonly<Record<WeekStart, FirstDay>> = { 1: 'monday', 0: 'sunday', 6: 'saturday' }

export const themeNames: Readonly<Record<Theme, Message>> = {
  auto: (t) => t.preferences.auto,
  light: (t) => t.preferences.light,
  dark: (t) => t.preferences.dark,
}

export function preferenceValues({ t, preferences }: PageContext) {
  const { titleLanguage, ratingDisplay, timeZone, weekStart, hasLongNights, theme, hasKeys } = preferences
  return {
    titles: titleLanguageNames[titleLanguage](t),
    ratings: ratingDisplayNames[ratingDisplay](t),
    timeZone: cityOf(timeZone),
    weekStart: weekStartNames[firstDayOf[weekStart]](t),
    longNights: hasLongNights ? '24:00–29:59' : '0:00–23:59',
    theme: themeNames[theme](t),
    keys: hasKeys ? t.common.on : t.common.off,
  }
}
