import { afterAll, beforeEach, expect, test } from 'bun:test'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { findTwins } from '../../src/site/catalogue/gaps'
import { bytesOf } from '../support/catalogue-store'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
handle.run("update users set is_admin = 1 where username = 'mio'")
const admin = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['external_ids', 'statuses']) handle.run(`delete from ${table}`)
  handle.run('update works set hidden = 1')
})

const add = (id: number, title: string, more: { year?: number; media?: string; ids?: string[] } = {}) => {
  const { year = 2026, media = 'tv', ids = [] } = more
  handle.run(
    "insert into works (id, title, media, season_year, season, source_id) values (?, ?, ?, ?, 'spring', 1)",
    [id, title, media, year],
  )
  for (const [index, key] of ids.entries())
    handle.run(
      "insert into external_ids (kind, ns, external_id, local_id, is_key) values ('work', ?, ?, ?, ?)",
      [...(key.split(':') as [string, string]), id, Number(index === 0)],
    )
}

const shownAt = async (path: string) => {
  const { text } = await admin.open(path)
  return [...text.matchAll(/<a href="\/works\/(\d+)"/g)].map(([, id]) => Number(id)).filter((id) => id >= 100)
}

test('works of recent seasons without an id at Annict or MyAnimeList are listed, with what is missing', async () => {
  add(101, 'なし')
  add(102, '片方', { ids: ['annict:1'] })
  add(103, '両方', { ids: ['annict:2', 'mal:2'] })
  add(104, '古い', { year: 2019 })
  expect(await shownAt('/admin/catalogue/missing_ids')).toEqual([101, 102])
  const { text } = await admin.open('/admin/catalogue/missing_ids')
  expect(text).toContain('>Annict, MyAnimeList</td>')
  expect(text).toContain('>MyAnimeList</td>')
})

test('older ones are listed if somebody watches them, before the others', async () => {
  add(201, 'なし')
  add(204, '古い', { year: 2019 })
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 204, 'watching', 1)")
  expect(await shownAt('/admin/catalogue/missing_ids')).toEqual([204, 201])
})

test('fifty are on a page', async () => {
  for (let id = 300; id < 351; id += 1) add(id, `題${id}`)
  expect(await shownAt('/admin/catalogue/missing_ids')).toHaveLength(50)
  expect(await shownAt('/admin/catalogue/missing_ids?page=2')).toEqual([350])
  expect((await admin.open('/admin/catalogue/missing_ids?page=999')).status).toBe(200)
})

test('works with the same title, year and medium are paired, ignoring spaces and case', async () => {
  add(401, 'Summer 夏')
  add(402, 'summer　夏')
  add(403, 'Summer夏', { year: 2025 })
  add(404, 'Summer夏', { media: 'movie' })
  expect(await shownAt('/admin/catalogue/twins')).toEqual([401, 402])
})

test('others are served while they are looked for, year by year', async () => {
  for (let year = 1990; year < 2026; year++) add(year, '夏', { year })
  let turns = 0
  const counting = { isOn: true }
  const count = () => {
    turns++
    if (counting.isOn) setImmediate(count)
  }
  const before = await findTwins(kiroku.store.read)
  setImmediate(count)
  expect(await findTwins(kiroku.store.read)).toEqual(before)
  counting.isOn = false
  expect(turns).toBeGreaterThanOrEqual(35)
})

test('the one that people watch stays', async () => {
  add(501, '夏')
  add(502, '夏')
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 502, 'watching', 1)")
  expect(await shownAt('/admin/catalogue/twins')).toEqual([502, 501])
})

test('the two lines shown merge them when imported', async () => {
  add(601, '夏', { ids: ['bangumi:7'] })
  add(602, '夏', { ids: ['annict:9'] })
  const { text } = await admin.open('/admin/catalogue/twins')
  const [, code = ''] = /<pre><code>([^<]+)<\/code>/.exec(text) ?? []
  const lines = code.replaceAll('&#34;', '"')
  expect(lines).toContain('"key":"annict:9","merged_into":"bangumi:7"')
  const { problems } = await importCatalogue(kiroku.store, bytesOf(`${lines}\n`, 1000), {
    now: kiroku.clock.now,
  })
  expect(problems).toEqual([])
  expect(await shownAt('/admin/catalogue/twins')).toEqual([])
})

test('works that cannot be named in a file are shown without lines', async () => {
  add(701, '夏')
  add(702, '夏')
  expect((await admin.open('/admin/catalogue/twins')).text).not.toContain('merged_into')
})
