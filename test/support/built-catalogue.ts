import { readFileSync } from 'node:fs'
import { buildCatalogue } from '../../db/catalogue/catalogue'
import { pack } from '../../db/catalogue/pack'
import { readPackages } from '../../db/catalogue/read-sources'
import { readReadings } from '../../db/catalogue/readings'
import { type Joined, joinFacts } from '../../src/catalogue/default/join'
import type { BangumiItem, ReadingOf } from '../../src/catalogue/default/sources'
import { isBuilt, packPath } from './default-catalogue'

/** The sources of the default catalogue, except the dictionary. */
export const readPackagesOnce = (): ReturnType<typeof readPackages> => {
  read ??= readPackages()
  return read
}
let read: ReturnType<typeof readPackages> | undefined

export const joinOnce = (): Joined => {
  joined ??= joinFacts(readPackagesOnce())
  return joined
}
let joined: Joined | undefined

/** Reading all titles with the dictionary takes three seconds. */
export const buildLines = (readingOf: ReadingOf) =>
  buildCatalogue({ ...readPackagesOnce(), readingOf }, joinOnce())

/** The default catalogue of the last build, which is identical (default-catalogue.test.ts). */
export const packed: Uint8Array<ArrayBuffer> = isBuilt
  ? new Uint8Array(readFileSync(packPath))
  : pack(buildLines(await readReadings()))
export const lines: ReturnType<typeof buildLines> = new TextDecoder()
  .decode(Bun.zstdDecompressSync(packed))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
export const works = lines.filter((line) => line.type === 'work' && 'title' in line)

export const work = (title: string) => works.filter((one) => one.title === title)
export const workOf = (annict: number) => works.find(({ ids }) => ids.annict === annict)
export const keysOf = (type: string) =>
  lines.flatMap((line) => (line.type === type && 'key' in line ? [line.key] : []))

/** An entry of the source package, with the fields that a test needs. */
export const catalogueItem = (fields: Partial<BangumiItem>): BangumiItem => ({
  title: '',
  lang: 'ja',
  titleTranslate: {},
  type: 'tv',
  officialSite: '',
  begin: '',
  end: '',
  sites: [],
  ...fields,
})
