import { readFileSync } from 'node:fs'
import { buildCatalogue } from '../../db/catalogue/catalogue'
import { type Joined, joinFacts } from '../../db/catalogue/join'
import { pack } from '../../db/catalogue/pack'
import { readSources } from '../../db/catalogue/read-sources'
import type { Item, Sources } from '../../db/catalogue/sources'
import { isBuilt, packPath } from './default-catalogue'

/** What the default catalogue is made of: reading it takes a second. */
export const readSourcesOnce = (): Promise<Sources> => {
  read ??= readSources()
  return read
}
let read: Promise<Sources> | undefined

export const joinOnce = (): Promise<Joined> => {
  joined ??= readSourcesOnce().then(joinFacts)
  return joined
}
let joined: Promise<Joined> | undefined

/** Takes three seconds more. */
export const buildLines = async () => buildCatalogue(await readSourcesOnce(), await joinOnce())

/** The default catalogue of the last build, which is the same (default-catalogue.test.ts). */
export const packed: Uint8Array<ArrayBuffer> = isBuilt
  ? new Uint8Array(readFileSync(packPath))
  : pack(await buildLines())
export const lines: Awaited<ReturnType<typeof buildLines>> = new TextDecoder()
  .decode(Bun.zstdDecompressSync(packed))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
export const works = lines.filter((line) => line.type === 'work' && 'title' in line)

export const work = (title: string) => works.filter((one) => one.title === title)
export const workOf = (annict: number) => works.find(({ ids }) => ids.annict === annict)
export const keysOf = (type: string) =>
  lines.flatMap((line) => (line.type === type && 'key' in line ? [line.key] : []))

/** An entry of the source package, with the fields a test cares about. */
export const catalogueItem = (fields: Partial<Item>): Item => ({
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
