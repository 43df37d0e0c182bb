import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { formatReport } from '../../../src/catalogue/import/report'
import {
  bytesOf,
  type CatalogueStore,
  catalogueStore,
  header,
  now,
  textOf,
  work,
} from '../../support/catalogue-store'

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
afterAll(() => store.close())

const load = (content: string | Uint8Array, piece?: number) =>
  importCatalogue(store, bytesOf(content, piece), { now, dryRun: true })

const text = textOf('mine', [work('a:1', { title: '葬送のフリーレン' }), work('a:2')])
const bytes = new TextEncoder().encode(text)

test('a damaged or truncated archive is refused', async () => {
  for (const packed of [Bun.gzipSync(bytes), Bun.zstdCompressSync(bytes)]) {
    const report = await load(packed.slice(0, -5))
    expect(report.failed).toBe(true)
    expect(report.problems[0]?.message).toStartWith('the file cannot be read any further')
  }
})

test('plain text, gzip and zstd are distinguished by their bytes', async () => {
  for (const file of [bytes, Bun.gzipSync(bytes), Bun.zstdCompressSync(bytes)]) {
    for (const piece of [1, 7, 100_000]) {
      const report = await load(file, piece)
      expect(report.problems).toEqual([])
      expect(report.counts.work).toMatchObject({ created: 2 })
    }
  }
})

test('an empty file, a picture and a line that is not JSON are refused', async () => {
  expect((await load('')).problems).toEqual([{ line: 1, message: 'the file is empty' }])
  expect((await load(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]))).problems).toEqual([
    { line: 1, message: 'the line is not valid UTF-8' },
  ])
  expect((await load(`${textOf('mine', [])}{"type":`)).problems).toEqual([
    { line: 2, message: 'the line is not valid JSON' },
  ])
})

test('a line that is not UTF-8 or longer than a megabyte is refused', async () => {
  const report = await load(
    Buffer.concat([
      Buffer.from(textOf('mine', [])),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`${JSON.stringify(work('a:1', { title: 'x'.repeat(1_100_000) }))}\n`),
      Buffer.from(JSON.stringify(work('a:2'))),
    ]),
    4096,
  )
  expect(report.problems).toEqual([
    { line: 2, message: 'the line is not valid UTF-8' },
    { line: 3, message: 'the line is longer than 1 MB' },
  ])
  expect(report.counts.work).toMatchObject({ created: 1 })
})

test('blank lines, Windows line endings, a byte order mark and a missing final line ending do no harm', async () => {
  const report = await load(`\ufeff${text.replaceAll('\n', '\r\n\r\n').trimEnd()}`)
  expect(report.problems).toEqual([])
  expect(report.counts.work).toMatchObject({ created: 2 })
})

test('a report is readable as text', async () => {
  const report = await importCatalogue(
    store,
    bytesOf(textOf(header('mine'), [work('a:1'), work('a:2', { media: 'x' }), work('a:3', { hue: 1 })])),
    { now },
  )
  expect(formatReport(report).split('\n')).toEqual([
    'mine (upsert), 4 lines',
    '  work: 2 created',
    'warning: unknown field "hue" of work is ignored',
    'line 3: media must be one of tv, ova, movie, web, other',
    '1 problem: nothing was changed',
  ])
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
})

const sample = '../shared/catalogue/catalogue-sample.jsonl'

test.skipIf(!existsSync(sample))(
  'the sample catalogue is imported completely, and again without any change',
  async () => {
    const first = await importCatalogue(store, Bun.file(sample).stream(), { now })
    expect(first.problems).toEqual([])
    const created = Object.values(first.counts).reduce((sum, counts) => sum + counts.created, 0)
    expect(created).toBe(1430)
    const second = await importCatalogue(store, Bun.file(sample).stream(), { now })
    const unchanged = Object.values(second.counts).reduce((sum, counts) => sum + counts.unchanged, 0)
    expect(unchanged).toBe(1430)
    expect(store.row('select title from works where id = 4168')).toMatchObject({ title: 'SHIROBAKO' })
  },
)
