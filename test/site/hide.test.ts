import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { type Person, personOf } from '../support/people'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
let people: Record<'azusa' | 'ritsu' | 'mio', Person>
let admin: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  kiroku.store.handle.run('update users set guards_spoilers = 0, is_admin = (id = 1)')
  people = {
    azusa: await personOf(kiroku, 'azusa'),
    ritsu: await personOf(kiroku, 'Ritsu_T'),
    mio: await personOf(kiroku, 'mio'),
  }
  admin = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const write = {
  record: () => people.azusa.done('POST', '/v1/me/records', { episode_id: 2, comment: 'ひどい' }),
  review: () => people.azusa.done('POST', '/v1/me/reviews', { work_id: 1, body: 'ひどい' }),
}
const shownOn = { record: '/works/1/episodes/2', review: '/works/1' } as const
/** Reported by two people; returns its id and those of the reports. */
async function reported(kind: 'record' | 'review') {
  const { id } = await write[kind]()
  for (const who of [people.ritsu, people.mio])
    await who.done('POST', '/v1/me/reports', { [`${kind}_id`]: id, reason: 'harassment' })
  const { text } = await admin.open('/admin/reports')
  const [first = 0, second = 0] = [...text.matchAll(/data-report="(\d+)"/g)].map(([, report]) =>
    Number(report),
  )
  return { id: Number(id), first, second }
}
const hide = (report: number, reason = '人を傷つける') =>
  admin.submit(`/admin/reports/${report}/hide`, { reason })
const undo = (moderation: number) => admin.submit('/admin/log', {}, `/admin/log/${moderation}/undo`)
/** What somebody sees: by the list of everybody's rows, by the id, and on the page. */
async function seenBy(username: 'azusa' | 'ritsu', kind: 'record' | 'review', id: number) {
  const all = await people[username].json(`/v1/${kind}s?sort_id=desc`)
  const byId = await people[username].json(`/v1/${kind}s?filter_ids=${id}`)
  const visitor = await createMember(kiroku, username === 'ritsu' ? 'Ritsu_T' : username)
  const { text } = await visitor.open(shownOn[kind])
  const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id)
  return [ids(all[`${kind}s`]).includes(id), ids(byId[`${kind}s`]).includes(id), text.includes('ひどい')]
}
const rowOf = (kind: 'record' | 'review', id: number) => {
  const { version: _, ...row } =
    kiroku.store.handle
      .query<Record<string, unknown>, [number]>(`select * from ${kind}s where id = ?`)
      .get(id) ?? {}
  return row
}

/** Undoes the last act of all. */
async function takeBackLast(own: Visitor): Promise<void> {
  const { id: act } =
    kiroku.store.handle.query<{ id: number }, []>('select max(id) as id from acts').get() ?? {}
  const csrf = /name="csrf" value="([^"]+)"/.exec((await own.open('/settings')).text)?.[1] ?? ''
  await own.post('/undo', { csrf, act_id: String(act), return_to: '/' })
}

