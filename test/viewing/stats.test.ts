import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { charts, few, figures, rowsOf } from '../support/charts'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  await prefer(kiroku, 1, { time_zone: 'Asia/Tokyo', has_long_nights: 1 })
  kiroku.clock.now = Date.parse('2026-04-01T03:00:00Z')
})
afterEach(() => kiroku.close())

const run = (sql: string, ...values: (string | number | null)[]) => kiroku.store.handle.run(sql, values)
const open = async (query = '', by = mio) => (await by.open(`/@mio/stats${query}`)).text
/** Episodes 1 to 4 of work 1, in turn. */
const record = (times: readonly string[], more: object = {}) =>
  addRecords(
    kiroku,
    times.map((time, at) => ({
      ...{ user_id: 1, episode_id: [1, 2, 3, 4][at % 4] ?? 1, watched_at: Date.parse(time) },
      ...more,
    })),
  )
const rate = (work: number, rating = 'great') =>
  run(
    'insert into reviews (user_id, work_id, rating_overall_state, created_at) values (1, ?, ?, 1)',
    work,
    rating,
  )
const status = (work: number, kind: string, finished: string | null = null) =>
  run(
    'insert into statuses (user_id, work_id, kind, changed_at, finished_on) values (1, ?, ?, 1, ?)',
    ...[work, kind, finished],
  )
// A Friday night in Tokyo, half past one: with long nights the evening of the 26th.
const night = '2026-03-26T16:30:00Z'

test('totals are counted in the reader’s zone, with days that begin at 6:00 (D90, D82)', async () => {
  await record([night, '2026-03-25T12:00:00Z', '2026-03-01T12:00:00Z'])
  await record(['2025-12-31T12:00:00Z'], { watched_at_precision: 'none' })
  status(1, 'watched', '2026-03')
  status(2, 'watched', '2025')
  const all = await open()
  expect(figures(all)).toEqual({
    episodes: 4,
    works_finished: 2,
    films: 0,
    hours: 2,
    days: 3,
    streak: 2,
    undated: 1,
  })
  expect(all).toContain('<data data-figure="hours" value="2">about 2</data>')
  expect(all).toContain('1 of it at an unknown time')
  const year = await open('?year=2026')
  expect(figures(year)).toMatchObject({ episodes: 3, works_finished: 1, undated: 1 })
  expect(year).toContain('and 1 at an unknown time')
  expect(figures(await open('?from=2026-03&until=2026-03'))).toMatchObject({ episodes: 3 })
})

test('what an address says wrongly is ignored', async () => {
  await record([night])
  const all = await open()
  for (const query of [
    '?year=x',
    '?year=1',
    '?from=2025-01',
    '?from=2026-02&until=2026-01',
    '?media=radio',
    '?year=2026&year=2025',
  ])
    expect([query, figures(await open(query))]).toEqual([query, figures(all)])
  expect(await open('?media=movie')).toContain('Nothing recorded in this time')
})

test('the months of a year that runs go until now, each with its number; the table has films apart (D90)', async () => {
  await record(['2026-01-05T12:00:00Z', '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z', night, night])
  run(
    `insert into reviews (user_id, work_id, watched_at, watched_at_precision, created_at) values (1, 3, ?, 'time', 1)`,
    Date.parse('2026-03-01T12:00:00Z'),
  )
  const text = await open('?year=2026')
  expect(rowsOf(text, 'months')).toEqual([
    'January 2026 1 1 0',
    'February 2026 0 0 0',
    'March 2026 5 4 1',
    'April 2026 0 0 0',
  ])
  expect(text).toContain('Most: March, with 4 episodes, 1 film.')
  expect(rowsOf(await open(), 'years')).toEqual(['2026 6 5 1'])
  expect(rowsOf(await open('?from=2024-01&until=2026-03'), 'years')).toEqual(['2026 6 5 1'])
  expect(charts(text)).toContain('months')
})

test('of four a sentence names the works, of five there is a chart', async () => {
  for (const work of [1, 2, 4, 5]) rate(work)
  rate(9)
  run('delete from reviews where work_id = 9')
  await record([night, night, night, night])
  const four = await open('?year=2026')
  expect(charts(four)).toEqual([])
  expect(few(four, 'months')).toMatch(
    /^<a href="\/works\/1" lang="\w+">.+<\/a>\. From 5 on there is a chart\.$/,
  )
  expect(few(four, 'when')).toContain('href="/works/1"')
  expect(few(await open(), 'ratings')?.match(/href="\/works\/\d+"/g)).toHaveLength(4)
  await record([night])
  rate(6, 'bad')
  const five = await open('?year=2026')
  expect(charts(five)).toEqual(['months', 'when'])
  expect(rowsOf(await open(), 'ratings')).toEqual(['Great 4', 'Good 0', 'OK 0', 'Bad 1'])
})

test('who rates by numbers sees ten bars of them, with the mean and how many have a word alone (D87)', async () => {
  for (const work of [1, 2, 4, 5, 6]) rate(work)
  run('update reviews set score = work_id * 10')
  rate(7, 'bad')
  expect(rowsOf(await open(), 'ratings')).toHaveLength(4)
  await prefer(kiroku, 1, { rating_display: 'ten' })
  const text = await open()
  expect(rowsOf(text, 'ratings')).toEqual([
    ...[
      '91–100 0',
      '81–90 0',
      '71–80 0',
      '61–70 0',
      '51–60 1',
      '41–50 1',
      '31–40 1',
      '21–30 0',
      '11–20 1',
      '1–10 1',
    ],
  ])
  expect(text).toContain('36 of 100 on average. 1 more have only a word.')
})

