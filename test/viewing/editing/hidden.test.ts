import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  kiroku.store.handle.run("update users set is_editor = 1 where username = 'mio'")
  editor = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const rows = (sql: string) => kiroku.store.handle.query(sql).values()

test('an editor takes a work out of the catalogue with a reason, and shows it again (D42)', async () => {
  const other = await createMember(kiroku, 'azusa')
  for (const path of ['/works/1/hide', '/catalogue/hidden']) expect((await other.open(path)).status).toBe(403)
  const records = rows('select count(*) from records where work_id = 1')
  expect((await editor.submit('/works/1/hide', { reason: '' })).status).toBe(422)
  expect((await editor.submit('/works/1/hide', { reason: '存在しない作品' })).location).toBe(
    '/catalogue/hidden',
  )
  expect((await editor.open('/works/1')).status).toBe(404)
  expect(rows('select min(hidden) from episodes where work_id = 1')).toEqual([[2]])
  expect(rows('select count(*) from records where work_id = 1')).toEqual(records)
  expect((await kiroku.json('/v1/works?filter_ids=1')).works).toEqual([])
  const list = await editor.open('/catalogue/hidden')
  expect(list.text).toMatch(/data-work="1"[\s\S]*存在しない作品[\s\S]*data-act="show_work"/)
  await editor.submit('/catalogue/hidden', {}, '/works/1/show')
  expect((await editor.open('/works/1')).status).toBe(200)
  expect(rows('select max(hidden & 2) from episodes where work_id = 1')).toEqual([[0]])
  expect(rows('select kind, reason from catalogue_changes order by id')).toEqual([
    ['hide', '存在しない作品'],
    ['show', ''],
  ])
})

test('hiding is undone in the history, and a work that was merged is not shown', async () => {
  await editor.submit('/works/1/hide', { reason: 'x' })
  const [id] = rows('select max(id) from catalogue_changes')[0] ?? []
  await editor.submit(`/catalogue/changes/${id}`, {}, `/catalogue/changes/${id}/undo`)
  expect((await editor.open('/works/1')).status).toBe(200)
  kiroku.store.handle.run('update works set hidden = 1 where id = 2')
  kiroku.store.handle.run("insert into redirects (kind, from_id, to_id) values ('work', 2, 1)")
  const csrf = /name="csrf" value="([^"]+)"/.exec((await editor.open('/')).text)?.[1] ?? ''
  expect((await editor.post('/works/2/show', { csrf })).status).toBe(404)
  expect(rows('select hidden from works where id = 2')).toEqual([[1]])
})
