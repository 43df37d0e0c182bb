import { savePreferences } from '../../accounts/account/preferences'
import { languages, type Message, messagesIn } from '../../messages/languages'
import { html } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { cityOf } from '../../pages/zone-options'
import type { RatingDisplay, Theme, TitleLanguage, WeekStart } from '../../values/preferences'
import { setCookie } from '../../web/cookies'
import { radios, segments, zoneField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm } from '../../web/form'
import { member, seeOther } from '../../web/page'
import type { MemberVisit } from '../../web/visit'

/** One title in three languages, never translated. */
const example = {
  native: { hint: () => '宇宙よりも遠い場所', lang: 'ja' },
  romaji: { hint: () => 'Sora yori mo tōi basho', lang: 'ja-Latn' },
  english: { hint: () => 'A Place Further than the Universe', lang: 'en' },
}

const titleLanguageNames: Readonly<Record<TitleLanguage, Message>> = {
  native: (t) => t.preferences.native,
  romaji: (t) => t.preferences.romaji,
  english: (t) => t.preferences.english,
}

const ratingDisplayNames: Readonly<Record<RatingDisplay, Message>> = {
  words: (t) => t.preferences.words,
  stars: (t) => t.preferences.stars,
  ten: (t) => t.preferences.ten,
  hundred: (t) => t.preferences.hundred,
}

/** In the order in which they are offered. */
const weekStartNames: Readonly<Record<FirstDay, Message>> = {
  monday: (t) => t.preferences.monday,
  sunday: (t) => t.preferences.sunday,
  saturday: (t) => t.preferences.saturday,
}

export const languageAndTime = defineForm({
  path: '/settings/language_and_time',
  access: member,
  fields: {
    language: segments<string>({
      label: (t) => t.language.title,
      options: Object.fromEntries(languages.map((one) => [one, () => messagesIn(one).language.name])),
    }),
    title_language: radios({
      label: (t) => t.preferences.titles,
      options: {
        native: { label: titleLanguageNames.native, ...example.native },
        romaji: { label: titleLanguageNames.romaji, ...example.romaji },
        english: { label: titleLanguageNames.english, ...example.english },
      },
    }),
    time_zone: zoneField({ label: (t) => t.preferences.timeZone }),
    week_start: segments({ label: (t) => t.preferences.weekStart, options: weekStartNames }),
    long_nights: segments({
      label: (t) => t.preferences.longNights,
      hint: (t) => t.preferences.longNightsHint,
      options: { long: () => '25:05', short: (t) => t.preferences.nextDay },
    }),
    rating_display: segments({
      label: (t) => t.preferences.ratings,
      hint: (t) => t.preferences.ratingsHint,
      options: ratingDisplayNames,
    }),
  },
  button: (t) => t.common.save,
  initial: ({ language, preferences, session }) => ({
    language,
    title_language: preferences.titleLanguage,
    time_zone: session.preferences.timeZone ?? '',
    week_start: firstDayOf[preferences.weekStart],
    long_nights: preferences.hasLongNights ? 'long' : 'short',
    rating_display: preferences.ratingDisplay,
  }),
  show: ({ t }, form) => {
    const title = t.preferences.languageAndTime
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${form}`,
    }
  },
  submit: async (visit, values) => {
    const { deps, session } = visit
    await deps.write(async (tx) => {
      await savePreferences(tx, session.userId, {
        titleLanguage: values.title_language,
        timeZone: values.time_zone,
        weekStart: weekStartOf[values.week_start],
        hasLongNights: values.long_nights === 'long',
        ratingDisplay: values.rating_display,
      })
      const kept = { language: values.language }
      await tx.updateTable('users').set(kept).where('id', '=', session.userId).execute()
    })
    keepLanguage(visit, values.language)
    setFlash(visit, 'saved')
    return seeOther(visit, '/settings')
  },
})

type FirstDay = 'monday' | 'sunday' | 'saturday'

const weekStartOf: Readonly<Record<FirstDay, WeekStart>> = { monday: 1, sunday: 0, saturday: 6 }

const firstDayOf: Readonly<Record<WeekStart, FirstDay>> = { 1: 'monday', 0: 'sunday', 6: 'saturday' }

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

/** For use while signed out. */
const keepLanguage = ({ cookies, deps }: MemberVisit, language: string) =>
  cookies.push(setCookie('language', language, 31_536_000, deps.config.baseUrl))
