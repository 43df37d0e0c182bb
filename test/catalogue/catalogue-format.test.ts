import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileLimits, limits } from '../../src/catalogue/import/file/limits'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { kinds } from '../../src/catalogue/import/kinds/kinds'
import { catalogueStore, now } from '../support/catalogue-store'

const text = readFileSync(join(import.meta.dir, '../../docs/catalogue-format.md'), 'utf8')
const store = await catalogueStore()
afterAll(store.close)

/** The table's row for a type. */
const rowOf = (type: string) => text.split('\n').find((line) => line.startsWith(`| \`${type}\` |`)) ?? ''

test.each(kinds.map(({ name }) => name))('the document names every field of %s', (name) => {
  const kind = kinds.find((one) => one.name === name)
  const own = kind?.fields.filter(({ path: [first] }) => first !== 'ids').flatMap(({ path }) => path) ?? []
  const missing = [...own, ...(kind?.lists ?? [])].filter((field) => !rowOf(name).includes(`\`${field}\``))
  expect(missing).toEqual([])
})

test('the document names every limit', () => {
  const { lines, lineBytes, bytes, ratio } = fileLimits
  const {
    ids,
    preserveIds,
    aliases,
    search_names,
    search_readings,
    series,
    streams,
    episodesOfWork,
    names,
    aliasesOfWork,
    merges,
  } = limits
  const figures = [
    lines,
    lineBytes,
    bytes,
    merges,
    ratio,
    ids,
    preserveIds,
    aliases,
    search_names,
    search_readings,
    series,
    streams,
    episodesOfWork,
  ]
  const told = [...text.matchAll(/^\| .* \| ([\d,]+) \|$/gm)].map(([, figure]) => figure)
  expect(told).toEqual([...figures, names, aliasesOfWork].map((figure) => figure.toLocaleString('en')))
})

test('the document’s example can be imported unchanged', async () => {
  const [, example = ''] = /```jsonl\n([\s\S]*?)```/.exec(text) ?? []
  const report = await importCatalogue(store, new Blob([example]).stream(), { now })
  expect(report.problems).toEqual([])
  const found = store.handle
    .query('select works.title, staffs.name, role from staffs join works on works.id = work_id')
    .all()
  expect(found).toEqual([{ title: '極光の旅', name: '星野ひかり', role: 'director' }])
})

test('the example with a line of every type can be imported unchanged, and again without any change', async () => {
  const packs = readFileSync(join(import.meta.dir, '../../docs/catalogue-packs.md'), 'utf8')
  const [, example = ''] = /```jsonl\n([\s\S]*?)```/.exec(packs) ?? []
  const load = () => importCatalogue(store, new Blob([example]).stream(), { now })
  expect((await load()).problems).toEqual([])
  const { counts, warnings } = await load()
  expect(warnings).toEqual([])
  expect(Object.keys(counts).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted())
  for (const { created, updated } of Object.values(counts)) expect([created, updated]).toEqual([0, 0])
})
