import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
  const { handle } = kiroku.store
  editor = await createMember(kiroku, 'mio')
  handle.run("update users set is_editor = 1 where username = 'mio'")
  handle.run("insert into sources (id, name, priority) values (40, 'bangumi-data', 40)")
  handle.run("insert into works (id, title, media, source_id) values (500, '彼方から', 'tv', 40)")
})
afterAll(() => kiroku.close())

const run = (sql: string) => kiroku.store.handle.run(sql)
const rows = (sql: string) => kiroku.store.handle.query(sql).values()
beforeEach(() => {
  for (const table of ['catalogue_changes', 'records where work_id = 500', 'programs where work_id = 500'])
    run(`delete from ${table}`)
  run('delete from episodes where work_id = 500')
  run("update works set list_state = '', owners = '{}' where id = 500")
  run(`insert into episodes (id, work_id, number, number_text, sort_number, title, source_id)
    select 5000 + value, 500, value, '第' || value || '話', value * 10, iif(value = 1, '彼方へ', ''), 40
    from json_each('[1,2,3,4]')`)
})

const page = '/works/500/edit/episodes'
const titles = () =>
  rows('select number, title from episodes where work_id = 500 and hidden = 0 order by sort_number, id').map(
    ([number, title]) => `${number} ${title}`,
  )
const paste = (text: string, from = '2', step = 'save') => editor.submit(page, { titles: text, from, step })
const record = (episode: number) => {
  run(`insert into records (id, user_id, work_id, episode_id, created_at, watched_at)
    values (900, (select id from users where username = 'mio'), 500, ${episode}, 1, 1)`)
}

/** Of the last change. */
async function undo(): Promise<void> {
  const [[change]] = rows('select max(id) from catalogue_changes') as [[number]]
  const { text } = await editor.open(page)
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await editor.post(`/catalogue/changes/${change}/undo`, { csrf, return_to: page })).status).toBe(303)
}

describe('titles are pasted', () => {
  test('as a preview first, which writes nothing, then saved, found on the page and undone by its message', async () => {
    const preview = await paste('追う者たち\n第3話「花の都」\n\n5\t占者のまなざし', '2', 'preview')
    expect(preview.status).toBe(200)
    expect(preview.text).toContain('data-preview="3"')
    expect(preview.text).toContain('Save 3 titles')
    expect(preview.text).toContain('追う者たち\n第3話「花の都」')
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
    const saved = await paste('追う者たち\n第3話「花の都」\n\n5\t占者のまなざし')
    expect([saved.status, saved.location]).toEqual([303, page])
    expect(titles()).toEqual(['1 彼方へ', '2 追う者たち', '3 花の都', '4 ', '5 占者のまなざし'])
    expect(rows('select owners from episodes where id = 5002')).toEqual([['{"title":1}']])
    expect((await editor.open(page)).text).toMatch(/class="toast"[\s\S]*data-act="undo_change"/)
    expect(rows('select kind, work_id, subject_kind from catalogue_changes')).toEqual([
      ['episodes', 500, 'work'],
    ])
    const history = await editor.open('/works/500/history')
    expect([history.status, history.text.includes('追う者たち')]).toEqual([200, true])
    await undo()
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
    expect(rows('select owners from episodes where id = 5002')).toEqual([['{}']])
  })

  test('or shown again as typed with the line that is wrong', async () => {
    const twice = await paste('2 あ\n2 い')
    expect(twice.status).toBe(422)
    expect(twice.text).toContain('Line 2 repeats number 2')
    expect(twice.text).toContain('2 あ\n2 い')
    expect((await paste('あ', '３')).status).toBe(303)
    expect((await paste('あ', 'x')).status).toBe(422)
    expect((await paste(' \n\n')).status).toBe(422)
    expect((await paste('a'.repeat(280_000))).status).toBe(422)
    expect((await paste('題'.repeat(200_000))).status).toBe(413)
    expect((await paste('\u202eあべこべ')).status).toBe(422)
  })

  test('two thousand at once', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `題${at + 1}`).join('\n')
    const preview = await paste(many, '1', 'preview')
    expect(preview.text.length).toBeLessThan(100_000)
    expect((await paste(many, '1')).status).toBe(303)
    expect(rows('select count(*), max(cast(number as integer)) from episodes where work_id = 500')).toEqual([
      [2000, 2000],
    ])
    expect(rows("select title from episodes where work_id = 500 and number = '2000'")).toEqual([['題2000']])
    const last = await editor.open(`${page}?page=20`)
    expect(last.text).toContain('題2000')
    expect(last.text.length).toBeLessThan(50_000)
    await undo()
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
  })
})

