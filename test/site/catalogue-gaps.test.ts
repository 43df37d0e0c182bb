import { afterAll, beforeEach, expect, test } from 'bun:test'
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

test('the page of twins has moved to the editors', async () => {
  expect((await admin.open('/admin/catalogue/twins')).location).toBe('/catalogue/twins')
})
