import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

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
  expect((await editor.open('/works/1')).text).toContain('data-hidden')
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

describe('a hidden work', () => {
  const reason = '存在しない作品 <b>'
  const ownOf = (user: number) =>
    rows(`select id from records where user_id = ${user} and work_id = 1 order by id`).flat().map(Number)
  beforeAll(async () => {
    kiroku.store.handle.run("insert into notes (user_id, work_id, text, updated_at) values (1, 1, '庭', 1)")
    await editor.submit('/works/1/hide', { reason })
    await editor.open('/catalogue/hidden')
  })

  test('is read by whoever has something of it, with the reason, their records and their export (D42)', async () => {
    const { status, text } = await editor.open('/works/1/any-slug')
    expect(status).toBe(200)
    expect(text).toMatch(/No longer in the catalogue<\/b>: <span dir="auto">存在しない作品 &#60;b&#62;</)
    expect(ownOf(1)).not.toEqual([])
    expect([...text.matchAll(/id="record-(\d+)"/g)].map(([, id]) => Number(id)).toSorted()).toEqual(ownOf(1))
    expect(text).toContain('href="/settings/export"')
    expect(text).toContain('<p class="comment">庭</p>')
    expect([...new Set([...text.matchAll(/data-act="([^"]+)"/g)].map(([, act]) => act))].toSorted()).toEqual([
      'delete_record',
      'delete_viewing',
      'note',
      'status',
    ])
    expect(text).not.toContain('class="work-page"')
    const japanese = await createMember(kiroku, 'Ritsu_T', { language: 'ja' })
    expect((await japanese.open('/works/1')).text).toContain('カタログにありません')
  })

  test('stays in the library and the diary of whoever has it, with a way to its page (D42)', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    const rowIn = async (who: Visitor, query = '') =>
      /<tr id="row-1".*?<\/tr>/s.exec((await who.open(`/@mio/library/all${query}`)).text)?.[0] ?? ''
    const row = await rowIn(editor)
    for (const part of ['href="/works/1"', 'No longer in the catalogue']) expect(row).toContain(part)
    for (const act of ['episode_id', '/works/1/dates']) expect(row).not.toContain(act)
    expect([await rowIn(editor, '?select=1'), await rowIn(azusa)]).toEqual(['', ''])
    const [month] = rows(
      "select strftime('%Y/%m', watched_at / 1000, 'unixepoch', '+9 hours') from records where id = 1",
    ).flat()
    const diary = `/@mio/diary/${String(month).replace('/0', '/')}`
    const own = (await editor.open(diary)).text
    expect(own).toMatch(/data-work="1".*?href="\/works\/1"/s)
    const others = (await azusa.open(diary)).text
    expect(others).toContain('data-work="1"')
    expect(others).not.toContain('href="/works/1"')
  })

  test('takes nothing new, and its other pages explain (D42)', async () => {
    const { csrf = '' } = hiddenInputs((await editor.open('/works/1')).text, '/status')
    const before = rows(
      'select (select count(*) from records), (select count(*) from reviews), kind from statuses',
    )
    for (const [path, values] of [
      ['/record', { episode_id: '3' }],
      ['/skip', { episode_id: '3' }],
      ['/status', { work_id: '1', kind: 'watched' }],
      ['/viewing', { work_id: '1', comment: 'x' }],
      ['/rating', { work_id: '1', rating_state: 'good' }],
      ['/laps', { work_id: '1' }],
      ['/episodes', { work_id: '1' }],
      ['/lists/add', { list_id: '1', work_id: '1' }],
    ] as const)
      expect([path, (await editor.post(path, { csrf, ...values })).status]).toEqual([path, 404])
    expect(
      rows('select (select count(*) from records), (select count(*) from reviews), kind from statuses'),
    ).toEqual(before)
    for (const path of ['/works/1/edit', '/works/1/episodes/1', '/works/1/viewing']) {
      const { status, text } = await editor.open(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain('was removed from the catalogue')
    }
  })

  test('loses a record that its owner deletes, and gets it back when they undo that (D42)', async () => {
    const [first = 0, ...others] = ownOf(1)
    const deleted = await editor.submit('/works/1', { record_id: String(first) }, '/record/delete')
    expect(deleted.location).toBe('/works/1')
    expect(ownOf(1)).toEqual(others)
    const { status, text } = await editor.open('/works/1')
    expect([status, text.includes(`id="record-${first}"`)]).toEqual([200, false])
    const [, act_id = ''] = /name="act_id" value="(\d+)"/.exec(text) ?? []
    expect((await editor.post('/undo', { ...hiddenInputs(text, '/undo'), act_id })).status).toBe(303)
    expect(ownOf(1)).toEqual([first, ...others])
  })

  test('is a page until the last of it is deleted: then not found, as for all others (D42)', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    const azusaId = Number(rows("select id from users where username = 'azusa'").flat()[0])
    const [last, ...others] = ownOf(azusaId)
    expect(last).toBeNumber()
    expect(others).toEqual([])
    kiroku.store.handle.run(`delete from reviews where user_id = ${azusaId} and work_id = 1`)
    kiroku.store.handle.run(`delete from statuses where user_id = ${azusaId} and work_id = 1`)
    const deleted = await azusa.submit('/works/1', { record_id: String(last) }, '/record/delete')
    expect(deleted.location).toBe('/@azusa/library/all')
    for (const who of [azusa, createVisitor(kiroku)]) {
      const { status, text } = await who.open('/works/1')
      expect(status).toBe(404)
      for (const secret of ['存在しない', '星降る庭']) expect(text).not.toContain(secret)
    }
    kiroku.store.handle.run(`update users set is_editor = 1 where id = ${azusaId}`)
    expect((await azusa.open('/works/1')).status).toBe(404)
  })

  test('is left with a note, or a status, alone, and without either it is gone (D42)', async () => {
    for (const table of ['records', 'reviews'])
      kiroku.store.handle.run(`delete from ${table} where user_id = 1 and work_id = 1`)
    expect((await editor.submit('/works/1', { kind: 'no_select' }, '/status')).location).toBe('/works/1')
    expect(rows('select * from statuses where user_id = 1 and work_id = 1')).toEqual([])
    expect((await editor.submit('/works/1', {}, '/notes')).location).toBe('/@mio/library/all')
    expect(rows('select * from notes where user_id = 1 and work_id = 1')).toEqual([])
    expect((await editor.open('/works/1')).status).toBe(404)
  })
})
