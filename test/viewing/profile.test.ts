import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { localTime } from '../../src/lib/local-time'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const day = 86_400_000
const follows = () => rowsOf(kiroku.store.handle, 'follows').map((row) => [row.follower_id, row.followed_id])
const mutes = () => rowsOf(kiroku.store.handle, 'mutes').map((row) => [row.user_id, row.muted_id])

describe('a profile is not shown', () => {
  test('to visitors, who sign in first (D64)', async () => {
    for (const path of ['/@mio', '/@nobody'])
      expect((await createVisitor(kiroku).open(path)).location).toBe(
        `/sign_in?return_to=${encodeURIComponent(path)}`,
      )
  })
  test('of an unknown user, a disabled account, or a deleted one', async () => {
    await kiroku.deps.write((tx) =>
      tx.insertInto('deletions').values({ user_id: 4, begun_at: 1, keeps_comments: 1 }).execute(),
    )
    for (const name of ['nobody', 'yui', 'azusa', 'ritsu_t_', '%E3%81%82'])
      expect([name, (await mio.open(`/@${name}`)).status]).toEqual([name, 404])
  })
})

test('shows who a user is, links their site, and redirects to their spelling of the name (D50)', async () => {
  expect((await mio.open('/@ritsu_t')).location).toBe('/@Ritsu_T')
  const own = (await mio.open('/@mio')).text
  for (const part of ['<h1>みお</h1>', '庭が好き', 'href="https://mio.example/"', 'href="/settings/profile"'])
    expect(own).toContain(part)
  expect(own).not.toContain('action="/follow"')
  await prefer(kiroku, 2, { url: 'javascript:alert(1)', name: '<b>律</b>' })
  const other = (await mio.open('/@Ritsu_T')).text
  expect(other).not.toContain('javascript:')
  expect(other).not.toContain('<b>律')
  expect(other).not.toContain('href="/settings/profile"')
})

test('has buttons to follow, mute and undo both; not for oneself, nor for users nobody can see', async () => {
  for (const username of ['mio', 'nobody', 'yui'])
    for (const path of ['/follow', '/mute', '/unfollow', '/unmute']) {
      const form = { csrf: /name="csrf" value="([^"]*)"/.exec((await mio.open('/@Ritsu_T')).text)?.[1] ?? '' }
      expect([path, username, (await mio.post(path, { ...form, username })).status]).toEqual([
        path,
        username,
        404,
      ])
    }
  expect((await mio.post('/follow', { username: 'Ritsu_T' })).status).toBe(403)
  expect([follows(), mutes()]).toEqual([[], []])
  const followed = await mio.submit('/@Ritsu_T', {}, '/follow')
  expect([followed.status, followed.location, follows()]).toEqual([303, '/@Ritsu_T', [[1, 2]]])
  await mio.submit('/@Ritsu_T', {}, '/mute')
  expect(mutes()).toEqual([[1, 2]])
  // The name contains what is written on the button (WCAG 2.5.3).
  expect((await mio.open('/@Ritsu_T')).text).toContain('aria-label="Following Ritsu_T: unfollow"')
  await mio.submit('/@Ritsu_T', {}, '/unfollow')
  await mio.submit('/@Ritsu_T', {}, '/unmute')
  expect([follows(), mutes()]).toEqual([[], []])
})

test.each([
  ['/follow', 'You follow Ritsu_T'],
  ['/mute', 'You muted Ritsu_T'],
  ['/block', 'You blocked Ritsu_T. Neither of you sees the other'],
])('%s is told with its undo, also in the history (D120)', async (path, text) => {
  const connected = () =>
    ['follows', 'mutes', 'blocks', 'notifications'].flatMap((table) => rowsOf(kiroku.store.handle, table))
  await mio.submit('/@Ritsu_T', {}, path)
  const told = (await mio.open('/@Ritsu_T')).text
  const [toast = ''] = /id="toast"[\s\S]*?<footer/.exec(told) ?? []
  expect(toast).toContain(text)
  expect(connected()).not.toEqual([])
  const history = (await mio.open('/settings/history')).text
  expect(history).toMatch(new RegExp(`href="/@Ritsu_T">${text}</a>`))
  const act_id = /name="act_id" value="(\d+)" data-keys="z"/.exec(toast)?.[1] ?? ''
  const undone = await mio.post('/undo', { ...hiddenInputs(toast, '/undo'), act_id })
  expect([undone.location, connected()]).toEqual(['/@Ritsu_T', []])
  const [after = ''] = /id="toast"[\s\S]*?<footer/.exec((await mio.open('/@Ritsu_T')).text) ?? []
  expect(after).toContain(`<s>${text}</s> Undone`)
})

