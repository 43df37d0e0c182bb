import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

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

describe('who may edit (D93)', () => {
  test.each(['/works/1/edit', '/works/1/history', '/catalogue/changes'])(
    'a visitor signs in before %s',
    async (path) => {
      expect((await createVisitor(kiroku).open(path)).location).toBe(
        `/sign_in?return_to=${encodeURIComponent(path)}`,
      )
    },
  )

  test('a member suggests, edits or does nothing, as the instance is set', async () => {
    const { config } = kiroku.deps
    const member = await createMember(kiroku, 'azusa')
    expect((await member.open('/works/1/edit')).text).toContain('data-act="propose_work"')
    expect((await member.open('/catalogue/changes')).status).toBe(403)
    Object.assign(config, { catalogueEdits: 'everyone' })
    expect((await member.open('/works/1/edit')).text).toContain('data-act="edit_work"')
    Object.assign(config, { catalogueEdits: 'editors' })
    expect((await member.open('/works/1/edit')).status).toBe(403)
    expect((await member.open('/works/1')).text).not.toContain('/works/1/edit')
    expect((await editor.open('/works/1')).text).toContain('/works/1/edit')
    Object.assign(config, { catalogueEdits: 'propose' })
  })

  test('nobody without the token of the form', async () => {
    expect((await editor.post('/works/1/edit', { csrf: 'x', title: 'い' })).status).toBe(403)
    expect(titles()).toMatchObject({ title: 'あ' })
  })
})

