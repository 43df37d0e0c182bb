import Type, { type Static } from 'typebox'
import type { Correction } from './corrections'
import type { Fact } from './fact'
import { plainText } from './plain-text'
import type { ReadingOf } from './readings'
import type { Relation } from './relations'

const Site = Type.Object({
  site: Type.String(),
  id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  begin: Type.Optional(Type.String()),
  broadcast: Type.Optional(Type.String()),
})

const Item = Type.Object({
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

export const BangumiData = Type.Object({ items: Type.Array(Item) })
export const Arm = Type.Array(ArmRow)

/** Times are ISO 8601 in UTC; `end` is `''` if unknown or in the future. */
export type Item = Static<typeof Item>

export type ArmRow = Static<typeof ArmRow>

/** Everything except the versions and what only searches need. */
export interface JoinSources {
  items: Item[]
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
export const siteId = (item: Item, site: string) =>
  item.sites.find((one) => one.site === site)?.id ?? undefined

export function withPlainTexts(item: Item): Item {
  const translations = Object.entries(item.titleTranslate)
  return {
    ...item,
    title: plainText(item.title),
    titleTranslate: Object.fromEntries(translations.map(([to, titles]) => [to, titles.map(plainText)])),
    officialSite: plainText(item.officialSite),
  }
}
