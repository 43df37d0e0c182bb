import Type, { type Static } from 'typebox'
import type { Relation } from './relations'

const Site = Type.Object({
  site: Type.String(),
  id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  begin: Type.Optional(Type.String()),
  broadcast: Type.Optional(Type.String()),
})

const BangumiItem = Type.Object({
  title: Type.String(),
  lang: Type.String(),
  titleTranslate: Type.Record(Type.String(), Type.Array(Type.String())),
  type: Type.Union([Type.Literal('tv'), Type.Literal('web'), Type.Literal('movie'), Type.Literal('ova')]),
  officialSite: Type.String(),
  begin: Type.String(),
  end: Type.String(),
  broadcast: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  sites: Type.Array(Site),
})

const ArmRow = Type.Object({
  mal_id: Type.Optional(Type.Integer()),
  anilist_id: Type.Optional(Type.Integer()),
  annict_id: Type.Optional(Type.Integer()),
  syobocal_tid: Type.Optional(Type.Integer()),
})

export const Correction = Type.Object(
  {
    bangumi: Type.Optional(Type.Integer()),
    title: Type.Optional(Type.String()),
    annict: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    mal: Type.Optional(Type.Integer()),
    anilist: Type.Optional(Type.Integer()),
    anidb: Type.Optional(Type.Integer()),
    episodes: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    main: Type.Optional(Type.Integer()),
    reason: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
)

export const BangumiData = Type.Object({ items: Type.Array(BangumiItem) })
export const Arm = Type.Array(ArmRow)

/** Times are ISO 8601 in UTC; `end` is `''` if unknown or in the future. */
export type BangumiItem = Static<typeof BangumiItem>

export type ArmRow = Static<typeof ArmRow>

/**
 * Errors in the packages, with evidence. Both ids: the item (by its `title` if it has no id) is that work; `annict` null: Annict does not list
 * it. `episodes` null: nobody knows. `main`: how many of its episodes are not specials.
 */
export type Correction = Static<typeof Correction>

/** A work in Annict's list, which is authoritative for id, medium and season (D58). */
export interface Fact {
  annict: number
  media: Media
  season: string | undefined
  mal: number | undefined
  syobocal: number | undefined
  title: string
}

export type Media = 'tv' | 'web' | 'movie' | 'ova' | 'other'

export const isMedia = (text: string | undefined): text is Media =>
  ['tv', 'web', 'movie', 'ova', 'other'].some((media) => media === text)

/** Everything except the versions and what only searches need. */
export interface JoinSources {
  items: BangumiItem[]
  armRows: ArmRow[]
  facts: Fact[]
  corrections: Correction[]
  /** First air dates, `YYYY-MM-DD`, by bangumi id. */
  airDates: Map<string, string>
  /** In any language, by bangumi id. */
  aliases: Map<string, string[]>
  relations: readonly Relation[]
  /** By bangumi id. */
  episodeCounts: Map<string, number>
}

/** Readings are hiragana with spaces between words; undefined for titles without kanji. */
export type ReadingOf = (title: string) => string | undefined

export interface Sources extends JoinSources {
  /** Numbers of collections at bangumi, by bangumi id. */
  keepers: Map<string, number>
  readingOf: ReadingOf
  /** From `usual-names.tsv`, by Annict id. */
  usualNames: Map<number, string[]>
  /** Versions of packages and dates of files, by source. */
  revisions: Map<string, string>
}

/** An item never lists a site twice. */
export const siteId = (item: BangumiItem, site: string) =>
  item.sites.find((one) => one.site === site)?.id ?? undefined

export function withPlainTexts(item: BangumiItem): BangumiItem {
  const translations = Object.entries(item.titleTranslate)
  return {
    ...item,
    title: plainText(item.title),
    titleTranslate: Object.fromEntries(translations.map(([to, titles]) => [to, titles.map(plainText)])),
    officialSite: plainText(item.officialSite),
  }
}

export function plainText(text: string): string {
  return text
    .replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replace(/[\u200b\ufeff]/g, '')
    .trim()
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
