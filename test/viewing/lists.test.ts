import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const mio = await createMember(kiroku, 'mio')
const ritsu = await createMember(kiroku, 'Ritsu_T')
const visitor = createVisitor(kiroku)
const api = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

beforeEach(async () => {
  for (const table of ['changes', 'acts', 'list_works', 'lists', 'form_receipts'])
    handle.run(`delete from ${table}`)
  await api.done('PATCH', '/v1/me', { profile: 'members' })
  await finishMoves(kiroku.deps)
})

const make = async (works: readonly number[] = [], more = {}): Promise<number> => {
  const { id } = await api.done('POST', '/v1/me/lists', { name: '見返したい', ...more })
  for (const work_id of works) await api.done('POST', `/v1/me/lists/${id}/items`, { work_id })
  return id
}
const works = (list: number) =>
  handle.query('select work_id from list_works where list_id = ? order by place, id').values(list).flat()
const shownWorks = (text: string) => [...text.matchAll(/data-work="(\d+)"/g)].map(([, id]) => Number(id))

/** Presses *Undo* of the message on the next page, or of the first line of the history. */
async function undo(who: Visitor, page: string): Promise<void> {
  const next = await who.open(page)
  const { text } = next.text.includes('"/undo"') ? next : await who.open('/settings/history')
  const [, act = ''] = /name="act_id" value="(\d+)"/.exec(text) ?? []
  const undone = await who.post('/undo', { ...hiddenInputs(text, '/undo'), act_id: act })
  expect(undone.status).toBe(303)
}

describe('the overview (D88)', () => {
  test('offers three names while there is no list, and lists those that are there', async () => {
    const page = await mio.open('/@mio/lists')
    expect(page.text).toContain('No lists yet')
    await mio.submit('/@mio/lists', { name: 'To watch again' }, '/lists')
    const [{ name = '', visibility = '' } = {}] = handle
      .query<{ name: string; visibility: string }, []>('select name, visibility from lists')
      .all()
    expect([name, visibility]).toEqual(['To watch again', 'members'])
    expect((await mio.open('/@mio/lists')).text).toContain('>To watch again</a>')
    await undo(mio, '/@mio/lists')
    expect(handle.query('select 1 from lists').all()).toEqual([])
  })

  test('says how many works there are, how many the reader has watched, and who sees the list', async () => {
    await make([1, 5], { visibility: 'private', is_ordered: true })
    const { text } = await mio.open('/@mio/lists')
    for (const fact of ['2 works · Ordered · Only me', '1 / 2 watched']) expect(text).toContain(fact)
    expect((await ritsu.open('/@mio/lists')).text).not.toContain('見返したい')
  })
})

