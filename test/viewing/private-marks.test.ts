import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  mio = await createMember(kiroku, 'mio')
  azusa = await createMember(kiroku, 'azusa')
})
afterEach(() => kiroku.close())

const one = (query: string) => kiroku.store.handle.query<Record<string, unknown>, []>(query).get()
const newest = (table: 'records' | 'reviews' | 'activities') =>
  one(`select id, private, withheld from ${table} order by id desc`)
const statusOf = (work: number) =>
  one(`select kind, private, withheld from statuses where user_id = 1 and work_id = ${work}`)
const prefer = (mark: 0 | 1) =>
  kiroku.store.handle.run('update users set private_by_default = ? where id = 1', [mark])
async function undoLast(): Promise<void> {
  const act = String(one('select id from acts order by id desc')?.id)
  expect((await mio.submit('/settings/history', { act_id: act }, '/undo')).status).toBe(303)
}

/** Whether the box of a page's form is ticked; undefined if there is none. */
async function boxOn(page: string): Promise<boolean | undefined> {
  const [, mark] =
    /<input type="checkbox" name="private" value="1"( checked)? \/>/.exec((await mio.open(page)).text) ?? []
  return /name="private"/.test((await mio.open(page)).text) ? mark !== undefined : undefined
}
const lock = /class="state own-only"><svg.*?<\/svg>Only me</
const isLocked = async (page: string, of: string) => {
  const { text } = await mio.open(page)
  const at = text.indexOf(of)
  expect([page, of, at >= 0]).toEqual([page, of, true])
  return lock.test(text.slice(at, text.indexOf('</li>', at) + 1 || undefined))
}

const sheet = '/record/new?episode=2&return_to=/works/1'

describe('the box 自分だけ of the sheet (D72)', () => {
  test('makes the record and the status that follows from it private, and undo takes both back', async () => {
    kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 1')
    expect(await boxOn(sheet)).toBe(false)
    await mio.submit(sheet, { comment: '内緒の感想', precision: 'time', private: '1' }, '/record')
    expect(newest('records')).toMatchObject({ private: 1, withheld: 2 })
    expect(statusOf(1)).toEqual({ kind: 'watching', private: 1, withheld: 2 })
    expect(
      one('select count(*) as shared from activities where user_id = 1 and id > 6 and withheld < 2'),
    ).toEqual({
      shared: 0,
    })
    expect(await isLocked('/works/1/episodes/2', `id="record-${newest('records')?.id}"`)).toBe(true)
    for (const page of ['/@mio', '/@mio/diary', '/works/1', '/works/1/episodes/2'])
      expect([page, (await azusa.open(page)).text.includes('内緒の感想')]).toEqual([page, false])
    await undoLast()
    expect(statusOf(1)).toBeNull()
    expect(one("select * from records where comment = '内緒の感想'")).toBeNull()
  })

  test('is ticked for who prefers it, and unticked means shared', async () => {
    prefer(1)
    expect(await boxOn(sheet)).toBe(true)
    await mio.submit(sheet, { precision: 'time' }, '/record')
    expect(newest('records')).toMatchObject({ private: 0, withheld: 0 })
    // A button in a row has no box.
    await mio.submit('/', { episode_id: '3' }, '/record')
    expect(newest('records')).toMatchObject({ private: 1, withheld: 2 })
  })

  test('counts for every episode that is recorded up to it', async () => {
    await mio.submit('/record/new?episode=3&return_to=/works/1', { private: '1' }, '/record')
    await undoLast()
    const { text } = await mio.open('/record/new?episode=3&return_to=/works/1')
    expect(text).toContain('formaction="/record/up_to"')
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
    await mio.post('/record/up_to', { csrf, episode_id: '3', asks_private: '1', private: '1' })
    expect(
      one('select count(*) as some, min(private) as private from records where id > 6 and user_id = 1'),
    ).toEqual({
      some: 3,
      private: 1,
    })
  })

  test('stays as it was ticked when the form is shown again', async () => {
    const refused = await mio.submit(
      sheet,
      { precision: 'date', watched_at: '2019-13', private: '1' },
      '/record',
    )
    expect([refused.status, refused.text.includes('name="private" value="1" checked')]).toEqual([422, true])
    prefer(1)
    const again = await mio.submit(sheet, { precision: 'date', watched_at: '2019-13' }, '/record')
    expect([again.status, again.text.includes('name="private" value="1" checked')]).toEqual([422, false])
  })

  test('takes no other value', async () => {
    const refused = await mio.submit(sheet, { precision: 'time', private: 'yes' }, '/record')
    expect([refused.status, newest('records')?.id]).toEqual([422, 6])
  })
})

describe('an edit form', () => {
  test.each([
    ['records', '/records/1/edit', '/@mio', 'id="record-1"'],
    ['reviews', '/viewings/1/edit', '/works/1', 'id="viewing-1"'],
  ])('of %s marks what was shared and shares it again, with undo (D72)', async (table, path, page, row) => {
    const own = () => one(`select private, withheld from ${table} where id = 1`)
    expect(await boxOn(path)).toBe(false)
    await mio.submit(path, { private: '1' })
    expect([own(), await boxOn(path), await isLocked(page, row)]).toEqual([
      { private: 1, withheld: 2 },
      true,
      true,
    ])
    await undoLast()
    expect([own(), await boxOn(path), await isLocked(page, row)]).toEqual([
      { private: 0, withheld: 0 },
      false,
      false,
    ])
    await mio.submit(path, { private: '1' })
    // Without the box, as programs send it, the mark stays.
    await mio.submit(path, { asks_private: '' })
    expect(own()).toEqual({ private: 1, withheld: 2 })
    await mio.submit(path, {})
    expect(own()).toEqual({ private: 0, withheld: 0 })
  })
})

