import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let [editor, author, stranger]: Visitor[] = []
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  kiroku.store.handle.run("update users set is_editor = 1 where username = 'mio'")
})
afterAll(() => kiroku.close())

beforeEach(async () => {
  const { handle } = kiroku.store
  for (const table of [
    'mutes',
    'redirects',
    'catalogue_changes',
    'catalogue_proposals',
    'notifications',
    'source_values',
  ])
    handle.run(`delete from ${table}`)
  handle.run("update works set title_en = 'A', title_kana = '', owners = '{}', hidden = 0 where id = 1")
  editor = await createMember(kiroku, 'mio')
  author = await createMember(kiroku, 'azusa')
  stranger = await createMember(kiroku, 'Ritsu_T')
})

const rows = (sql: string) => kiroku.store.handle.query(sql).values()
const titles = () => rows('select title_en, title_kana from works where id = 1')[0]
const why = { source_url: 'https://example.com/news', reason: '公式' }
const suggest = (values: Record<string, string>, who = author) =>
  (who as Visitor).submit('/works/1/edit', { ...why, ...values })
const proposalId = () => Number(rows('select max(id) from catalogue_proposals')[0]?.[0])
const pathOf = (act = '') => `/catalogue/proposals/${proposalId()}${act}`
const pressed = async (
  who: Visitor | undefined,
  act: string,
  values: readonly (readonly [string, string])[] = [],
) => {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await who?.open('/'))?.text ?? '')?.[1] ?? ''
  return await (who as Visitor).post(pathOf(act), [['csrf', csrf], ...values])
}
const told = async (username: string) => {
  const token = await kiroku.tokenOf(username, 'read')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await kiroku.ask('/v1/me/notifications', { headers })
  return ((await answer.json()) as Body).notifications
}

