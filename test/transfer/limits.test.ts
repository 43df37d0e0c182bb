import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import { limited } from '../../src/transfer/file/input-file'
import { limits } from '../../src/transfer/file/limits'
import { RefusedFile } from '../../src/transfer/file/refused-file'
import { writeZip as writeZipFile } from '../support/zip-file'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'list')

const writeZip = (members: Readonly<Record<string, string>>) => writeZipFile(path, members)

/** How many rows of a file are read, and the limit exceeded after them, if any. */
async function outcome(): Promise<readonly [rows: number, passed?: unknown]> {
  let rows = 0
  try {
    const { reader, contents } = await detect(path, 'list')
    for await (const _ of reader.rows(contents)) rows += 1
    return [rows]
  } catch (cause) {
    if (!(cause instanceof RefusedFile)) throw cause
    expect(cause.problem).toBe('too_large')
    return [rows, cause.detail]
  }
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

test('a table has at most 200,000 rows and 1,000 columns', async () => {
  writeFileSync(path, `mal_id,title,status\n${lines(limits.rows + 1, () => '1,a,watched')}\n`)
  expect(await outcome()).toEqual([limits.rows, 'rows'])
  writeFileSync(path, `mal_id,title,status${',x'.repeat(limits.columns)}\n1,a\n`)
  expect(await outcome()).toEqual([0, 'columns'])
})

test('there are at most 500,000 plays, even if a row has many', async () => {
  const row = `a,动画,https://bgm.tv/subject/1,看过,1,{'本篇': ['1-5000']}`
  const header = '名称,条目类型,地址,状态,完成度,完成单集'
  writeFileSync(path, `${header}\n${lines(101, () => row)}\n`)
  expect(await outcome()).toEqual([100, 'plays'])
})

test('a history has at most 40,000 titles', async () => {
  const header = 'key,series_name,s_id,season_number,episode_number,created_at'
  const tracking = (count: number) =>
    `${header}\n${lines(count, (index) => `watch-episode-${index},a,${index + 1},1,1,2023-05-06 12:34:56`)}`
  await writeZip({ 'tracking-prod-records-v2.csv': tracking(limits.titles) })
  expect(await outcome()).toEqual([limits.titles])
  await writeZip({ 'tracking-prod-records-v2.csv': tracking(limits.titles + 1) })
  expect(await outcome()).toEqual([0, 'titles'])
})

test('texts kept for later have a total length, and an entry a size', async () => {
  const reviews = Array.from({ length: 9 }, (_, id) => ({ series_id: id + 2, text: 'a'.repeat(limits.text) }))
  const list = { lists: [{ series_id: 1, series_type: 0 }] }
  writeFileSync(path, JSON.stringify({ ...list, reviews: reviews.slice(0, 8) }))
  expect(await outcome()).toEqual([9])
  writeFileSync(path, JSON.stringify({ ...list, reviews }))
  expect(await outcome()).toEqual([0, 'joined'])
  writeFileSync(path, JSON.stringify({ data: [{ subject_id: 1, x: new Array(limits.entry).fill(0) }] }))
  expect(await outcome()).toEqual([0, 'entry'])
})

test('an empty file in an archive is skipped', async () => {
  await writeZip({ 'diary.csv': 'Date,Name,Year\n2023-05-10,Fireworks,2017\n', 'watchlist.csv': '' })
  expect(await outcome()).toEqual([1])
})

test('other requests get their turn while pieces arrive faster than they are read', async () => {
  let turns = 0
  const turn = setInterval(() => {
    turns += 1
  }, 1)
  async function* pieces() {
    const until = performance.now() + 100
    while (performance.now() < until) yield new Uint8Array(16)
  }
  for await (const _ of limited(pieces()));
  clearInterval(turn)
  expect(turns).toBeGreaterThan(0)
})

const MiB = 1024 * 1024
const anime =
  '<anime><series_animedb_id>1</series_animedb_id><my_status>Completed</my_status><my_comments>a</my_comments></anime>'

/** Rows and memory of a process that reads the file after another one, which loads the parsers. */
async function readAlone(): Promise<{ rows: number; growth: number }> {
  const program = `
    const { detect } = await import(${JSON.stringify(join(import.meta.dir, '../../src/transfer/detect.ts'))})
    const read = async (path) => {
      let rows = 0
      try {
        const { reader, contents } = await detect(path, 'list')
        for await (const _ of reader.rows(contents)) rows += 1
      } catch (cause) {
        if (cause.problem !== 'too_large') throw cause
      }
      return rows
    }
    await read(${JSON.stringify(join(import.meta.dir, 'lists/mal/long-runners.xml'))})
    await read(${JSON.stringify(join(import.meta.dir, 'lists/bangumi/collections.json'))})
    const before = process.memoryUsage.rss()
    const rows = await read(${JSON.stringify(path)})
    console.log(JSON.stringify({ rows, growth: process.memoryUsage.rss() - before }))`
  const child = Bun.spawn(['bun', '-e', program], { stdout: 'pipe' })
  return JSON.parse(await child.stdout.text())
}

/** Bytes from the start: a string of this length takes longer to make than to read. */
const endless = (text: string, length = 31 * MiB) => Buffer.alloc(length, text)

test.each<[string, number, string, () => Buffer, string]>([
  [
    '100,000 entries of XML',
    100_000,
    '<myanimelist>',
    () => endless(anime, anime.length * 100_000),
    '</myanimelist>',
  ],
  ['a comment of XML that never ends', 0, `<myanimelist>${anime}<!--`, () => endless('x'), ''],
  ['an attribute that never ends', 0, '<myanimelist><anime a="', () => endless('x'), ''],
  ['a text of escapes', 0, '{"data":[{"subject_id":"', () => endless('\\n', 30 * MiB), '"}]}'],
  ['a number of 31 million digits', 0, '{"data":[{"subject_id":', () => endless('1'), '}]}'],
  ['a cell that never ends', 0, 'mal_id,title\n"', () => endless('x'), ''],
])(
  'memory does not grow with a file of 32 MiB: %s',
  async (_, rows, begin, middle, end) => {
    writeFileSync(path, Buffer.concat([Buffer.from(begin), middle(), Buffer.from(end)]))
    const read = await readAlone()
    expect(read.rows).toBe(rows)
    expect(read.growth).toBeLessThan(64 * MiB)
  },
  60_000,
)