describe('a new list', () => {
  test('is preset as the profile is, and shows the form again with what is wrong', async () => {
    await api.done('PATCH', '/v1/me', { profile: 'public' })
    expect((await mio.open('/lists/new')).text).toContain('<option value="public" selected')
    const wrong = await mio.submit('/lists/new', { name: ' ', text: '疲れた夜に' }, '/lists')
    expect([wrong.status, wrong.text.includes('疲れた夜に')]).toEqual([422, true])
    const made = await mio.submit(
      '/lists/new',
      { name: 'x', is_ordered: '1', visibility: 'members' },
      '/lists',
    )
    expect([made.status, made.location]).toEqual([303, '/@mio/lists'])
  })

  test('is refused beyond 100', async () => {
    handle.run(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
      insert into lists (user_id, name, visibility, created_at, updated_at) select 1, 'L' || i, 'members', 1, 1 from n`)
    const refused = await mio.submit('/lists/new', { name: 'x', visibility: 'members' }, '/lists')
    expect([refused.status, refused.text.includes('You have 100 lists already')]).toEqual([422, true])
  })
})

describe('a list', () => {
  test('has its works in order, with the reader’s status, and those alone that they have not watched', async () => {
    const list = await make([3, 5, 1])
    const { text } = await mio.open(`/@mio/lists/${list}`)
    expect(shownWorks(text)).toEqual([3, 5, 1])
    expect(text).toContain('1 / 3 watched')
    expect(shownWorks((await mio.open(`/@mio/lists/${list}?status=unseen`)).text)).toEqual([3, 1])
  })

  test('is copied to the lists of who reads it', async () => {
    const list = await make([3, 1], { text: '疲れた夜に' })
    const copied = await ritsu.submit(`/@mio/lists/${list}`, {}, '/lists/copy')
    expect(copied.location).toBe('/@Ritsu_T/lists')
    const [copy] = handle
      .query<{ id: number; text: string }, []>('select id, text from lists where user_id = 2')
      .all()
    expect([copy?.text, works(copy?.id ?? 0)]).toEqual(['疲れた夜に', [3, 1]])
    await undo(ritsu, '/@Ritsu_T/lists')
    expect(handle.query('select 1 from lists where user_id = 2').all()).toEqual([])
  })

  test('is deleted, and comes back by undo', async () => {
    const list = await make([3, 1])
    await mio.submit(`/@mio/lists/${list}`, {}, '/lists/delete')
    expect((await mio.open(`/@mio/lists/${list}`)).status).toBe(404)
    await undo(mio, '/@mio/lists')
    expect(works(list)).toEqual([3, 1])
  })

  test('is edited by its owner alone', async () => {
    const list = await make([3, 1])
    const edit = `/@mio/lists/${list}/edit`
    expect((await ritsu.open(edit)).status).toBe(404)
    await mio.submit(edit, { name: 'おすすめ', visibility: 'private', is_ordered: '1' }, '/lists/edit')
    expect(handle.query('select name, visibility, is_ordered from lists').values()).toEqual([
      ['おすすめ', 'private', 1],
    ])
    await undo(mio, edit)
    expect(handle.query('select name, visibility, is_ordered from lists').values()).toEqual([
      ['見返したい', 'members', 0],
    ])
  })

  test('is moved in by ↑, ↓, top, bottom and a place', async () => {
    const list = await make([1, 2, 3])
    const edit = `/@mio/lists/${list}/edit`
    for (const [work, to, order] of [
      [3, 'up', [1, 3, 2]],
      [1, 'down', [3, 1, 2]],
      [2, 'top', [2, 3, 1]],
      [2, 'bottom', [3, 1, 2]],
      [2, '2', [3, 2, 1]],
    ] as const) {
      await mio.submit(edit, { work_id: String(work), to }, '/lists/move')
      expect(works(list)).toEqual([...order])
    }
    expect((await mio.submit(edit, { to: 'sideways' }, '/lists/move')).status).toBe(422)
    await undo(mio, edit)
    expect(works(list)).toEqual([3, 1, 2])
  })

  test('has a note on a work, which leaves by ⋯', async () => {
    const list = await make([1, 2])
    const page = `/@mio/lists/${list}/works/1`
    await mio.submit(page, { text: '冬の\r\n夜に' }, '/lists/note')
    expect(handle.query('select note from list_works where work_id = 1').values()).toEqual([['冬の\n夜に']])
    await mio.submit(page, {}, '/lists/remove')
    expect(works(list)).toEqual([2])
    expect((await mio.open(page)).status).toBe(404)
    await undo(mio, `/@mio/lists/${list}/edit`)
    expect((await mio.open(`/@mio/lists/${list}`)).text).toContain('冬の')
  })
})

describe('a work is put into a list', () => {
  test('from ⋯ of its page: into the one used last at once, or into any', async () => {
    const list = await make([2])
    await mio.submit('/works/1', {}, '/lists/add')
    expect(works(list)).toEqual([2, 1])
    expect((await mio.open('/works/1')).text).toContain('Added Garden of Falling Stars to “見返したい”')
    const other = await make()
    await mio.submit('/works/3/lists', { list_id: String(other) }, '/lists/add')
    expect([works(list), works(other)]).toEqual([[2, 1], [3]])
    const page = await mio.open('/works/3/lists')
    expect(page.text).toContain('there, at 1')
    await mio.submit('/works/3/lists', { name: 'おすすめ' }, '/lists')
    expect(
      handle
        .query(
          "select work_id from list_works where list_id = (select id from lists where name = 'おすすめ')",
        )
        .values(),
    ).toEqual([[3]])
  })

  test('several at once from the library', async () => {
    const list = await make([1])
    const page = '/@mio/library/all?select=1'
    expect((await mio.open(page)).text).toContain('formaction="/lists/add"')
    const fields = { list_id: String(list), work_1: 'on', work_2: 'on', works: '3,5' }
    const inputs = await mio.open(page)
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(inputs.text) ?? []
    const sent = await mio.post('/lists/add', { ...fields, csrf, return_to: page })
    expect([sent.status, works(list)]).toEqual([303, [1, 2, 3, 5]])
    await undo(mio, page)
    expect(works(list)).toEqual([1])
  })

  test('not beyond 1,000, and nothing of a list of somebody else', async () => {
    const list = await make([1])
    handle.run(`with recursive n (i) as (select 8000 union all select i + 1 from n where i < 8998)
      insert into works (id, title, media, source_id) select i, 'W' || i, 'tv', 1 from n`)
    handle.run(
      'insert into list_works (list_id, user_id, work_id, place, added_at) select ?, 1, id, id, 1 from works where id >= 8000',
      [list],
    )
    const full = await mio.submit('/works/2/lists', { list_id: String(list) }, '/lists/add')
    expect([full.status, full.text.includes('A list can have at most 1,000 works')]).toEqual([422, true])
    const edit = await mio.open(`/@mio/lists/${list}/edit?page=2`)
    const page = await mio.open(`/@mio/lists/${list}`)
    // D121
    for (const { text } of [edit, page]) expect(new TextEncoder().encode(text).length).toBeLessThan(50_000)
    const other = await ritsu.submit('/works/2/lists', { name: 'x' }, '/lists')
    expect(other.status).toBe(303)
    expect((await ritsu.submit('/works/1/lists', { list_id: String(list) }, '/lists/add')).status).toBe(404)
    handle.run('delete from list_works where work_id >= 8000')
    handle.run('delete from works where id >= 8000')
  })
})

describe('visitors (D64, D88)', () => {
  test('read a list for everyone although the profile is for members, and are sent to sign in from others', async () => {
    const open = await make([1], { visibility: 'public' })
    const members = await make([1], { visibility: 'members' })
    const page = await visitor.open(`/@mio/lists/${open}`)
    expect([page.status, shownWorks(page.text)]).toEqual([200, [1]])
    expect(page.text).not.toContain('data-act="status"')
    for (const path of [`/@mio/lists/${members}`, '/@mio/lists/999', `/@nobody/lists/${open}`, '/@mio/lists'])
      expect([path, (await visitor.open(path)).location]).toEqual([
        path,
        `/sign_in?return_to=${encodeURIComponent(path)}`,
      ])
  })

  test('read those for everyone of a public profile, and none of a private one', async () => {
    const open = await make([1], { visibility: 'public', name: 'みんなの' })
    await make([1], { visibility: 'members', name: '会員の' })
    await api.done('PATCH', '/v1/me', { profile: 'public' })
    const { text } = await visitor.open('/@mio/lists')
    expect([text.includes('みんなの'), text.includes('会員の')]).toEqual([true, false])
    await api.done('PATCH', '/v1/me', { profile: 'private' })
    await finishMoves(kiroku.deps)
    expect((await visitor.open(`/@mio/lists/${open}`)).location).toStartWith('/sign_in')
    expect((await createMember(kiroku, 'azusa')).open(`/@mio/lists/${open}`)).resolves.toMatchObject({
      status: 404,
    })
  })
})
