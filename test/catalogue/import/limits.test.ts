import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileLines } from '../../../src/catalogue/import/file/file-lines'
import { fileLimits } from '../../../src/catalogue/import/file/limits'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import {
  bytesOf,
  type CatalogueStore,
  catalogueStore,
  episode,
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

const load = (content: string | Uint8Array) =>
  importCatalogue(store, bytesOf(content, 65_536), { now, dryRun: true })
const numbers = (n: number) => Array.from({ length: n }, (_, at) => at)
const deep = (n: number) => '['.repeat(n) + ']'.repeat(n)

test('promise 11: a small archive with very many blank lines is refused at the limit of lines', async () => {
  const head = new TextEncoder().encode(textOf('mine', []))
  const lines = new Uint8Array(15_000_000).fill(10)
  lines.set(head)
  const report = await load(Bun.gzipSync(lines))
  expect(report.problems).toHaveLength(1)
  expect(report.problems[0]?.message).toBe('a file may have at most 2,000,000 lines')
  expect(report.problems[0]?.line).toBeGreaterThan(1_900_000)
}, 60_000)

test('a file that unpacks to a huge multiple of its size is refused', async () => {
  const line = `${' '.repeat(999_999)}\n`
  const report = await load(Bun.gzipSync(new TextEncoder().encode(textOf('mine', []) + line.repeat(20))))
  expect(report.problems).toMatchObject([{ message: 'a file may unpack to at most 200 times its size' }])
}, 60_000)

test('a file larger than any catalogue once unpacked is refused', async () => {
  const lines = fileLines(bytesOf(Bun.gzipSync(new Uint8Array(5000).fill(97))), {
    ...fileLimits,
    bytes: 4999,
  })
  const read = async () => {
    for await (const _ of lines);
  }
  await expect(read()).rejects.toThrow('a file may have at most 4,999 bytes when unpacked')
})

const refusals: [what: string, line: object | string, message: string | RegExp][] = [
  ['deep lists', `{"type":${deep(100_000)}}`, 'type […] is unknown'],
  ['deep objects', `${'{"type":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'type {…} is unknown'],
  [
    'a deep id',
    `{"type":"work","key":"a:1","title":"x","media":"tv","streams":[{"site":"x","id":${deep(50_000)}}]}`,
    /^streams: id must be text/,
  ],
  [
    'a deep season',
    `{"type":"work","key":"a:1","title":"x","media":"tv","season_name":${deep(50_000)}}`,
    /^season_name must be/,
  ],
  ['many aliases', work('a:1', { aliases: numbers(501).map(String) }), 'aliases must not hold more than 500'],
  [
    'many series',
    work('a:1', { series: numbers(101).map((n) => `s:${n}`) }),
    'series must not hold more than 100',
  ],
  [
    'many streams',
    work('a:1', { streams: numbers(201).map((n) => ({ site: 'x', id: n })) }),
    'streams must not hold more than 200',
  ],
  [
    'many ids',
    work('a:1', { ids: Object.fromEntries(numbers(51).map((n) => [`x${n}`, 'y'])) }),
    'ids must not name more than 50 sites',
  ],
  ['a long title', work('a:1', { title: 'あ'.repeat(300_000) }), /^title must not be longer than 1,000/],
  ['a long type', { type: 'x'.repeat(900_000) }, /^type "x{494}…$/],
]

test.each(refusals)('a line is refused for %s', async (_, line, message) => {
  const text = typeof line === 'string' ? line : JSON.stringify(line)
  const { problems } = await load(`${textOf('mine', [])}${text}\n`)
  expect(problems).toHaveLength(1)
  expect(problems[0]?.line).toBe(2)
  expect(problems[0]?.message).toMatch(message)
})

test('a header that asks for the ids of very many sites is refused', async () => {
  const many = header('mine', { preserve_ids: numbers(21).map((n) => `x${n}`) })
  const { problems } = await load(textOf(many, [work('a:1')]))
  expect(problems).toEqual([{ line: 1, message: 'preserve_ids must not name more than 20 sites' }])
})

test('of very many unknown fields, a hundred are reported, each shortened', async () => {
  const names = Object.fromEntries(numbers(5000).map((n) => [`${n} ${'x'.repeat(100)}`, n]))
  const { warnings, failed } = await load(textOf('mine', [work('a:1', { ...names, ['y'.repeat(9000)]: 1 })]))
  expect(failed).toBe(false)
  expect(warnings).toHaveLength(101)
  expect(Math.max(...warnings.map((warning) => warning.length))).toBeLessThanOrEqual(501)
})

test('after ten thousand problems, the rest of a file is not examined', async () => {
  const report = await load(
    textOf(
      'mine',
      numbers(12_000).map(() => ({ type: 'work' })),
    ),
  )
  expect(report.problemsCount).toBe(10_000)
}, 60_000)

test('a line may repeat a key very often; the last one counts', async () => {
  const repeated = '"title":"x",'.repeat(50_000)
  const line = `{"type":"work","key":"a:1","media":"tv",${repeated}"title":"y"}`
  expect((await load(`${textOf('mine', [])}${line}\n`)).problems).toEqual([])
})

test('a long chain of lines that each need the next is imported in one go', async () => {
  const chain = numbers(90).map((n) => ({ type: 'work', key: `c:${n}`, merged_into: `c:${n + 1}` }))
  const report = await load(textOf('mine', [...chain, work('c:90')]))
  expect(report.problems).toEqual([])
})

test('no row takes over more than 100 names, in consecutive lines or in a chain', async () => {
  const star = numbers(101).map((n) => ({ type: 'work', key: `s:${n}`, merged_into: 'c:0' }))
  const { problems } = await load(textOf('mine', [work('c:0'), ...star]))
  expect(problems[0]).toEqual({
    line: 102,
    message: 'work "s:99": no row may have more than 100 names, those of rows merged into it included',
  })
  const rows = numbers(120).map((n) => work(`c:${n}`))
  const chain = numbers(119).map((n) => ({ type: 'work', key: `c:${n}`, merged_into: `c:${n + 1}` }))
  const chained = await load(textOf('mine', [...rows, ...chain]))
  expect(chained.problems).toHaveLength(1)
  expect(chained.problems[0]?.message).toContain('no row may have more than 100 names')
}, 60_000)

test('no work has more than 1,000 aliases', async () => {
  const works = numbers(3).map((n) => work(`c:${n}`, { aliases: numbers(500).map((nth) => `${n} ${nth}`) }))
  const { problems } = await load(
    textOf('mine', [
      ...works,
      { type: 'work', key: 'c:1', merged_into: 'c:0' },
      { type: 'work', key: 'c:2', merged_into: 'c:0' },
    ]),
  )
  expect(problems).toEqual([
    {
      line: 6,
      message: 'work "c:2": no work may have more than 1,000 aliases, those of works merged into it included',
    },
  ])
})

test('no work has more than 5,000 episodes', async () => {
  const { problems } = await load(
    textOf('mine', [work('a:1'), ...numbers(5001).map((n) => episode(`e:${n}`, 'a:1', n))]),
  )
  expect(problems).toEqual([
    { line: 5003, message: 'episode "e:5000": no work may have more than 5,000 episodes' },
  ])
}, 60_000)

test('no file merges more than 20,000 rows, nor reports more than 10,000 that it cannot', async () => {
  const unknown = numbers(12_000).map((n) => ({ type: 'series', key: `u:${n}`, merged_into: `u:${n + 1}` }))
  expect((await load(textOf('mine', unknown))).problemsCount).toBe(10_000)
  // Every tenth row merges those after it.
  const rows = numbers(22_224).map((n) => ({ type: 'channel_group', key: `g:${n}`, name: 'x' }))
  const merges = rows.flatMap(({ type, key }, n) =>
    n % 10 === 0 ? [] : [{ type, key, merged_into: `g:${n - (n % 10)}` }],
  )
  expect(merges).toHaveLength(20_001)
  const { problems } = await load(textOf('mine', [...rows, ...merges]))
  expect(problems).toEqual([
    { line: 42_226, message: 'channel_group "g:22223": a file may merge at most 20,000 rows' },
  ])
}, 120_000)
