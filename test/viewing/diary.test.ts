import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { localTime } from '../../src/lib/local-time'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  await prefer(kiroku, 1, { time_zone: 'Asia/Tokyo', has_long_nights: 0 })
})
afterEach(() => kiroku.close())

const at = (text: string) => Date.parse(text)

/** Which record is on which day; `?` if only the month is known. */
function daysOf(text: string): Record<string, string> {
  const days: Record<string, string> = {}
  for (const section of text.split('<section class="day-entries"').slice(1)) {
    const [, day = '?'] = /^ id="day-(\d+)"/.exec(section) ?? []
    for (const [, id = ''] of section.matchAll(/<li id="((?:record|viewing)-\d+)">/g)) days[id] = day
  }
  return days
}

describe('a diary is not shown', () => {
  test('to visitors, who sign in first', async () => {
    const visitor = createVisitor(kiroku)
    for (const path of ['/@mio/diary', '/@mio/diary/2026', '/@mio/diary/2026/3', '/@nobody/diary/2026/3'])
      expect((await visitor.open(path)).location).toBe(`/sign_in?return_to=${encodeURIComponent(path)}`)
  })
  test('of unknown users, disabled accounts, and a deleted one whose comments stayed', async () => {
    await prefer(kiroku, 2, { disabled_at: 1 })
    await kiroku.deps.write((tx) =>
      tx.insertInto('deletions').values({ user_id: 4, begun_at: 1, keeps_comments: 1 }).execute(),
    )
    for (const name of ['nobody', 'Ritsu_T', 'azusa'])
      for (const rest of ['/diary', '/diary/2026', '/diary/2026/3'])
        expect([name, (await mio.open(`/@${name}${rest}`)).status]).toEqual([name, 404])
  })
  test('of a month that does not exist', async () => {
    for (const month of ['2026/0', '2026/13', '2026/x', '1899/1', '99999/1', '0/1', '1899', 'x', '2026/1.5'])
      expect([month, (await mio.open(`/@mio/diary/${month}`)).status]).toEqual([month, 404])
  })
})

test("redirects to this month on the reader’s clock, and to the user's spelling of the name (D50)", async () => {
  kiroku.clock.now = at('2026-03-31T15:30:00Z')
  expect((await mio.open('/@mio/diary')).location).toBe('/@mio/diary/2026/4')
  expect((await mio.open('/@RITSU_t/diary/2026/3?page=2')).location).toBe('/@Ritsu_T/diary/2026/3?page=2')
})

test('has what was watched by day, as exactly as known (D61)', async () => {
  const film = { user_id: 1, work_id: 3, body: '海', watched_at: at('2026-03-09T02:00:00Z') }
  await kiroku.deps.write((tx) =>
    tx
      .insertInto('reviews')
      .values({ ...film, id: 9, watched_at_precision: 'time', created_at: 1 })
      .execute(),
  )
  const watched = (text: string, watched_at_precision: string) =>
    ({ user_id: 1, episode_id: 1, watched_at: at(text), watched_at_precision }) as const
  const [time, late, day, month, year, none] = await addRecords(kiroku, [
    watched('2026-03-09T12:00:00Z', 'time'),
    watched('2026-03-31T15:30:00Z', 'time'),
    watched('2026-03-31T12:00:00Z', 'day'),
    watched('2026-03-01T12:00:00Z', 'month'),
    watched('2026-01-01T12:00:00Z', 'year'),
    watched('2026-03-20T12:00:00Z', 'none'),
  ])
  kiroku.clock.now = at('2026-04-02T00:00:00Z')
  const march = await mio.open('/@mio/diary/2026/3')
  expect(daysOf(march.text)).toEqual({
    [`record-${time}`]: '9',
    'viewing-9': '9',
    [`record-${day}`]: '31',
    [`record-${month}`]: '?',
  })
  expect(march.text).toContain('3 episodes, 1 film')
  expect(daysOf((await mio.open('/@mio/diary/2026/4')).text)).toEqual({ [`record-${late}`]: '1' })
  const whole = await mio.open('/@mio/diary/2026')
  expect(daysOf(whole.text)).toEqual({ [`record-${year}`]: '?' })
  expect(whole.text).toContain('href="/@mio/diary/2026/3"><b>Mar</b><span class="meta">4 entries')
  expect(whole.text).toMatch(/href="\/@mio\/diary\/2026" aria-current="page">2026 <small>6<\/small>/)
  expect(`${march.text}${whole.text}`).not.toContain(`record-${none}"`)
})

test('with long nights, what is watched before 6 belongs to the evening (D82)', async () => {
  await prefer(kiroku, 1, { has_long_nights: 1 })
  const [night, morning] = await addRecords(kiroku, [
    { user_id: 1, episode_id: 1, watched_at: at('2026-03-09T20:59:59Z') },
    { user_id: 1, episode_id: 1, watched_at: at('2026-03-09T21:00:00Z') },
  ])
  const { text } = await mio.open('/@mio/diary/2026/3')
  expect(daysOf(text)).toEqual({ [`record-${night}`]: '9', [`record-${morning}`]: '10' })
  expect(text).toContain('>29:59</time>')
})

