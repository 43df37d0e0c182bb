import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { beginDeletion, finishDeletion } from '../../src/accounts/account/deletion'
import { createUser } from '../../src/accounts/account/user'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)
const { handle } = kiroku.store
handle.run("update users set is_admin = 1 where username = 'mio'")
const azusa = await personOf(kiroku, 'azusa')
const { id: record } = await azusa.done('POST', '/v1/me/records', { episode_id: 2, comment: '<b>ひどい</b>' })
const { id: review } = await azusa.done('POST', '/v1/me/reviews', { work_id: 1, body: 'もっとひどい' })

let ritsu: Visitor
let admin: Visitor
beforeEach(async () => {
  handle.run('delete from reports')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  admin = await createMember(kiroku, 'mio')
})

const send = (query: string, values: Readonly<Record<string, string>> = {}) =>
  ritsu.submit(`/report?${query}`, { reason: 'spam', ...values })
const rows = () =>
  handle
    .query<Record<string, unknown>, []>(
      'select user_id, record_id, review_id, reason, text, copy, outcome, closed_by from reports order by id',
    )
    .all()

describe('the form to report (people.md §8)', () => {
  test.each([
    ['a profile', '/@azusa', '/report?username=azusa&return_to=%2F%40azusa'],
    ['a record', '/works/1/episodes/2', `/report?record_id=${record}&return_to=%2Fworks%2F1%2Fepisodes%2F2`],
    ['a review', '/works/1', `/report?review_id=${review}&return_to=%2Fworks%2F1`],
  ])('is linked from %s, shows it, and leads back', async (_, page, link) => {
    handle.run('update users set guards_spoilers = 0')
    expect((await ritsu.open(page)).text).toContain(`href="${link.replaceAll('&', '&#38;')}"`)
    const form = await ritsu.open(link)
    expect([form.status, form.text]).toEqual([200, expect.stringContaining('data-act="report"')])
    expect(form.text).toContain('even of a private profile')
    expect((await ritsu.submit(link, { reason: 'other', text: '困る' })).location).toBe(page)
    expect((await ritsu.open(page)).text).toContain('Thank you. The administrators will look at it.')
    expect(rows()).toMatchObject([{ user_id: 4, reason: 'other', text: '困る' }])
    expect((await (await createMember(kiroku, 'azusa')).open(page)).text).not.toContain('/report?')
  })

  test('is for members, about what there is, and not about oneself', async () => {
    expect((await createVisitor(kiroku).open('/report?username=azusa')).status).toBe(303)
    for (const query of [
      '',
      'username=nobody',
      'record_id=999999',
      'username=azusa&record_id=1',
      'review_id=x',
    ])
      expect([query, (await ritsu.open(`/report?${query}`)).status]).toEqual([query, 404])
    expect((await ritsu.open('/report?username=ritsu_t')).status).toBe(404)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await ritsu.open('/settings')).text)?.[1] ?? ''
    const own = await ritsu.post('/report', { csrf, username: 'ritsu_t', reason: 'spam' })
    expect([own.status, rows()]).toEqual([400, []])
  })

  test('keeps what was typed when it is refused', async () => {
    const long = await send('username=azusa', { text: '記'.repeat(1001) })
    expect([long.status, long.text]).toEqual([422, expect.stringContaining('記'.repeat(1001))])
    const at = kiroku.clock.now
    for (let n = 0; n < 20; n++)
      handle.run(
        `insert into reports (reporter_id, user_id, record_id, reason, text, copy, created_at) values (2, 4, ?, 'spam', '', '', ?)`,
        [n + 1000, at],
      )
    const refused = await send('username=azusa', { text: '21件目' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400'])
    expect(refused.text).toContain('21件目')
    expect(refused.text).toContain('You can send 20 reports a day')
    expect(rows()).toHaveLength(20)
  })

  test('leads nowhere else', async () => {
    const sent = await send('username=azusa&return_to=https%3A%2F%2Fspam.example%2F')
    expect(sent.location).toBe('/')
  })
})