test('a viewing of a film can be private from the start (D60, D72)', async () => {
  await mio.submit('/works/3', { precision: 'time', private: '1' }, '/viewing')
  expect(newest('reviews')).toMatchObject({ private: 1, withheld: 2 })
  expect(await isLocked('/works/3', 'class="viewing"')).toBe(true)
  prefer(1)
  expect(await boxOn('/works/3/viewing')).toBe(true)
  await mio.submit('/works/3/viewing', { precision: 'time' }, '/viewing')
  expect(newest('reviews')).toMatchObject({ private: 0, withheld: 0 })
})

describe('the menu of a status', () => {
  test('gives one that only its user sees, and the same kind with another mark changes the mark alone', async () => {
    await mio.submit('/works/1', { kind: 'on_hold', private: '1' }, '/status')
    expect(statusOf(1)).toEqual({ kind: 'on_hold', private: 1, withheld: 2 })
    expect(newest('activities')).toMatchObject({ withheld: 2 })
    const { id } = newest('activities') ?? {}
    for (const page of ['/works/1', '/@mio/library/on_hold', '/search?q=星降る庭'])
      expect([page, lock.test((await mio.open(page)).text)]).toEqual([page, true])
    expect((await azusa.open('/@mio/library/on_hold')).text).not.toContain('data-work="1"')
    expect(await boxOn('/works/1/status')).toBe(true)
    await mio.submit('/works/1/status', { kind: 'on_hold' }, '/status')
    expect(statusOf(1)).toEqual({ kind: 'on_hold', private: 0, withheld: 0 })
    expect(newest('activities')?.id).toBe(id)
    await undoLast()
    expect(statusOf(1)).toEqual({ kind: 'on_hold', private: 1, withheld: 2 })
    // A button without the box leaves it.
    await mio.submit('/works/1', { kind: 'watching', asks_private: '' }, '/status')
    expect(statusOf(1)).toEqual({ kind: 'watching', private: 1, withheld: 2 })
    expect(lock.test((await mio.open('/')).text)).toBe(true)
  })

  test('is ticked for who prefers it, of a work without a status', async () => {
    expect(await boxOn('/works/4/status')).toBe(false)
    prefer(1)
    expect(await boxOn('/works/4/status')).toBe(true)
    // What has a status has its own mark.
    expect(await boxOn('/works/1/status')).toBe(false)
  })
})

test('own pages count what is marked private, those of others do not (D74)', async () => {
  const counts = async (who: Visitor) => [
    /On hold <small>(\d+)</.exec(
      (await who.open('/@mio/library/on_hold')).text.replaceAll(/<svg.*?<\/svg>/g, ''),
    )?.[1],
    /<dd>(\d+)<\/dd>/.exec((await who.open('/@mio')).text)?.[1],
  ]
  expect([await counts(mio), await counts(azusa)]).toEqual([
    ['1', '1'],
    ['1', '1'],
  ])
  await mio.submit('/works/1', { kind: 'on_hold', private: '1' }, '/status')
  await mio.submit('/records/1/edit', { private: '1' })
  expect([await counts(mio), await counts(azusa)]).toEqual([
    ['2', '1'],
    ['1', '0'],
  ])
})

describe('the marks of several works', () => {
  const marked = () =>
    kiroku.store.handle
      .query<{ work_id: number }, []>('select work_id from statuses where user_id = 1 and private = 1')
      .all()
      .map(({ work_id }) => work_id)
  const choose = (values: Record<string, string>) =>
    mio.submit('/@mio/library/all?select=1', values, '/status/bulk').then(() => undefined)
  const mark = async (value: string, works: Record<string, string>) => {
    const { text } = await mio.open('/@mio/library/all?select=1')
    expect(text).toContain('name="private" value="1" formaction="/status/bulk/private"')
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
    return await mio.post('/status/bulk/private', {
      csrf,
      return_to: '/@mio/library/all',
      private: value,
      ...works,
    })
  }

  test('change in one act, whatever their statuses, with one undo (D72)', async () => {
    const works = { work_1: 'on', work_2: 'on', work_4: 'on' }
    const done = await mark('1', works)
    expect([marked(), (await mio.open(done.location)).text.includes('2 works: only me')]).toEqual([
      [1, 2],
      true,
    ])
    expect(statusOf(2)).toEqual({ kind: 'wanna_watch', private: 1, withheld: 2 })
    await undoLast()
    expect(marked()).toEqual([])
    await mark('1', works)
    // Statuses of several keep theirs.
    await choose({ kind: 'watched', ...works })
    expect(marked()).toEqual([1, 2])
    const shared = await mark('0', works)
    expect([marked(), (await mio.open(shared.location)).text.includes('2 works: shared')]).toEqual([[], true])
  })

  test('are refused for none and for another value; nothing to change is said', async () => {
    expect((await mark('1', {})).text).toContain('Select at least one work.')
    expect((await mark('2', { work_1: 'on' })).status).toBe(422)
    const same = await mark('0', { work_1: 'on' })
    expect((await mio.open(same.location)).text).toContain('It was already like that')
    expect(marked()).toEqual([])
  })
})