test('a hidden work counts, but is not named', async () => {
  run(
    'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, 9, 7, ?, 1)',
    Date.parse(night),
  )
  const text = await open('?year=2026')
  expect(figures(text)).toMatchObject({ episodes: 1 })
  expect(few(text, 'months')).toBe('From 5 on there is a chart.')
})

test('when one watches is for oneself alone, by weekday and two hours from 6:00', async () => {
  await record([night, night, night, night, '2026-03-27T21:30:00Z'])
  run("update users set privacy = 'public' where id = 1")
  const own = await open()
  expect(own).toContain('Mostly Thursday, between 24:00 and 26:00.')
  const [, , , thursday, friday, saturday] = rowsOf(own, 'when')
  expect(thursday).toBe('Thu 0 0 0 0 0 0 0 0 0 4 0 0')
  // Half past six on Saturday.
  expect([friday, saturday]).toEqual(['Fri 0 0 0 0 0 0 0 0 0 0 0 0', 'Sat 1 0 0 0 0 0 0 0 0 0 0 0'])
  const [ritsu, visitor] = [await createMember(kiroku, 'Ritsu_T'), createVisitor(kiroku)]
  for (const other of [ritsu, visitor]) {
    const text = await open('', other)
    expect(figures(text)).toMatchObject({ episodes: 5 })
    expect(text).not.toContain('data-chart="when"')
    expect(text).not.toContain('Mostly')
  }
  await prefer(kiroku, 1, { has_long_nights: 0 })
  expect(await open()).toContain('Mostly Friday, between 0:00 and 2:00.')
})

test('what is private counts for its owner alone; of a private profile others see nothing (D72)', async () => {
  await record([night, night])
  await record([night], { private: 1 })
  const ritsu = await createMember(kiroku, 'Ritsu_T')
  expect(figures(await open())).toMatchObject({ episodes: 3 })
  expect(figures(await open('', ritsu))).toMatchObject({ episodes: 2 })
  run("update users set privacy = 'private' where id = 1")
  run('update records set withheld = 1 where user_id = 1 and private = 0')
  expect(await open('', ritsu)).not.toContain('data-figure')
  expect((await createVisitor(kiroku).open('/@mio/stats')).location).toStartWith('/sign_in?')
})

test('what became of works begun, and after how many episodes one stops', async () => {
  const kinds = ['watched', 'watched', 'watching', 'on_hold', 'stop_watching'] as const
  for (const [at, kind] of kinds.entries()) status([2, 4, 5, 6, 1][at] ?? 1, kind)
  status(7, 'wanna_watch')
  await record([night, '2026-03-01T12:00:00Z'])
  const text = await open()
  expect(rowsOf(text, 'completion')).toEqual(['Watched 2', 'Watching 1', 'On hold 1', 'Dropped 1'])
  expect(text).toContain(
    'Of 5 works begun, 2 are watched. What was dropped was usually dropped after 2 episodes.',
  )
  // Only that one was begun in March.
  expect(few(await open('?year=2026'), 'completion')).toContain('href="/works/1"')
})

test('studios, staff and voices are told from five works on of which they are known', async () => {
  const insert = (work: number, role: string, more: object) => {
    const row = { source_id: 1, work_id: work, name: 'x', role, ...more }
    run(`insert into staffs (${Object.keys(row)}) values (?, ?, ?, ?, ?)`, ...Object.values(row))
  }
  run('delete from staffs')
  for (const work of [1, 2, 4, 5]) insert(work, 'studio', { organization_id: 1 })
  for (const work of [1, 2, 4, 5, 6, 7]) status(work, 'watched')
  expect(charts(await open())).not.toContain('studios')
  insert(6, 'studio', { organization_id: 2 })
  const text = await open()
  expect(text).toContain('known of 5 of 6')
  expect(rowsOf(text, 'studios').map((row) => row.at(-1))).toEqual(['4', '1'])
  expect(charts(text)).not.toContain('staff')
})

describe('without plays', () => {
  test('its owner is told how to begin, others are not', async () => {
    expect(await open()).toContain('filled" href="/settings/import"')
    expect(await open('', await createMember(kiroku, 'azusa'))).not.toContain('filled')
  })
  test('in a period, the last year that has some is offered', async () => {
    await record(['2019-03-01T12:00:00Z', '2021-03-01T12:00:00Z'])
    expect(await open('?year=2026')).toContain('href="/@mio/stats?year=2021"')
  })
})

test('an account that is disabled or deleted has none, and names are redirected to their spelling (D50)', async () => {
  expect((await mio.open('/@ritsu_t/stats?year=2025')).location).toBe('/@Ritsu_T/stats?year=2025')
  run('update users set disabled_at = 1 where id = 2')
  for (const name of ['nobody', 'Ritsu_T']) expect((await mio.open(`/@${name}/stats`)).status).toBe(404)
})

test('a title cannot break out of a chart', async () => {
  for (const work of [1, 2, 4, 5, 6]) {
    run('update works set title = ?, title_en = ? where id = ?', `<b>"${work}`, `</svg><b>'${work}`, work)
    for (const lap of [1, 2])
      run(
        'insert into records (user_id, work_id, episode_id, lap, watched_at, created_at) values (1, ?, 1, ?, 1, 1)',
        work,
        lap,
      )
  }
  const text = await open()
  expect(rowsOf(text, 'rewatched')).toHaveLength(5)
  expect(text).not.toContain('<b>')
})
