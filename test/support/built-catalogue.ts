import { buildCatalogue } from '../../db/catalogue/catalogue'
import { joinFacts } from '../../db/catalogue/join'
import { pack } from '../../db/catalogue/pack'
import { readSources } from '../../db/catalogue/read-sources'
import type { Item } from '../../db/catalogue/sources'

// The default catalogue, built once for the tests about it.
export const sources = await readSources()
export const joined = joinFacts(sources)
export const lines = buildCatalogue(sources, joined)
export const works = lines.filter((line) => line.type === 'work' && 'title' in line)
export const packed = pack(lines)

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
