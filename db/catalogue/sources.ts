import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Correction, readCorrections } from './corrections'
import { type Fact, readFacts } from './facts'
import { plainText } from './plain-text'
import { type ReadingOf, readReadings } from './readings'
import { type RelatedCounts, relatedCounts } from './relations'

const Site = Type.Object({
  site: Type.String(),
  id: Type.Optional(Type.String()),
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

const Bangumi = Type.Object({ items: Type.Array(Item) })
const Metadata = Type.Object({
  bangumis: Type.Array(
    Type.Object({
      id: Type.Integer(),
      air_date: Type.Optional(Type.String()),
      alias: Type.Array(Type.String()),
    }),
  ),
})
const Subject = Type.Object({
  eps_count: Type.Optional(Type.Integer()),
  collection: Type.Optional(Type.Record(Type.String(), Type.Integer())),
})
const Version = Type.Object({ version: Type.String() })

/** Times are ISO 8601 in UTC; `end` is `''` when unknown or in the future. */
export type Item = Static<typeof Item>

export type ArmRow = Static<typeof ArmRow>

export interface Sources {
  items: Item[]
  armRows: ArmRow[]
  facts: Fact[]
  corrections: Correction[]
  /** First air dates, `YYYY-MM-DD`, by bangumi id. */
  airDates: Map<string, string>
  /** In any language, by bangumi id. */
  aliases: Map<string, string[]>
  relatedCounts: RelatedCounts
  /** By bangumi id. */
  episodeCounts: Map<string, number>
  /** Numbers of collections at bangumi, by bangumi id. */
  keepers: Map<string, number>
  readingOf: ReadingOf
  /** Versions of packages and days of files, by source. */
  revisions: Map<string, string>
}

/** Reads pinned packages in node_modules. @throws when one has another shape */
export async function readSources(): Promise<Sources> {
  return {
    items: read(Bangumi, 'bangumi-data/dist/data.json').items.map(withPlainTexts),
    armRows: read(Type.Array(ArmRow), '@kawaiioverflow/arm/arm.json'),
    facts: readFacts(),
    corrections: readCorrections(),
    relatedCounts: relatedCounts(),
    ...readMetadata(),
    ...readSubjects(),
    readingOf: await readReadings(),
    revisions: new Map([
      ...packages.map((name) => [name, read(Version, `${name}/package.json`).version] as const),
      ...fileDays,
    ]),
  }
}

export const fileDays = [
  ['SlashNephy/arm-supplementary', '2026-08-22'],
  ['erengy/anime-relations', '2026-08-03'],
] as const

const packages = ['bangumi-data', '@kawaiioverflow/arm', 'bgmd', 'anime-sachedule-search-data', 'kuromoji']

/** An item never lists a site twice. */
export const siteId = (item: Item, site: string) => item.sites.find((one) => one.site === site)?.id

function withPlainTexts(item: Item): Item {
  const translations = Object.entries(item.titleTranslate)
  return {
    ...item,
    title: plainText(item.title),
    titleTranslate: Object.fromEntries(translations.map(([to, titles]) => [to, titles.map(plainText)])),
    officialSite: plainText(item.officialSite),
  }
}

function readMetadata(): Pick<Sources, 'airDates' | 'aliases'> {
  const { bangumis } = read(Metadata, 'bgmd/data/full.json')
  return {
    airDates: new Map(bangumis.flatMap(({ id, air_date }) => (air_date ? [[String(id), air_date]] : []))),
    aliases: new Map(bangumis.map(({ id, alias }) => [String(id), alias.map(plainText)])),
  }
}

// Files are named after the requested id; the id inside may be one it was merged into.
function readSubjects(): Pick<Sources, 'episodeCounts' | 'keepers'> {
  const folder = 'anime-sachedule-search-data/dist/subject'
  const check = Compile(Subject)
  const episodeCounts = new Map<string, number>()
  const keepers = new Map<string, number>()
  for (const file of readdirSync(inModules(folder))) {
    const { eps_count, collection } = checked(check, `${folder}/${file}`)
    const id = file.slice(0, -'.json'.length)
    if (eps_count) episodeCounts.set(id, eps_count)
    if (collection)
      keepers.set(
        id,
        Object.values(collection).reduce((sum, n) => sum + n, 0),
      )
  }
  return { episodeCounts, keepers }
}

const read = <S extends TSchema>(schema: S, file: string): Static<S> => checked(Compile(schema), file)

function checked<S extends TSchema>(check: Validator<TProperties, S>, file: string): Static<S> {
  const content: unknown = JSON.parse(readFileSync(inModules(file), 'utf8'))
  if (!check.Check(content)) throw new Error(`${file} does not have the shape we know`)
  return content
}

const inModules = (file: string) => join(import.meta.dir, '../../node_modules', file)
