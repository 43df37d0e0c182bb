import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import {
  Arm,
  BangumiData,
  plainText,
  type Sources,
  withPlainTexts,
} from '../../src/catalogue/default/sources'
import { readCorrections } from './corrections'
import { readFacts } from './facts'
import { readReadings } from './readings'
import { readRelations } from './relations'
import { readUsualNames } from './usual-names'

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

/** Reads pinned packages in node_modules. @throws if one has another shape */
export const readSources = async (): Promise<Sources> => ({
  ...readPackages(),
  readingOf: await readReadings(),
})

/** Everything except the dictionary. */
export function readPackages(): Omit<Sources, 'readingOf'> {
  return {
    items: read(BangumiData, 'bangumi-data/dist/data.json').items.map(withPlainTexts),
    armRows: read(Arm, '@kawaiioverflow/arm/arm.json'),
    facts: readFacts(),
    corrections: readCorrections(),
    relations: readRelations(),
    usualNames: readUsualNames(),
    ...readMetadata(),
    ...readSubjects(),
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

function readMetadata(): Pick<Sources, 'airDates' | 'aliases'> {
  const { bangumis } = read(Metadata, 'bgmd/data/full.json')
  return {
    airDates: new Map(bangumis.flatMap(({ id, air_date }) => (air_date ? [[String(id), air_date]] : []))),
    aliases: new Map(bangumis.map(({ id, alias }) => [String(id), alias.map(plainText)])),
  }
}

// Files are named after the requested id; the id inside may be the one that it was merged into.
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