test('does not spoil with texts what the reader has not watched', async () => {
  const own = { user_id: 1, episode_id: 1, watched_at: at('2026-03-01T00:00:00Z') }
  await addRecords(kiroku, [
    { user_id: 2, episode_id: 1, watched_at: at('2026-03-09T00:00:00Z'), comment: '見た話' },
    { user_id: 2, episode_id: 2, watched_at: at('2026-03-10T00:00:00Z'), comment: '見ていない話' },
    own,
  ])
  await kiroku.deps.write((tx) =>
    tx.insertInto('notes').values({ user_id: 2, work_id: 1, text: '秘密のメモ', updated_at: 1 }).execute(),
  )
  const guarded = (await mio.open('/@Ritsu_T/diary/2026/3')).text
  expect(guarded).toContain('見た話')
  expect(guarded).not.toContain('見ていない話')
  expect(guarded).toContain('1 comment is about something you have not watched')
  const opened = (await mio.open('/@Ritsu_T/diary/2026/3?spoilers=show')).text
  expect(opened).toContain('見ていない話')
  for (const text of [guarded, opened]) {
    expect(text).not.toContain('秘密のメモ')
    expect(text).not.toMatch(/\/edit"|form="delete-/)
  }
  await prefer(kiroku, 1, { guards_spoilers: 0 })
  expect((await mio.open('/@Ritsu_T/diary/2026/3')).text).toContain('見ていない話')
})

test('members can delete their own entries there, and only those', async () => {
  const watched_at = at('2026-03-09T00:00:00Z')
  const ids = await addRecords(kiroku, [
    { user_id: 1, episode_id: 1, watched_at },
    { user_id: 2, episode_id: 1, watched_at },
  ])
  const path = '/@mio/diary/2026/3'
  const [own, other] = ids.map((id) => ({ record_id: String(id) }))
  expect((await mio.open(path)).text).toContain(`form="delete-record" name="record_id" value="${ids[0]}"`)
  expect((await mio.submit(path, other, '/record/delete')).status).toBe(404)
  const gone = await mio.submit(path, own, '/record/delete')
  expect([gone.status, gone.location]).toEqual([303, path])
  const rows = await kiroku.deps.read.selectFrom('records').select('id').execute()
  expect(rows).toEqual([{ id: ids[1] ?? 0 }])
})

test('a busy month has pages, and its days link to them', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => ({
    user_id: 1,
    episode_id: 1 + (n % 2),
    watched_at: at('2026-03-01T00:00:00Z') + Math.floor(n / 2) * 86_400_000,
  }))
  const ids = await addRecords(kiroku, rows)
  const path = '/@mio/diary/2026/3'
  const [first, second] = [await mio.open(path), await mio.open(`${path}?page=2`)]
  const shown = [first, second].flatMap(({ text }) => Object.keys(daysOf(text)))
  expect(shown.sort()).toEqual(ids.map((id) => `record-${id}`).sort())
  expect(first.text).toContain(`href="${path}?page=2#day-1"`)
  expect(second.text).toContain('href="#day-1"')
})

const zones = [
  'UTC',
  'Asia/Tokyo',
  'America/New_York',
  'Pacific/Auckland',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
]
const watchedRow = fc.record({
  watched_at: fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2026-03-31T00:00:00Z') }),
  watched_at_precision: fc.constantFrom('time', 'day', 'month', 'year', 'none'),
  episode_id: fc.constantFrom(1, 2, 3, 4),
})

type WatchedRow = typeof watchedRow extends fc.Arbitrary<infer Row> ? Row : never

/** Year, month and day by the calendar, as far as known. */
function dateOf({ watched_at, watched_at_precision }: WatchedRow, zone: string): string {
  const { year, month, day } = localTime(watched_at, watched_at_precision === 'time' ? zone : 'UTC')
  if (watched_at_precision === 'none') return ''
  if (watched_at_precision === 'year') return `${year}`
  return watched_at_precision === 'month' ? `${year}/${month} ?` : `${year}/${month} ${day}`
}

test('in every zone each record is in the diary once, on its day, unless its time is unknown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(watchedRow, { maxLength: 30 }),
      fc.constantFrom(...zones),
      async (rows, zone) => {
        await kiroku.deps.write((tx) => tx.deleteFrom('records').where('user_id', '=', 1).execute())
        await prefer(kiroku, 1, { time_zone: zone })
        const ids = await addRecords(
          kiroku,
          rows.map((row) => ({ user_id: 1, ...row })),
        )
        const found: string[] = []
        for (const year of [2024, 2025, 2026]) {
          for (const id of Object.keys(daysOf((await mio.open(`/@mio/diary/${year}`)).text)))
            found.push(`${id} ${year}`)
          for (let month = 1; month <= 12; month += 1)
            for (const [id, day] of Object.entries(
              daysOf((await mio.open(`/@mio/diary/${year}/${month}`)).text),
            ))
              found.push(`${id} ${year}/${month} ${day}`)
        }
        const known = rows
          .map((row, n) => `record-${ids[n]} ${dateOf(row, zone)}`)
          .filter((line) => !line.endsWith(' '))
        expect(found.sort()).toEqual(known.sort())
      },
    ),
    { numRuns: 12 },
  )
}, 60_000)