describe('a work is edited', () => {
  test('in what was changed alone, which is found at once and undone by its message', async () => {
    const sent = await edit({
      title_en: 'From Far Away',
      reason: '公式',
      source_url: 'https://example.com/a',
    })
    expect([sent.status, sent.location]).toEqual([303, '/works/1'])
    expect(titles()).toEqual({ title: 'あ', title_en: 'From Far Away', title_kana: '' })
    expect(row('select owners from works where id = 1')).toEqual({ owners: '{"title_en":1}' })
    expect(row('select work_id, user_id, reason, source_url from catalogue_changes')).toEqual({
      ...{ work_id: 1, user_id: 1, reason: '公式', source_url: 'https://example.com/a' },
    })
    expect(rows('select field, before, after from catalogue_change_fields')).toEqual([
      ['title_en', '"A"', '"From Far Away"'],
    ])
    const shown = await editor.open('/works/1')
    expect(shown.text).toMatch(/class="toast"[\s\S]*data-act="undo_change"/)
    expect((await editor.open('/search?q=from+far')).text).toContain('/works/1')
    const action = /action="(\/catalogue\/changes\/\d+\/undo)"/.exec(shown.text)?.[1] ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
    expect((await editor.post(action, { csrf, return_to: '/works/1' })).location).toBe('/works/1')
    expect(row('select title_en, owners from works where id = 1')).toEqual({ title_en: 'A', owners: '{}' })
  })

  test('as long as something changes: else nothing is written', async () => {
    expect((await edit({ title: ' あ ' })).location).toBe('/works/1')
    expect(rows('select id from catalogue_changes')).toEqual([])
    expect((await editor.open('/works/1')).text).toContain('Nothing was changed')
  })

  test('not over what somebody else changed meanwhile: both are shown, the rest as typed (409)', async () => {
    const page = await editor.open('/works/1/edit')
    const was = JSON.stringify({ title: 'あ', title_en: 'A', title_kana: '' })
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    kiroku.store.handle.run("update works set title_en = 'Theirs' where id = 1")
    const sent = await editor.post('/works/1/edit', {
      csrf,
      was,
      title: 'あ',
      title_en: 'Mine',
      title_kana: 'い',
    })
    expect(sent.status).toBe(409)
    expect(sent.text).toMatch(/Now: <b>Theirs<\/b>/)
    expect([sent.text.includes('value="Mine"'), sent.text.includes('value="い"')]).toEqual([true, true])
    expect(titles()).toMatchObject({ title_en: 'Theirs', title_kana: '' })
    // What the others changed and this form did not touch is left.
    expect((await editor.post('/works/1/edit', { csrf, was, title_en: 'A', title_kana: 'い' })).status).toBe(
      303,
    )
    expect(titles()).toMatchObject({ title_en: 'Theirs', title_kana: 'い' })
  })

  test.each([
    ['title', ''],
    ['title', 'あ\u202eい'],
    ['title', 'x'.repeat(1001)],
    ['season_year', '12'],
    ['season', 'winter'],
    ['season', 'never'],
    ['released_on', '2026-02-30'],
    ['official_site_url', 'javascript:alert(1)'],
    ['source_url', 'http://example.com/'],
    ['reason', 'x'.repeat(1001)],
    ['id_mal', 'abc'],
    ['media', 'radio'],
    ['list_state', 'never'],
    ['aliases', 'い\u2066'],
  ])('not by %s = %j: 422 with the form as typed', async (name, value) => {
    const sent = await edit({ title_kana: 'か', [name]: value })
    expect(sent.status).toBe(422)
    expect(sent.text).toMatch(/class="problems"/)
    expect(sent.text).toContain('value="か"')
    expect(titles()).toEqual({ title: 'あ', title_en: 'A', title_kana: '' })
  })

  test('by an id, also pasted as an address; that of another work needs a tick', async () => {
    const { handle } = kiroku.store
    handle.run(
      "insert into external_ids (kind, ns, external_id, local_id) values ('work', 'anilist', '77', 2)",
    )
    const refused = await edit({ id_anilist: 'https://anilist.co/anime/77/x' })
    expect([
      refused.status,
      refused.text.includes('name="is_shared"'),
      refused.text.includes('href="/works/2"'),
    ]).toEqual([422, true, true])
    expect(
      (await edit({ id_anilist: '77', is_shared: '1', id_mal: 'https://myanimelist.net/anime/5114' })).status,
    ).toBe(303)
    expect(
      rows(
        "select ns, external_id from external_ids where kind = 'work' and local_id = 1 and ns in ('anilist', 'mal') order by ns",
      ),
    ).toEqual([
      ['anilist', '77'],
      ['mal', '5114'],
    ])
  })

  test('at most 600 times an hour: then the form stays as typed (429)', async () => {
    const { handle } = kiroku.store
    const columns = 'kind, work_id, subject_kind, subject_id, user_id, created_at'
    handle.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 600)
      insert into catalogue_changes (${columns}) select 'edit', 1, 'work', 1, 1, ${kiroku.clock.now} from n`)
    const sent = await edit({ title_en: 'B' })
    expect([sent.status, sent.text.includes('value="B"')]).toEqual([429, true])
    kiroku.clock.now += 3_600_001
    expect((await edit({ title_en: 'B' })).status).toBe(303)
  })
})

describe('a field by hand', () => {
  beforeEach(async () => {
    await edit({ title_en: 'Mine' })
    kiroku.store.handle.run(
      "insert into import_rows (source_id, kind, key, hash, local_id) values (40, 'work', 'annict:1', 5, 1)",
    )
    kiroku.store.handle.run(
      "insert or ignore into external_ids (kind, ns, external_id, local_id, is_key) values ('work', 'annict', '1', 1, 1)",
    )
  })

  const press = async (act: string) => {
    const page = await editor.open('/works/1/edit')
    expect(page.text).toMatch(/data-differs="title_en"[\s\S]*bangumi-data[\s\S]*<dd>A /)
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    return await editor.post(`/works/1/edit/${act}`, { csrf, field: 'title_en', source: '40' })
  }

  test('takes the value of the source again (D94), and by undo is by hand', async () => {
    expect((await press('use_source')).location).toBe('/works/1/edit')
    expect(row('select title_en, owners from works where id = 1')).toEqual({ title_en: 'A', owners: '{}' })
    const page = await editor.open('/works/1/history')
    const newest = /data-change="(\d+)"/.exec(page.text)?.[1]
    await editor.submit('/works/1/history', {}, `/catalogue/changes/${newest}/undo`)
    expect(row('select title_en, owners from works where id = 1')).toEqual({
      title_en: 'Mine',
      owners: '{"title_en":1}',
    })
  })

  test('is unlocked: it stays until the source’s next file, unchanged or not', async () => {
    await press('unlock')
    expect(row('select title_en, owners from works where id = 1')).toEqual({ title_en: 'Mine', owners: '{}' })
    expect(rows("select hash from import_rows where kind = 'work' and key = 'annict:1'")).toEqual([])
  })
})
