import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  kiroku.store.handle.run("update users set is_editor = 1 where username = 'mio'")
  kiroku.store.handle.run("insert into sources (id, name, priority) values (40, 'bangumi-data', 40)")
  editor = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const original =
  "update works set title = 'あ', title_en = 'A', title_kana = '', season_year = null, season = null, owners = '{}', source_id = 40 where id = 1"
beforeEach(() => {
  const { handle } = kiroku.store
  for (const sql of [
    original,
    'delete from catalogue_changes',
    'delete from source_values',
    'delete from removed_parts',
  ])
    handle.run(sql)
})

const row = <T = Record<string, unknown>>(sql: string) => kiroku.store.handle.query<T, []>(sql).get() as T
const rows = (sql: string) => kiroku.store.handle.query(sql).values()
const edit = (values: Record<string, string>, who = editor) => who.submit('/works/1/edit', values)
const titles = () => row('select title, title_en, title_kana from works where id = 1')

describe('the history (D95)', () => {
  test('is shown with who, before and after, and undone by field', async () => {
    const before = rows('select title from work_aliases where work_id = 1')
    await edit({ title_en: 'B', title_kana: 'か', aliases: 'ほか' })
    const page = await editor.open('/works/1/history')
    expect(page.text).toMatch(/<del>.*A<\/del> → <ins>.*B<\/ins>/)
    const id = /data-change="(\d+)"/.exec(page.text)?.[1] ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const one = await editor.open(`/catalogue/changes/${id}`)
    // The title that was there is removed, the new one added.
    expect(one.text.match(/data-act="revert_field"/g)).toHaveLength(4)
    await editor.post(`/catalogue/changes/${id}/undo`, { csrf, field: 'work 1 title_kana' })
    expect(titles()).toEqual({ title: 'あ', title_en: 'B', title_kana: '' })
    // What was changed since stays, the rest is put back.
    await edit({ title_en: 'C' })
    await editor.post(`/catalogue/changes/${id}/undo`, { csrf })
    expect(titles()).toEqual({ title: 'あ', title_en: 'C', title_kana: '' })
    expect(rows('select title from work_aliases where work_id = 1')).toEqual(before)
    expect(rows('select value from removed_parts')).toEqual([])
  })

  test('is undone by its author for 30 days, by editors always, by nobody else', async () => {
    Object.assign(kiroku.deps.config, { catalogueEdits: 'everyone' })
    const author = await createMember(kiroku, 'azusa')
    await edit({ title_en: 'B' }, author)
    const { id } = row<{ id: number }>('select id from catalogue_changes')
    const undo = async (who: Visitor) => {
      const csrf = /name="csrf" value="([^"]+)"/.exec((await who.open('/works/1/edit')).text)?.[1] ?? ''
      return (await who.post(`/catalogue/changes/${id}/undo`, { csrf })).status
    }
    expect(await undo(await createMember(kiroku, 'Ritsu_T'))).toBe(403)
    kiroku.clock.now += 30 * 86_400_000
    expect(await undo(await createMember(kiroku, 'azusa'))).toBe(403)
    expect(titles()).toMatchObject({ title_en: 'B' })
    kiroku.clock.now -= 86_400_000
    expect(await undo(await createMember(kiroku, 'azusa'))).toBe(303)
    expect(titles()).toMatchObject({ title_en: 'A' })
    Object.assign(kiroku.deps.config, { catalogueEdits: 'propose' })
    editor = await createMember(kiroku, 'mio')
  })

  test('names a private profile to editors alone, and a deleted account to nobody', async () => {
    await edit({ title_en: 'B' })
    kiroku.store.handle.run("update users set privacy = 'private' where username = 'mio'")
    const other = await createMember(kiroku, 'azusa')
    expect((await other.open('/works/1/history')).text).toContain('a member')
    expect((await other.open('/works/1/history')).text).not.toContain('@mio')
    expect((await editor.open('/works/1/history')).text).toContain('@mio')
    kiroku.store.handle.run('update catalogue_changes set user_id = null')
    expect((await editor.open('/works/1/history')).text).toContain('Former member')
    kiroku.store.handle.run("update users set privacy = 'members' where username = 'mio'")
  })
})