describe('a suggestion (D93)', () => {
  test('says where it is written, changes nothing, and is told to editors', async () => {
    expect((await author?.submit('/works/1/edit', { title_en: 'B' }))?.status).toBe(422)
    expect((await suggest({ title_en: 'B' })).location).toBe('/works/1')
    expect(titles()).toEqual(['A', ''])
    const [row] = rows(
      'select user_id, state, content, source_url, reason, subject_id from catalogue_proposals',
    )
    expect(row).toEqual([
      4,
      'open',
      '[{"field":"title_en","before":"A","after":"B"}]',
      why.source_url,
      '公式',
      1,
    ])
    const [news] = await told('mio')
    expect([news.action, news.user.username, news.proposal]).toEqual([
      ...['proposal', 'azusa'],
      { id: proposalId(), work_id: 1, answer: '' },
    ])
    expect((await editor?.open('/notifications'))?.text).toContain(pathOf())
  })

  test('is seen by its author and editors alone', async () => {
    await suggest({ title_en: 'B' })
    expect((await stranger?.open(pathOf()))?.status).toBe(404)
    expect((await stranger?.open('/catalogue/proposals'))?.text).not.toContain(pathOf())
    for (const who of [author, editor]) {
      expect((await who?.open(pathOf()))?.text).toMatch(/<ins>.*B<\/ins>/)
      expect((await who?.open('/catalogue/proposals'))?.text).toContain(pathOf())
    }
    expect((await pressed(author, '/accept', [['take', 'title_en']])).status).toBe(403)
    expect((await pressed(stranger, '/withdraw')).status).toBe(404)
    expect(titles()).toEqual(['A', ''])
  })

  test('is accepted in part, as its author’s change that can be undone', async () => {
    await suggest({ title_en: 'B', title_kana: 'か', title_ro: 'x' })
    expect((await pressed(editor, '/accept')).status).toBe(422)
    await pressed(editor, '/accept', [
      ['take', 'title_en'],
      ['take', 'title_kana'],
    ])
    expect(titles()).toEqual(['B', 'か'])
    expect(rows('select user_id, accepted_by, proposal_id, reason from catalogue_changes')).toEqual([
      [4, 1, proposalId(), '公式'],
    ])
    expect(rows('select field from catalogue_change_fields')).toEqual([['title_en'], ['title_kana']])
    const [news] = await told('azusa')
    expect([news.action, news.user, news.proposal.id]).toEqual(['proposal_accepted', null, proposalId()])
    // Once.
    await pressed(editor, '/accept', [['take', 'title_ro']])
    expect(rows('select count(*) from catalogue_changes')).toEqual([[1]])
  })

  test('has no tick where somebody changed the field meanwhile', async () => {
    await suggest({ title_en: 'B', title_kana: 'か' })
    kiroku.store.handle.run("update works set title_en = 'C' where id = 1")
    const { text = '' } = (await editor?.open(pathOf())) ?? {}
    expect(text).toMatch(/value="title_kana"[^>]* checked/)
    expect(text).not.toMatch(/value="title_en"[^>]* checked/)
    expect(text).toContain('<b>C</b>')
  })

  test('is rejected with an answer, which its author is told', async () => {
    await suggest({ title_en: 'B' })
    await pressed(editor, '/reject', [['answer', '出典にありません']])
    expect(titles()).toEqual(['A', ''])
    const [news] = await told('azusa')
    expect([news.action, news.proposal.answer]).toEqual(['proposal_rejected', '出典にありません'])
    expect((await author?.open(pathOf()))?.text).toContain('出典にありません')
  })

  test('is changed or withdrawn by its author while it is open', async () => {
    await suggest({ title_en: 'B' })
    const page = await author?.open(`/works/1/edit?proposal=${proposalId()}`)
    expect([page?.text.includes('value="B"'), page?.text.includes(why.source_url)]).toEqual([true, true])
    await suggest({ title_en: 'D', proposal: String(proposalId()) })
    expect(rows("select content ->> '$[0].after' from catalogue_proposals")).toEqual([['D']])
    await pressed(author, '/withdraw')
    expect(rows('select state from catalogue_proposals')).toEqual([['withdrawn']])
    expect(await told('mio')).toEqual([])
    await pressed(editor, '/accept', [['take', 'title_en']])
    expect(titles()).toEqual(['A', ''])
  })

  test('about a work that was merged is one about its survivor; about a hidden one it is as before', async () => {
    const { handle } = kiroku.store
    await suggest({ title_en: 'B' })
    handle.run('update works set hidden = 1 where id = 1')
    handle.run("insert into redirects (kind, from_id, to_id) values ('work', 1, 2)")
    expect((await editor?.open(pathOf()))?.status).toBe(200)
    await pressed(editor, '/accept', [['take', 'title_en']])
    expect(rows('select title_en from works where id = 2')).toEqual([['B']])
    handle.run("delete from redirects where kind = 'work' and from_id = 1")
    handle.run('update works set hidden = 0 where id = 1')
  })

  test('waits while 20 of its author are open, or after 50 a day: the form stays (429)', async () => {
    const { handle, clock } = { handle: kiroku.store.handle, clock: kiroku.clock }
    const columns =
      'kind, work_id, subject_kind, subject_id, user_id, content, source_url, state, decided_at, created_at, updated_at'
    const fill = (n: number, state: string) =>
      handle.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n})
        insert into catalogue_proposals (${columns}) select 'edit', 1, 'work', 1, 4, '[]', '', ${state}, ${clock.now}, 1 from n`)
    fill(20, "'open', null")
    const full = await suggest({ title_en: 'B' })
    expect([full.status, full.text.includes('value="B"')]).toEqual([429, true])
    handle.run('delete from catalogue_proposals')
    fill(50, "'rejected', 1")
    expect((await suggest({ title_en: 'B' })).status).toBe(429)
    kiroku.clock.now += 86_400_001
    author = await createMember(kiroku, 'azusa')
    expect((await suggest({ title_en: 'B' })).status).toBe(303)
    expect(rows('select count(*) from catalogue_proposals')).toEqual([[51]])
  })

  test('goes with its author’s account; the change that came of it stays, a former member’s', async () => {
    await suggest({ title_en: 'B' })
    await pressed(editor, '/accept', [['take', 'title_en']])
    const { beginDeletion, finishDeletion } = await import('../../../src/accounts/account/deletion')
    await beginDeletion(kiroku.deps, { userId: 4, keepsComments: false })
    await finishDeletion(kiroku.deps, 4)
    expect(rows('select id from catalogue_proposals')).toEqual([])
    expect(rows('select user_id, reason, proposal_id from catalogue_changes')).toEqual([[null, '', null]])
    expect(titles()).toEqual(['B', ''])
  })
})