test('who is muted or blocked has the way back on their profile, with its undo', async () => {
  for (const [path, back, text] of [
    ['/mute', '/unmute', 'You unmuted Ritsu_T'],
    ['/block', '/unblock', 'You unblocked Ritsu_T'],
  ] as const) {
    await mio.submit('/@Ritsu_T', {}, path)
    await mio.submit('/@Ritsu_T', {}, back)
    const told = (await mio.open('/@Ritsu_T')).text
    expect(told).toContain(text)
    const act_id = /name="act_id" value="(\d+)" data-keys="z"/.exec(told)?.[1] ?? ''
    await mio.post('/undo', { ...hiddenInputs(told, '/undo'), act_id })
    expect((await mio.open('/@Ritsu_T')).text).toContain(`action="${back}"`)
  }
})

test('shows the latest entries, without texts about what the reader has not watched, and no private note', async () => {
  await addRecords(kiroku, [
    { user_id: 2, episode_id: 2, watched_at: start - day, comment: '見ていない話' },
    {
      user_id: 2,
      episode_id: 1,
      watched_at: start - 2 * day,
      watched_at_precision: 'none',
      comment: '日付なし',
    },
  ])
  await kiroku.deps.write((tx) =>
    tx.insertInto('notes').values({ user_id: 2, work_id: 1, text: '秘密のメモ', updated_at: 1 }).execute(),
  )
  const { text } = await mio.open('/@Ritsu_T')
  expect(text).toContain('/works/1/episodes/2"')
  expect(text).toContain('1 comment is about something you have not watched')
  for (const hidden of ['見ていない話', '日付なし', '秘密のメモ']) expect(text).not.toContain(hidden)
  expect((await mio.open('/@Ritsu_T?spoilers=show')).text).toContain('見ていない話')
})

const zones = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Pacific/Auckland']
const row = fc.record({
  watched_at: fc.oneof(
    fc.integer({ min: start - 400 * day, max: start }),
    // The first week that is shown.
    fc.integer({ min: start - 372 * day, max: start - 363 * day }),
  ),
  watched_at_precision: fc.constantFrom('time', 'time', 'day', 'month', 'none'),
})
/** Days with one to five entries. */
const levels = [1, 2, 3, 4, 5].flatMap((count) =>
  Array.from({ length: count }, () => ({
    watched_at: start - (40 + count) * day,
    watched_at_precision: 'day' as const,
  })),
)
const weekStart = fc.constantFrom(0, 1, 6)

test('the heat map equals a recount: days with a time or a date, of 53 weeks up to today', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 40 }),
      fc.constantFrom(...zones),
      weekStart,
      async (some, zone, begin) => {
        const rows = [...some, ...levels]
        await kiroku.deps.write((tx) => tx.deleteFrom('records').where('user_id', '=', 1).execute())
        await prefer(kiroku, 1, { time_zone: zone, week_start: begin, has_long_nights: 0 })
        await addRecords(
          kiroku,
          rows.map((one) => ({ user_id: 1, episode_id: 1, ...one })),
        )
        const today = localTime(start, zone)
        const first = today.dayNumber - ((today.weekday - begin + 7) % 7) - 52 * 7
        const days = rows
          .filter(({ watched_at_precision: known }) => known === 'time' || known === 'day')
          .map(
            (one) => localTime(one.watched_at, one.watched_at_precision === 'time' ? zone : 'UTC').dayNumber,
          )
          .filter((one) => one >= first && one <= today.dayNumber)
        const distinct = new Set(days).size
        const { text } = await mio.open('/@mio')
        const [, entries, counted] =
          /aria-label="(\d+) diary entr(?:y|ies) on (\d+) days? in the last year"/.exec(text) ?? []
        expect([Number(entries), Number(counted)]).toEqual([days.length, distinct])
        const cells = [...text.matchAll(/tabindex="-1"><rect class="heat-(\d)" x="(\d+)" y="(\d+)"/g)]
        // Weeks are columns, and each begins with the day that the person chose; 2 and 4 entries are the next colours.
        const expected = [...Map.groupBy(days, (one) => one - first)].map(([since, some]) => [
          [0, 1, 2, 2, 3][Math.min(some.length, 4)],
          Math.floor(since / 7) * 20,
          24 + (since % 7) * 20,
        ])
        const inOrder = (some: readonly (readonly unknown[])[]) => some.map(String).toSorted()
        expect(inOrder(cells.map(([, ...numbers]) => numbers))).toEqual(inOrder(expected))
      },
    ),
    { numRuns: 40 },
  )
})
