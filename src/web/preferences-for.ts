import type { StoredPreferences } from '../accounts/account/preferences'
import { isTimeZone } from '../lib/local-time'
import type { Language } from '../messages/languages'
import { defaultPreferences, type Preferences } from '../pages/preferences'
import { cookieOf } from './cookies'

/** The account's preferences; for those not set, the defaults of `language`, and the time zone of the browser's cookie. */
export function preferencesFor(
  request: Request,
  session: { readonly preferences: StoredPreferences } | undefined,
  { language, baseUrl }: { language: Language; baseUrl: string },
): Preferences {
  const usual = { ...defaultPreferences(language), timeZone: zoneOfBrowser(request, baseUrl) ?? 'UTC' }
  if (session === undefined) return usual
  const { titleLanguage, timeZone, weekStart, hasLongNights, ...others } = session.preferences
  return {
    ...others,
    titleLanguage: titleLanguage ?? usual.titleLanguage,
    timeZone: timeZone ?? usual.timeZone,
    weekStart: weekStart ?? usual.weekStart,
    hasLongNights: hasLongNights ?? usual.hasLongNights,
  }
}

function zoneOfBrowser(request: Request, baseUrl: string): string | undefined {
  const zone = cookieOf(request, 'zone', baseUrl)
  return zone !== undefined && isTimeZone(zone) ? zone : undefined
}
