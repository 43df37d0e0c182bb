import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createMember, createVisitor, sameOrigin, type Visitor } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const { now } = kiroku.clock
const hour = 3_600_000
/** How long receipts are kept, and how many of a user (D107). */
const receiptMs = 90 * 24 * hour
const mostReceipts = 10_000
let member: Visitor
afterAll(kiroku.close)

const tables = ['form_receipts', 'acts', 'statuses', 'records', 'activities', 'skips', 'likes']
beforeEach(async () => {
  for (const table of tables) handle.run(`delete from ${table}`)
  kiroku.clock.now = now
  member = await createMember(kiroku, 'mio')
})

let nth = 0
const formId = () => {
  nth += 1
  return `press${nth}`.padEnd(21, '-').concat('A')
}

/** Sends a press as the outbox does. */
async function send(path: string, values: Record<string, string>, visitor: Visitor = member) {
  const { text } = await visitor.open('/settings')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
  const headers = { ...sameOrigin, accept: 'application/json' }
  const answer = await visitor.post(path, { csrf, return_to: '/about', ...values }, headers)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, body: isJson ? JSON.parse(answer.text) : undefined, answer }
}

const iso = (at: number) => new Date(at).toISOString()

describe('a press of the outbox is answered with JSON', () => {
  test('when it is done, with its act; the next page reports it', async () => {
    const { status, body, answer } = await send('/record', { episode_id: '1', form_id: formId() })
    const [act] = rowsOf(handle, 'acts')
    expect([status, body]).toEqual([200, { result: 'done', act_id: act?.id }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await member.open('/about')).text).toContain('Recorded episode 1')
  })

  test('when it is no act', async () => {
    handle.run(
      'insert into records (id, user_id, work_id, episode_id, watched_at, created_at) values (900, 2, 1, 1, 1, 1)',
    )
    expect((await send('/likes', { record_id: '900', form_id: formId() })).body).toEqual({
      result: 'done',
      act_id: null,
    })
    expect(rowsOf(handle, 'likes')).toHaveLength(1)
  })

  test('when another device was first', async () => {
    await send('/record/up_to', { episode_id: '1' })
    const words = 'This episode is already recorded; here is the next one'
    for (const [path, values, message] of [
      ['/record', { episode_id: '1', once: '1' }, words],
      ['/record/up_to', { episode_id: '1' }, words],
      ['/skip', { episode_id: '1' }, words],
      ['/status', { work_id: '1', kind: 'watching' }, 'It was already like that, so nothing changed'],
    ] as const)
      expect([path, (await send(path, values)).body]).toEqual([path, { result: 'before', message }])
    expect(rowsOf(handle, 'acts')).toHaveLength(1)
  })

  test('when nobody is signed in', async () => {
    const { status, body } = await send('/record', { episode_id: '1' }, createVisitor(kiroku))
    expect([status, body]).toEqual([401, { error: 'signed_out' }])
  })

  test('when the token is of another session', async () => {
    const { status, body } = await send('/record', { episode_id: '1', csrf: 'x'.repeat(86) })
    expect([status, body]).toEqual([403, { error: 'refused' }])
  })

  test.each([
    ['/record', { episode_id: '99999' }, 404, ''],
    ['/record', { episode_id: 'x' }, 422, 'episode_id'],
    ['/record', { episode_id: '1', form_id: 'short' }, 422, 'form_id'],
    ['/record', { episode_id: '1', done_at: 'yesterday' }, 422, 'done_at'],
    ['/record', { episode_id: '1', done_at: '2026-04-01 12:00' }, 422, 'done_at'],
    ['/record', { episode_id: '1', done_at: iso(now - receiptMs - 1) }, 422, 'done_at'],
    ['/record', { episode_id: '1', precision: 'date', watched_at: '2019-02-31' }, 422, 'watched_at'],
    ['/record', { episode_id: '1', comment: 'x'.repeat(70_000) }, 413, ''],
  ])('%s with %o is refused for good', async (path, values, status, field) => {
    const refused = await send(path, values as Record<string, string>)
    expect(refused.status).toBe(status)
    expect(refused.body).toEqual({ result: 'refused', problems: { [field]: expect.any(String) } })
    expect(rowsOf(handle, 'records')).toEqual([])
    expect(rowsOf(handle, 'form_receipts')).toEqual([])
  })

  test.each([
    ['/record', { episode_id: '1', precision: 'date' }, 'watched_at', 'Date: must be a date such as 2016'],
    ['/viewing', { work_id: '3', precision: 'date' }, 'watched_at', 'Date: must be a date such as 2016'],
  ])('%s with an unreadable date names the field as its form does', async (path, values, field, said) => {
    const { body } = await send(path, { ...values, watched_at: '令和2年' } as Record<string, string>)
    expect((body.problems as Record<string, string>)[field]).toStartWith(said)
  })

  test('a missing date is asked for in a sentence', async () => {
    const { body } = await send('/record', { episode_id: '1', precision: 'date', watched_at: '' })
    expect(body.problems).toEqual({ watched_at: 'Enter a date, such as 2019, 2019-03 or 2019-03-05.' })
  })
})

