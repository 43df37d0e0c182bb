import type { Tx } from '../../db/write'
import {
  type RatingDisplay,
  ratingDisplays,
  type Theme,
  type TitleLanguage,
  themes,
  titleLanguages,
  type WeekStart,
  weekStarts,
} from '../../values/preferences'

/** Null means the default of the page's language; for the time zone, the browser's. */
export interface StoredPreferences {
  readonly titleLanguage: TitleLanguage | null
  readonly ratingDisplay: RatingDisplay
  readonly timeZone: string | null
  readonly weekStart: WeekStart | null
  readonly hasLongNights: boolean | null
  readonly theme: Theme
  readonly guardsSpoilers: boolean
  readonly hasKeys: boolean
}

export const preferenceColumns = [
  'title_language',
  'rating_display',
  'time_zone',
  'week_start',
  'has_long_nights',
  'theme',
  'guards_spoilers',
  'has_keys',
] as const

interface PreferencesRow {
  readonly title_language: string | null
  readonly rating_display: string
  readonly time_zone: string | null
  readonly week_start: number | null
  readonly has_long_nights: number | null
  readonly theme: string
  readonly guards_spoilers: number
  readonly has_keys: number
}

export const storedPreferences = (row: PreferencesRow): StoredPreferences => ({
  titleLanguage: titleLanguages.find((one) => one === row.title_language) ?? null,
  ratingDisplay: ratingDisplays.find((one) => one === row.rating_display) ?? 'words',
  timeZone: row.time_zone,
  weekStart: weekStarts.find((one) => one === row.week_start) ?? null,
  hasLongNights: row.has_long_nights === null ? null : row.has_long_nights === 1,
  theme: themes.find((one) => one === row.theme) ?? 'auto',
  guardsSpoilers: row.guards_spoilers === 1,
  hasKeys: row.has_keys === 1,
})

/** Changes only the given preferences. */
export async function savePreferences(
  tx: Tx,
  userId: number,
  changed: Partial<StoredPreferences>,
): Promise<void> {
  const columns = Object.entries(changed).map(([name, value]) => [
    columnOf(name),
    typeof value === 'boolean' ? Number(value) : value,
  ])
  if (columns.length === 0) return
  await tx.updateTable('users').set(Object.fromEntries(columns)).where('id', '=', userId).execute()
}

/** `titleLanguage` → `title_language`. */
const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