describe('hiding what was reported (people.md §8)', () => {
  test('needs a reason of at most 1,000 characters, and something of which others see the text', async () => {
    const { first, id } = await reported('record')
    for (const reason of [' ', '記'.repeat(1001)]) expect((await hide(first, reason)).status).toBe(422)
    expect((await admin.open('/admin/reports/999/hide')).status).toBe(404)
    expect(rowOf('record', id).hidden_by).toBeNull()
    await people.azusa.done('DELETE', `/v1/me/records/${id}`)
    const gone = await hide(first)
    expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('nothing left to hide')])
    expect((await admin.open('/admin/log')).text).toContain(
      'No administrator has hidden anything or suspended anybody.',
    )
  })

  test.each(['record', 'review'] as const)(
    'a hidden %s is its writer’s own, who reads the reason, until it is undone',
    async (kind) => {
      const { first, id } = await reported(kind)
      const before = rowOf(kind, id)
      expect(await seenBy('ritsu', kind, id)).toEqual([true, true, true])
      expect((await hide(first, '人を<b>傷つける')).location).toBe('/admin/reports')
      expect(await seenBy('ritsu', kind, id)).toEqual([false, false, false])
      // Lists of everybody's rows are the same for everybody (D73).
      expect(await seenBy('azusa', kind, id)).toEqual([false, true, true])
      const own = await createMember(kiroku, 'azusa', { language: 'ja' })
      expect((await own.open(shownOn[kind])).text).toContain('人を&#60;b&#62;傷つける')
      expect(rowOf(kind, id)).toEqual({ ...before, hidden_by: 1, withheld: 2 })
      expect((await undo(1)).location).toBe('/admin/log')
      expect(rowOf(kind, id)).toEqual(before)
      expect(await seenBy('ritsu', kind, id)).toEqual([true, true, true])
      expect((await own.open(shownOn[kind])).text).not.toContain('傷つける')
    },
  )

  test('a hidden comment is its writer’s own, also when it is deleted and taken back, until it is undone', async () => {
    const record = await people.mio.done('POST', '/v1/me/records', { episode_id: 2, comment: '元' })
    const comment = await people.azusa.done('POST', '/v1/me/comments', {
      record_id: record.id,
      body: 'ひどい',
    })
    await people.ritsu.done('POST', '/v1/me/reports', { comment_id: comment.id, reason: 'harassment' })
    const own = await createMember(kiroku, 'azusa')
    const other = await createMember(kiroku, 'Ritsu_T')
    const path = `/records/${record.id}`
    expect((await other.open(path)).text).toContain(`/report?comment_id=${comment.id}`)
    const shows = async () => [
      (await other.open(path)).text.includes('ひどい'),
      (await people.ritsu.json(`/v1/comments?filter_record_id=${record.id}`)).total_count,
      (await own.open(path)).text.includes('<span dir="auto">傷つける'),
    ]
    expect(await shows()).toEqual([true, 1, false])
    const [, report] = /data-report="(\d+)"/.exec((await admin.open('/admin/reports')).text) ?? []
    expect((await hide(Number(report), '傷つける')).location).toBe('/admin/reports')
    expect(await shows()).toEqual([false, 0, true])
    await own.submit(path, {}, '/comments/delete')
    await takeBackLast(own)
    expect(await shows()).toEqual([false, 0, true])
    expect((await admin.open('/admin/log')).text).toContain(`Comment ${comment.id}`)
    await undo(1)
    expect(await shows()).toEqual([true, 1, false])
  })

  test('what a profile says is hidden from everybody else, everywhere, until it is undone', async () => {
    kiroku.store.handle.run(
      "update users set description = 'ひどい', url = 'https://spam.example/', privacy = 'public' where id = 4",
    )
    await people.ritsu.done('POST', '/v1/me/reports', { username: 'azusa', reason: 'spam' })
    const own = await createMember(kiroku, 'azusa')
    const other = await createMember(kiroku, 'Ritsu_T')
    const query = 'query { user(username: "azusa") { description url } }'
    const seen = async () => {
      const [user] = (await people.ritsu.json('/v1/users?filter_usernames=azusa')).users
      const [listed] = (await people.azusa.json('/v1/users?filter_usernames=azusa')).users
      const { data } = await people.ritsu.done('POST', '/graphql', { query })
      const pages = [await other.open('/@azusa'), await createVisitor(kiroku).open('/@azusa')]
      return [
        ...[user, listed, data.user].map(({ description, url }) => [description, url]),
        ...pages.map(({ text }) => /ひどい|spam\.example/.test(text)),
      ]
    }
    const said = ['ひどい', 'https://spam.example/']
    expect(await seen()).toEqual([said, said, said, true, true])
    const [, report] = /data-report="(\d+)"/.exec((await admin.open('/admin/reports')).text) ?? []
    expect((await hide(Number(report), '宣伝')).location).toBe('/admin/reports')
    expect(await seen()).toEqual([['', null], ['', null], ['', null], false, false])
    // Its writer has it, and knows why.
    expect(await people.azusa.json('/v1/me')).toMatchObject({ description: 'ひどい', url: said[1] })
    const { text } = await own.open('/@azusa')
    for (const shown of ['ひどい', 'spam.example', '宣伝']) expect(text).toContain(shown)
    // What it says instead is hidden, too.
    await own.submit('/settings/profile', { name: 'azusa', description: 'もっとひどい' })
    expect((await seen())[0]).toEqual(['', null])
    await people.ritsu.done('POST', '/v1/me/reports', { username: 'azusa', reason: 'spam' })
    const [, again] = /data-report="(\d+)"/.exec((await admin.open('/admin/reports')).text) ?? []
    expect((await hide(Number(again))).status).toBe(409)
    await undo(1)
    expect((await seen())[0]).toEqual(['もっとひどい', null])
  })

  test('closes every report of it, and no other', async () => {
    const { first, second, id } = await reported('record')
    const other = await write.review()
    await people.ritsu.done('POST', '/v1/me/reports', { review_id: other.id, reason: 'spam' })
    await hide(first)
    const open = (await admin.open('/admin/reports')).text
    expect([...open.matchAll(/data-report="(\d+)"/g)].map(([, report]) => Number(report))).toEqual([
      second + 1,
    ])
    const closed = (await admin.open('/admin/reports?state=closed')).text
    expect(closed.match(/Hidden · mio/g)).toHaveLength(2)
    expect((await admin.open(`/admin/reports/${second}/hide`)).status).toBe(404)
    // Undone, it can be reported again.
    await undo(1)
    await people.ritsu.done('POST', '/v1/me/reports', { record_id: id, reason: 'harassment' })
    expect((await admin.open('/admin/reports')).text.match(/data-report=/g)).toHaveLength(2)
  })

  test('stays hidden when its writer deletes it and takes that back', async () => {
    const { first, id } = await reported('record')
    await hide(first)
    const own = await createMember(kiroku, 'azusa')
    await own.submit(shownOn.record, { record_id: String(id) }, '/record/delete')
    expect(rowOf('record', id)).toEqual({})
    await takeBackLast(own)
    expect(rowOf('record', id)).toMatchObject({ hidden_by: 1, withheld: 2 })
    expect(await seenBy('ritsu', 'record', id)).toEqual([false, false, false])
  })

  test('is shown when that was undone while it was deleted, and its writer takes the deletion back', async () => {
    const { first, id } = await reported('review')
    await hide(first)
    const own = await createMember(kiroku, 'azusa')
    await own.submit(shownOn.review, { review_id: String(id) }, '/viewing/delete')
    await undo(1)
    await takeBackLast(own)
    expect(rowOf('review', id)).toMatchObject({ hidden_by: null, withheld: 0 })
    expect(await seenBy('ritsu', 'review', id)).toEqual([true, true, true])
  })

  test('the log says who, why and when, and undoes once', async () => {
    const { first } = await reported('record')
    await hide(first)
    const { text } = await admin.open('/admin/log')
    for (const said of ['azusa', 'hidden by mio', '人を傷つける', 'action="/admin/log/1/undo"'])
      expect(text).toContain(said)
    await undo(1)
    expect((await admin.open('/admin/log')).text).toContain('undone by mio')
    const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.open('/settings')).text)?.[1] ?? ''
    for (const id of [1, 2]) expect((await admin.post(`/admin/log/${id}/undo`, { csrf })).status).toBe(404)
    const events = kiroku.lines.map(({ event }) => event)
    expect(events).toContain('hidden')
    expect(events).toContain('moderation_undone')
  })
})