describe('a press that is sent again is answered as the first time (D107)', () => {
  test('also at the same moment, after its act was undone, and after its rows are gone', async () => {
    const press = { episode_id: '1', comment: 'よかった', form_id: formId() }
    const [one, two] = await Promise.all([send('/record', press), send('/record', press)])
    expect(one.body).toEqual(two.body)
    await send('/undo', { act_id: String(one.body.act_id) })
    expect((await send('/record', press)).body).toEqual(one.body)
    expect(rowsOf(handle, 'records')).toEqual([])
    handle.run('delete from acts')
    expect((await send('/record', press)).status).toBe(200)
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('also when it was not done then, though it could be done now', async () => {
    const { body } = await send('/record', { episode_id: '1' })
    const press = { episode_id: '1', once: '1', form_id: formId() }
    expect((await send('/record', press)).body.result).toBe('before')
    await send('/undo', { act_id: String(body.act_id) })
    expect((await send('/record', press)).body.result).toBe('before')
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('for 90 days, and then no longer', async () => {
    const press = { work_id: '1', kind: 'watching', form_id: formId() }
    await send('/status', press)
    kiroku.clock.now = now + receiptMs - hour
    const idle = await createMember(kiroku, 'mio')
    await send('/status', { work_id: '1', kind: 'on_hold', form_id: formId() }, idle)
    expect((await send('/status', press, idle)).body.result).toBe('done')
    expect(rowsOf(handle, 'statuses')[0]?.kind).toBe('on_hold')
    kiroku.clock.now = now + receiptMs + hour
    await send('/status', { work_id: '2', kind: 'watching', form_id: formId() }, idle)
    expect(rowsOf(handle, 'form_receipts')).toHaveLength(2)
  })

  test('for the newest ten thousand presses of a user', async () => {
    handle.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${mostReceipts})
       insert into form_receipts (user_id, form_id, act_id, result, created_at)
       select 1, cast(printf('%016d', i) as blob), null, 'done', ${now} - 100000 + i from n`,
    )
    for (let more = 0; more < 3; more += 1) await send('/skip', { episode_id: '1', form_id: formId() })
    expect(rowsOf(handle, 'form_receipts')).toHaveLength(mostReceipts)
    const { oldest } = handle
      .query<{ oldest: number }, []>('select min(created_at) as oldest from form_receipts')
      .get() ?? {
      oldest: 0,
    }
    expect(oldest).toBe(now - 100_000 + 4)
  })

  test('and not for somebody else, whose presses they are not', async () => {
    const press = { episode_id: '1', form_id: formId() }
    await send('/record', press)
    await send('/record', press, await createMember(kiroku, 'azusa'))
    expect(rowsOf(handle, 'records').map(({ user_id }) => user_id)).toEqual([1, 4])
  })
})

describe('it was done when it was pressed (D108)', () => {
  const pressed = now - 3 * hour

  test('the record, its act, its activity and the status say so', async () => {
    await send('/record', { episode_id: '1', done_at: iso(pressed) })
    expect([
      rowsOf(handle, 'records').map(({ watched_at, created_at }) => [watched_at, created_at]),
      rowsOf(handle, 'acts').map(({ created_at }) => created_at),
      rowsOf(handle, 'activities').map(({ created_at }) => created_at),
      rowsOf(handle, 'statuses').map(({ changed_at }) => changed_at),
    ]).toEqual([[[pressed, pressed]], [pressed], [pressed, pressed], [pressed]])
  })

  test('a typed time counts more, a time to come is now, another zone is understood', async () => {
    await send('/record', { episode_id: '1', done_at: iso(pressed), precision: 'none' })
    await send('/record', { episode_id: '2', done_at: iso(now + hour) })
    await send('/record', { episode_id: '3', done_at: iso(pressed + 9 * hour).replace('Z', '+09:00') })
    const watched = rowsOf(handle, 'records').map((row) => [row.watched_at_precision, row.watched_at])
    expect(watched).toEqual([
      ['none', pressed],
      ['time', now],
      ['time', pressed],
    ])
  })

  test('a status that was changed since stays, and so does what a record would begin', async () => {
    await send('/status', { work_id: '1', kind: 'wanna_watch' })
    const late = { done_at: iso(pressed) }
    for (const kind of ['watched', 'no_select'])
      expect((await send('/status', { work_id: '1', kind, ...late })).body).toEqual({
        result: 'before',
        message: 'The status was changed since, so it stays as it is',
      })
    expect((await send('/record', { episode_id: '1', ...late })).body.result).toBe('done')
    expect(rowsOf(handle, 'statuses').map(({ kind }) => kind)).toEqual(['wanna_watch'])
  })
})