describe('one episode', () => {
  test('is retitled, renumbered and moved, and keeps its records (D96)', async () => {
    record(5002)
    const fields = { number: '2.5', number_text: '第2.5話', title: '追う者たち', sort_number: '35' }
    const sent = await editor.submit(`${page}/5002`, fields)
    expect([sent.status, sent.location]).toEqual([303, page])
    expect(titles()).toEqual(['1 彼方へ', '3 ', '2.5 追う者たち', '4 '])
    expect(rows('select episode_id from records where work_id = 500')).toEqual([[5002]])
    await undo()
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
    expect((await editor.submit(`${page}/5002`, { sort_number: 'x' })).status).toBe(422)
  })

  test('that others changed meanwhile is shown with both values', async () => {
    const was = JSON.stringify({ title: 'む', number: '2', number_text: '第2話', sort_number: '20' })
    run("update episodes set title = 'かれら' where id = 5002")
    const sent = await editor.submit(`${page}/5002`, { title: 'わたし', was })
    expect(sent.status).toBe(409)
    expect(sent.text).toContain('かれら')
    expect(sent.text).toContain('わたし')
  })

  test('is inserted behind another one, before the first and behind the last', async () => {
    await editor.submit(`${page}/5002`, { title: '新', renumber: '1' }, `${page}/5002/insert`)
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 新', '4 ', '5 '])
    await undo()
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
    await editor.submit(page, { title: '最後' }, `${page}/insert`)
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 ', '5 最後'])
  })

  test('is split in two, of which the first has the records', async () => {
    record(5003)
    await editor.submit(
      `${page}/5003`,
      { title: '前', second_title: '後', renumber: '1' },
      `${page}/5003/split`,
    )
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 前', '4 後', '5 '])
    expect(rows('select episode_id from records where work_id = 500')).toEqual([[5003]])
  })

  test('is deleted unless somebody recorded it, and shown again (D96)', async () => {
    await editor.submit(`${page}/5004`, {}, `${page}/5004/remove`)
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 '])
    expect((await editor.open(`${page}/5004`)).status).toBe(404)
    expect((await editor.open(page)).text).toContain('data-differs="hidden"')
    await editor.submit(page, {}, `${page}/5004/show`)
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
    record(5004)
    const kept = await editor.open(`${page}/5004`)
    expect(kept.text).toContain('Not possible: 1 record of it')
    expect(kept.text).not.toContain('data-act="delete_episode"')
    const csrf = /name="csrf" value="([^"]+)"/.exec(kept.text)?.[1] ?? ''
    expect((await editor.post(`${page}/5004/remove`, { csrf })).status).toBe(409)
    expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
  })
})

test('D96 an episode is merged into another with its records, and both come apart again', async () => {
  record(5003)
  const merged = await editor.submit(`${page}/5003`, { into: '5002' }, `${page}/5003/merge`)
  expect(merged.location).toMatch(/^\/catalogue\/changes\/\d+$/)
  expect(titles()).toEqual(['1 彼方へ', '2 ', '4 '])
  expect(rows('select episode_id from records where work_id = 500')).toEqual([[5002]])
  expect((await editor.open('/works/500/episodes/id-5003')).status).not.toBe(500)
  await undo()
  expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
  expect(rows('select episode_id from records where work_id = 500')).toEqual([[5003]])
  const csrf = /name="csrf" value="([^"]+)"/.exec((await editor.open(page)).text)?.[1] ?? ''
  expect((await editor.post(`${page}/5003/merge`, { csrf, into: '1' })).status).toBe(422)
  expect((await editor.post(`${page}/5003/merge`, { csrf, into: '5003' })).status).toBe(409)
  const member = await createMember(kiroku, 'azusa')
  const own = /name="csrf" value="([^"]+)"/.exec((await member.open(page)).text)?.[1] ?? ''
  expect((await member.post(`${page}/5003/merge`, { csrf: own, into: '5002' })).status).toBe(403)
})

test('a list is said to grow or to be complete, as its work shows at once', async () => {
  const work = async () => (await editor.open('/works/500')).text
  expect(await work()).not.toContain('data-act="add_episode"')
  await editor.submit(page, { list_state: 'grows' }, `${page}/list`)
  expect(await work()).toContain('data-act="add_episode"')
  await editor.submit(page, { list_state: 'complete' }, `${page}/list`)
  expect(await work()).not.toContain('data-act="add_episode"')
  await undo()
  expect(rows('select list_state from works where id = 500')).toEqual([['grows']])
})

test('a visitor signs in, a member who may only suggest has no forms for the list (D93)', async () => {
  expect((await createVisitor(kiroku).open(page)).location).toContain('/sign_in')
  const member = await createMember(kiroku, 'azusa')
  const { status, text } = await member.open(page)
  expect(status).toBe(200)
  expect(text).not.toContain('data-act="bulk_titles"')
  expect((await member.open(`${page}/5001`)).text).toContain('data-act="propose_episode"')
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  for (const path of [page, `${page}/insert`, `${page}/list`, `${page}/5001/split`, `${page}/5001/remove`])
    expect([path, (await member.post(path, { csrf, titles: 'あ', from: '1', after: '0' })).status]).toEqual([
      path,
      403,
    ])
  expect(titles()).toEqual(['1 彼方へ', '2 ', '3 ', '4 '])
})
