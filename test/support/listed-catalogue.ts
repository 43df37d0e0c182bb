import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CatalogueStore, importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { bytesOf } from './catalogue-store'
import { packPath } from './default-catalogue'

const lists = join(import.meta.dir, '../transfer/lists')

interface Line {
  readonly type: string
  readonly key?: string
  readonly work?: string
  readonly merged_into?: string
  readonly ids?: { readonly annict?: number }
  readonly series?: readonly string[]
}

/**
 * The part of the default catalogue that the lists in test/transfer/lists need, because reading the names of all works
 * takes most of an import's time: what they name, their series, and a hundredth of all others.
 */
export async function loadListedCatalogue(store: CatalogueStore, now: number): Promise<void> {
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(packPath)))
  const lines = text.trimEnd().split('\n')
  const isKept = keeper(lines.map((line) => JSON.parse(line)))
  const kept = lines.filter((line) => isKept(JSON.parse(line)))
  const { problems } = await importCatalogue(store, bytesOf(`${kept.join('\n')}\n`, 65_536), {
    now,
    isTrusted: true,
  })
  if (problems.length > 0) throw new Error(problems[0]?.message)
}

function keeper(lines: readonly Line[]): (line: Line) => boolean {
  const named = namedWorks()
  const isNamed = ({ ids }: Line) => ids?.annict !== undefined && named.has(ids.annict)
  const series = new Set(lines.filter(isNamed).flatMap((line) => line.series ?? []))
  const works = lines.filter(
    (line, at) =>
      line.type === 'work' &&
      line.merged_into === undefined &&
      (at % 100 === 0 || isNamed(line) || line.series?.some((one) => series.has(one))),
  )
  const keys = new Set(works.map(({ key }) => key))
  return ({ type, key, work, merged_into }) =>
    (type !== 'work' && type !== 'episode') || keys.has(work ?? merged_into ?? key)
}

/** The ids of works that rows of the lists should match. */
function namedWorks(): ReadonlySet<number> {
  const files = [...new Bun.Glob('*/*.expected.json').scanSync(lists)]
  const texts = files.map((name) => readFileSync(join(lists, name), 'utf8'))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/"work_id":\s*(\d+)/g)].map(([, id]) => Number(id))),
  )
}
