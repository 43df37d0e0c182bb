import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bangumiArchive } from '../../../src/sources/adapters/bangumi-archive'
import { readInfobox } from '../../../src/sources/adapters/bangumi-archive/subject'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { ShapeError } from '../../../src/sources/source'
import { catalogueStore, work } from '../../support/catalogue-store'
import { expectedLines, fixture, runAdapter } from '../../support/source-run'
import { zipped } from '../../support/zip-file'

const subjects = await fixture('bangumi-archive/subject.jsonlines')
const episodes = await fixture('bangumi-archive/episode.jsonlines')
const latest = JSON.parse(await fixture('bangumi-archive/latest.json'))
const expected = await expectedLines('bangumi-archive')
const [subject, book] = subjects
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const [episode] = episodes
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const latestUrl = 'https://raw.githubusercontent.com/bangumi/Archive/master/aux/latest.json'

const store = await catalogueStore()
afterAll(() => store.close())

interface Dump {
  subjects?: string | readonly object[]
  episodes?: string | readonly object[]
}

const dumpOf = (dump: Dump) =>
  zipped({
    'subject.jsonlines': textOf(dump.subjects ?? subjects),
    'person.jsonlines': '{"id":1}\n',
    'episode.jsonlines': textOf(dump.episodes ?? episodes),
  })

const textOf = (lines: string | readonly object[]) =>
  typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('')

async function answersOf(zip: Uint8Array, change: object = {}) {
  const digest = `sha256:${new Bun.CryptoHasher('sha256').update(zip).digest('hex')}`
  const told = JSON.stringify({ ...latest, size: zip.length, digest, ...change })
  return { [latestUrl]: told, [latest.browser_download_url]: zip }
}

const known = knownFromDatabase(store.handle)
const taken = async (dump: Dump, more: object = {}) =>
  await runAdapter(bangumiArchive, await answersOf(await dumpOf(dump)), { known, ...more })

const refusal = async (run: Promise<unknown>) => {
  const problem = await run.catch((cause: unknown) => cause)
  expect(problem).toBeInstanceOf(ShapeError)
  return (problem as ShapeError).message
}

test('the fixture yields the expected lines; importing them again changes nothing', async () => {
  const { lines, state } = await taken({})
  expect(lines).toEqual(expected)
  expect(state).toEqual({ name: latest.name })
  const [header = {}, ...rows] = lines
  expect((await store.load(header, rows)).problems).toEqual([])
  const [, ...again] = (await taken({})).lines
  expect(again[0]).not.toHaveProperty('title')
  for (const lines of [rows, again]) {
    const { problems, counts } = await store.load(header, lines)
    expect(problems).toEqual([])
    expect(counts.work).toMatchObject({ created: 0, updated: 0 })
    expect(counts.episode).toMatchObject({ created: 0, updated: 0 })
  }
})

test('a dump is read once, unless everything is requested', async () => {
  const { state } = await taken({})
  expect(await taken({}, { state })).toMatchObject({ lines: [], asked: [latestUrl] })
  expect((await taken({}, { state, scope: { isFull: true } })).lines).toHaveLength(3)
})

test('an existing work keeps its title, medium and day', async () => {
  await store.load('mine', [work('mine:1', { ids: { bangumi: 77 }, title: '別題', media: 'movie' })])
  const [, line] = (await taken({ subjects: [{ ...subject, id: 77 }] })).lines
  expect(line).toEqual({
    type: 'work',
    key: 'bangumi:77',
    ids: { bangumi: 77 },
    aliases: ['星屑ポストマン', '星尘邮差', '星塵郵差', 'Stardust Postman'],
    no_episodes: true,
  })
})

test('books, adult works, nameless ones, and everything but main episodes of anime are left out', async () => {
  const out = [book, { ...subject, id: 501, nsfw: true }, { ...subject, id: 502, name: ' ' }]
  const { lines } = await taken({
    subjects: [...out, { ...subject, id: 503, platform: 3 }, { ...subject, id: 504, platform: 9 }],
    episodes: [
      ...[1, 2, 3, 4, 5, 6].map((type) => ({ ...episode, id: 600 + type, subject_id: 504, type })),
      ...[9900009, 501, 502, 503, 999].map((id) => ({ ...episode, id: 700 + id, subject_id: id })),
      { ...episode, id: 900, subject_id: 504, name: '' },
    ],
  })
  expect(lines.slice(1)).toMatchObject([
    { key: 'bangumi:503', media: 'movie', no_episodes: true },
    { key: 'bangumi:504', media: 'other', episodes_estimate: 12 },
    { key: 'bangumi:900', work: 'bangumi:504' },
  ])
  expect(lines.at(-1)).not.toHaveProperty('title')
  expect((await taken({}, { scope: { limit: 0 } })).lines).toHaveLength(1)
})

test('numbers that continue the season before start at 1', async () => {
  const numbers = async (...sorts: number[]) => {
    const rows = sorts.map((sort, at) => ({ ...episode, id: at + 1, sort }))
    const { lines } = await taken({ episodes: rows })
    return lines.slice(2).map((line) => [line.number, line.sort_number])
  }
  expect(await numbers(14, 13)).toEqual([
    ['2', 20],
    ['1', 10],
  ])
  expect(await numbers(0, 1, 1.5)).toEqual([
    ['0', 0],
    ['1', 10],
    ['1.5', 15],
  ])
  expect(await numbers(12.5, 13)).toEqual([
    ['0.5', 5],
    ['1', 10],
  ])
})

test.each([
  [{ size: 1 }, 'is not the file that latest.json tells of'],
  [{ digest: `sha256:${'0'.repeat(64)}` }, 'is not the file'],
  [{ digest: 'md5:0' }, 'latest.json.digest'],
  [{ name: '' }, 'latest.json.name'],
])('another file than latest.json tells of is refused: %p', async (change, message) => {
  const run = runAdapter(bangumiArchive, await answersOf(await dumpOf({}), change), { known })
  expect(await refusal(run)).toInclude(message)
})

test.each([
  [{ subjects: [{ ...subject, id: 'x' }] }, 'has an anime of another shape'],
  [{ subjects: [{}] }, 'has a subject without a type'],
  [{ subjects: '{"id":1' }, 'subject.jsonlines, line 1, is no JSON'],
  [{ episodes: [{ id: 1 }] }, 'has an episode of another shape'],
  [{ subjects: [{ ...subject, name: 'x'.repeat(2_000_000) }] }, 'is no JSON'],
])('a dump of another shape is refused', async (dump, message) => {
  expect(await refusal(taken(dump))).toInclude(message)
})

test('a file that is not a zip, truncated, or without the members is refused', async () => {
  const whole = await dumpOf({})
  const files = [new TextEncoder().encode('<html>'), whole.slice(0, 400)]
  for (const zip of [...files, await zipped({ 'other.txt': 'x' })])
    expect(await refusal(runAdapter(bangumiArchive, await answersOf(zip), { known }))).toMatch(/^the zip/)
})

test('an infobox has single values and lists', () => {
  const text =
    '{{Infobox animanga/TVAnime\r\n|话数= 12 \r\n|别名={\r\n[a]\r\n[英|b=c]\r\n[]\r\n}\r\n[stray]\r\n|官方网站=\r\n}}'
  expect(Object.fromEntries(readInfobox(text))).toEqual({ 话数: ['12'], 别名: ['a', 'b=c'], 官方网站: [] })
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('|', '=', '{', '}', '[', ']', '\n', '\r', 'a') }),
      (any) => {
        for (const values of readInfobox(any).values()) expect(values).not.toContain('')
      },
    ),
  )
})
