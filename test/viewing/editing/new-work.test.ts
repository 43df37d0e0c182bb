import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  kiroku.store.handle.run("update users set is_editor = 1 where username = 'mio'")
  kiroku.store.handle.run(
    "update works set title = '星の海', season_year = 2021, season = 'spring' where id = 1",
  )
  kiroku.store.handle.run(
    "insert or ignore into external_ids (kind, ns, external_id, local_id) values ('work', 'anilist', '77', 1)",
  )
  editor = await createMember(kiroku, 'mio')
  // So that searches find its title.
  await editor.submit('/works/1/edit', { title_kana: 'ほしのうみ' })
})
afterAll(() => kiroku.close())

const rows = (sql: string) => kiroku.store.handle.query(sql).values()
const add = (values: Record<string, string>) => editor.submit('/works/new', { media: 'tv', ...values })
const newest = () =>
  rows('select title, media, season_year, source_id from works order by id desc limit 1')[0]

test('a search that finds nothing leads editors to a new work, filled with what was searched', async () => {
  const found = await editor.open('/search?q=存在しない題名だよ')
  expect(found.text).toContain('/works/new?q=')
  const link = /href="(\/works\/new\?q=[^"]+)"/.exec(found.text)?.[1] ?? ''
  expect((await editor.open(link)).text).toContain('value="存在しない題名だよ"')
  const member = await createMember(kiroku, 'azusa')
  expect((await member.open('/works/new')).status).toBe(403)
  expect((await member.open('/search?q=存在しない題名だよ')).text).not.toContain('/works/new')
})

test('a work by hand is found at once and begins its history (D94, D95)', async () => {
  const sent = await add({ title: '海辺の図書館', season_year: '2026', season: 'autumn' })
  expect(sent.location).toMatch(/^\/works\/\d+$/)
  expect(newest()).toEqual(['海辺の図書館', 'tv', 2026, 1])
  const page = await editor.open(sent.location)
  expect(page.text).toMatch(/class="toast"[\s\S]*data-act="undo_change"/)
  expect((await editor.open('/search?q=海辺の図書館')).text).toContain(sent.location)
  expect((await editor.open(`${sent.location}/history`)).text).toContain('added')
})

test('its id comes from an address, Annict’s is its own if that is free (D3)', async () => {
  const sent = await add({ title: '遠い灯台', address: 'https://annict.com/works/424242' })
  expect(sent.location).toBe('/works/424242')
  expect(rows("select external_id from external_ids where ns = 'annict' and local_id = 424242")).toEqual([
    ['424242'],
  ])
  await add({ title: '近い灯台', address: 'https://myanimelist.net/anime/998877' })
  expect(rows("select title from works where mal_anime_id = '998877'")).toEqual([['近い灯台']])
})

test.each([
  ['the same title in a year beside it', { title: '星の海', season_year: '2022' }],
  ['the id of another work', { title: '別の題名', address: 'https://anilist.co/anime/77' }],
])('%s is asked about first (409)', async (_, values) => {
  const before = rows('select count(*) from works')
  const asked = await add(values)
  expect([
    asked.status,
    asked.text.includes('name="is_new"'),
    asked.text.includes('href="/works/1"'),
  ]).toEqual([409, true, true])
  expect(rows('select count(*) from works')).toEqual(before)
  expect((await add({ ...values, is_new: '1' })).status).toBe(303)
})

test.each([
  { title: '' },
  { title: 'x', media: 'radio' },
  { title: 'x', season: 'spring' },
  { title: 'x', address: 'https://example.com/' },
])('%j is refused with the form as typed (422)', async (values) => {
  const before = rows('select count(*) from works')
  expect((await add(values)).status).toBe(422)
  expect(rows('select count(*) from works')).toEqual(before)
})