describe('/admin/reports', () => {
  test('shows open ones, oldest first, with the copy, who reported and what was reported before', async () => {
    await send(`record_id=${record}`, { text: '<i>読んで</i>' })
    await send('username=azusa')
    handle.run("update records set comment = 'やさしい' where id = ?", [record])
    const { text } = await admin.open('/admin/reports')
    expect(text).toContain('&#60;b&#62;ひどい&#60;/b&#62;')
    expect(text).not.toContain('やさしい')
    expect(text).toContain('&#60;i&#62;読んで&#60;/i&#62;')
    expect([...text.matchAll(/data-report="(\d+)"/g)].map(([, id]) => id)).toEqual(
      handle
        .query<{ id: number }, []>('select id from reports order by id')
        .all()
        .map(({ id }) => String(id)),
    )
    expect(text.match(/one earlier report/g)).toHaveLength(1)
    expect(text).toContain('reported by Ritsu_T')
    expect(text).toContain('Reports <small>2</small>')
  })

  test('dismissing closes one, once, and changes nothing else', async () => {
    await send(`record_id=${record}`)
    await send(`review_id=${review}`)
    const [id] = [...(await admin.open('/admin/reports')).text.matchAll(/data-report="(\d+)"/g)].map(
      ([, n]) => n,
    )
    const dismiss = () => admin.submit('/admin/reports', {}, `/admin/reports/${id}/dismiss`)
    expect((await dismiss()).location).toBe('/admin/reports')
    expect(rows()).toMatchObject([
      { outcome: 'dismissed', closed_by: 1 },
      { outcome: null, closed_by: null },
    ])
    expect((await admin.open('/admin/reports')).text).not.toContain(`data-report="${id}"`)
    expect((await admin.open('/admin/reports?state=closed')).text).toContain('Dismissed · mio')
    const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.open('/admin/reports')).text)?.[1] ?? ''
    expect((await admin.post(`/admin/reports/${id}/dismiss`, { csrf })).status).toBe(404)
    const [row] = handle
      .query<{ comment: string; withheld: number }, []>(
        `select comment, withheld from records where id = ${record}`,
      )
      .all()
    expect(row?.withheld).toBe(0)
    expect(kiroku.lines.some(({ event, facts }) => event === 'report_dismissed' && facts.by === 1)).toBe(true)
  })

  test('thirty stand on a page, and the next page goes on', async () => {
    for (let n = 0; n < 31; n++)
      handle.run(
        `insert into reports (reporter_id, user_id, record_id, reason, text, copy, created_at) values (2, 4, ?, 'spam', '', '', 1)`,
        [n + 1000],
      )
    const idsOn = (text: string) => [...text.matchAll(/data-report="(\d+)"/g)].map(([, id]) => Number(id))
    for (const state of ['open', 'closed']) {
      if (state === 'closed') handle.run("update reports set closed_at = 1, outcome = 'dismissed'")
      const { text } = await admin.open(`/admin/reports?state=${state}`)
      const next = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? ''
      const both = [...idsOn(text), ...idsOn((await admin.open(next)).text)]
      const sorted = both.toSorted((one, other) => (state === 'open' ? one - other : other - one))
      expect([idsOn(text).length, new Set(both).size, both]).toEqual([30, 31, sorted])
    }
  })

  test('goes with the accounts of both sides', async () => {
    const made = {
      username: 'sawako',
      email: 'sawako@example.com',
      password: 'correct horse',
      isAdmin: false,
    }
    const id = await createUser(kiroku.deps, made)
    for (const [by, about] of [
      [2, id],
      [id, 4],
      [2, 4],
    ] as const)
      handle.run(
        `insert into reports (reporter_id, user_id, reason, text, copy, created_at) values (?, ?, 'spam', '', '', 1)`,
        [by, about],
      )
    await beginDeletion(kiroku.deps, { userId: id, keepsComments: true })
    await finishDeletion(kiroku.deps, id)
    expect(rows()).toHaveLength(1)
  })
})
