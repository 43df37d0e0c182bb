import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { applyEstimates } from '../../../src/catalogue/estimate/apply-estimates'
import { type CatalogueStore, catalogueStore, episode, now, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  store.close()
})

const estimate = (at: number) =>
  applyEstimates({ handle: store.handle, piece: async (work) => store.handle.transaction(work)() }, at)
const day = 24 * 60 * 60 * 1000
const iso = (time: number) => new Date(time).toISOString()
const episodes = () =>
  store.rows('select number, number_text, sort_number, title, estimated from episodes order by id')
const channels = [
  { type: 'channel', key: 'x:1', ids: { site: 'broadcast' }, name: 'First' },
  { type: 'channel', key: 'x:2', ids: { site: 'netflix' }, name: 'Netflix', vod: true },
]

test('works without episodes, hidden works and works with a real list get no estimates', async () => {
  const report = await store.load('mine', [
    work('a:1', { episodes_estimate: 3, no_episodes: true }),
    work('a:2', { episodes_estimate: 3 }),
    episode('e:1', 'a:2', 1),
    work('a:3', { episodes_estimate: 3, deleted: true }),
  ])
  expect(report.estimated).toEqual({ episodes: 0, programs: 0 })
  expect(store.rows('select id from episodes where estimated = 1')).toEqual([])
})

test('a work with a known number of episodes gets them, once', async () => {
  const report = await store.load('mine', [work('a:1', { episodes_estimate: 2 })])
  expect(report.estimated).toEqual({ episodes: 2, programs: 0 })
  expect(episodes()).toEqual([
    { number: '1', number_text: '第1話', sort_number: 10, title: '', estimated: 1 },
    { number: '2', number_text: '第2話', sort_number: 20, title: '', estimated: 1 },
  ])
  expect(await estimate(now)).toEqual({ episodes: 0, programs: 0 })
})

test('a work without an end grows every week', async () => {
  await store.load('mine', [work('a:1', { broadcast: { begin: iso(now - day), interval: 'P7D' } })])
  expect(episodes()).toHaveLength(5)
  expect((await estimate(now + 7 * day)).episodes).toBe(1)
  expect((await estimate(now + 700 * day)).episodes).toBe(7)
  expect(episodes()).toHaveLength(13)
})

test('estimates beyond a smaller number are removed, unless somebody recorded them', async () => {
  await store.load('mine', [work('a:1', { episodes_estimate: 13 })])
  store.handle.run("update episodes set records_count = 1 where number = '13'")
  await store.load('mine', [work('a:1', { episodes_estimate: 11 })])
  expect(store.rows('select number from episodes where sort_number > 100 order by sort_number')).toEqual([
    { number: '11' },
    { number: '13' },
  ])
  store.handle.run('update episodes set records_count = 0')
})

test('a real list replaces estimated episodes nobody recorded; recorded ones become real', async () => {
  await store.load('mine', [work('a:1', { episodes_estimate: 3 })])
  store.handle.run("update episodes set records_count = 1 where number in ('2', '3')")
  const before = store.rows<{ id: number }>('select id from episodes order by id')
  await store.load('annict', [
    episode('annict:501', 'a:1', 1, { title: 'First' }),
    episode('annict:502', 'a:1', 2, { title: 'Second' }),
  ])
  expect(store.rows('select id, title, estimated from episodes order by sort_number')).toEqual([
    { id: 501, title: 'First', estimated: 0 },
    { id: Number(before[1]?.id), title: 'Second', estimated: 0 },
    { id: Number(before[2]?.id), title: '', estimated: 1 },
  ])
  expect(store.row("select local_id from external_ids where ns = 'annict' and external_id = '502'")).toEqual({
    local_id: before[1]?.id,
  })
  expect((await store.load('annict', [work('a:1', { title: 'New' })])).estimated).toEqual({
    episodes: 0,
    programs: 0,
  })
  store.handle.run('update episodes set records_count = 0')
})

test('a work that turns out to have no episodes loses its estimates', async () => {
  await store.load('mine', [work('a:1', { episodes_estimate: 3 })])
  await store.load('mine', [work('a:1', { no_episodes: true })])
  expect(episodes()).toEqual([])
})

test('episodes that a pack marks as estimated are replaced by those of one that lists them', async () => {
  const guessed = episode('g:1', 'a:1', 1, { estimated: true })
  await store.load('guess', [work('a:1'), guessed])
  await store.load('real', [episode('r:1', 'a:1', 1, { title: 'Real' })])
  expect(store.row('select title, estimated from episodes')).toEqual({ title: 'Real', estimated: 0 })
  await store.load('guess', [guessed])
  expect(store.row('select title, estimated from episodes')).toEqual({ title: 'Real', estimated: 0 })
})

test('programs follow the broadcast and the streams of sites with a channel, in the weeks around now', async () => {
  const report = await store.load('mine', [
    ...channels,
    work('a:1', {
      episodes_estimate: 40,
      broadcast: { begin: iso(now - 140 * day), end: iso(now + 133 * day), interval: 'P7D' },
      streams: [
        { site: 'netflix', id: '1', begin: iso(now - 138 * day), interval: 'P7D' },
        { site: 'elsewhere', id: '1', begin: iso(now - 138 * day), interval: 'P7D' },
      ],
    }),
    work('a:2', {
      episodes_estimate: 2,
      broadcast: { begin: iso(now - 4000 * day), end: iso(now - 3993 * day), interval: 'P7D' },
      streams: [{ site: 'netflix', id: '2', begin: iso(now), interval: 'P7D' }],
    }),
  ])
  const programs = store.rows<{ channel: string; n: number; first: number; last: number }>(
    `select channels.name as channel, count(*) as n, min(started_at) as first, max(started_at) as last
     from programs join channels on channels.id = channel_id where programs.estimated = 1 group by 1 order by 1`,
  )
  expect(programs).toEqual([
    { channel: 'First', n: 26, first: now - 119 * day, last: now + 56 * day },
    { channel: 'Netflix', n: 26, first: now - 117 * day, last: now + 58 * day },
  ])
  expect(report.estimated.programs).toBe(52)
  expect(await estimate(now)).toEqual({ episodes: 0, programs: 0 })
  expect((await estimate(now + 7 * day)).programs).toBe(2)
})

const counted = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
test('each planned broadcast has its episode, and those past an end that becomes known go', async () => {
  const open = (more: object = {}) =>
    work('a:1', { broadcast: { begin: iso(now - day), interval: 'P7D', ...more } })
  const planned = () =>
    store
      .rows<{ number: string | null; week: number }>(
        `select number, (started_at - ${now - day}) / ${7 * day} as week from programs
         left join episodes on episodes.id = episode_id order by started_at`,
      )
      .map(({ number, week }) => [Number(number), week + 1])
  const numbered = (count: number) => counted(count).map((n) => [n, n])
  await store.load('mine', [...channels, open()])
  expect(planned()).toEqual(numbered(5))
  await estimate(now + 14 * day)
  expect(planned()).toEqual(numbered(7))
  await store.load('mine', [open({ end: iso(now + 13 * day) })])
  expect(planned()).toEqual(numbered(3))
  expect(await estimate(now)).toEqual({ episodes: 0, programs: 0 })
})

test('what an older version planned without an episode goes', async () => {
  await store.load('mine', [
    ...channels,
    work('a:1', { broadcast: { begin: iso(now - 300 * day), interval: 'P7D' } }),
  ])
  store.handle.run(`insert into programs (channel_id, work_id, started_at, estimated, source_id)
    select channels.id, works.id, ${now + day}, 1, 2 from works, channels limit 1`)
  expect((await estimate(now)).programs).toBe(1)
  expect(store.rows('select id from programs')).toEqual([])
})

const numbers = () =>
  store.rows<{ n: number }>('select number + 0 as n from episodes order by sort_number').map(({ n }) => n)

test('a count that turns out to be unknown leaves what people recorded, skipped or added, and what comes before', async () => {
  const long = { begin: iso(now - 9000 * day), end: iso(now - day) }
  await store.load('mine', [work('a:1', { broadcast: long, episodes_estimate: 100 })])
  store.handle.run("update episodes set records_count = 1 where number = '80'")
  store.handle.run(`
    insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (9, 'a', 'a', 'a', 'a@b.c', 'a@b.c', '', 0)`)
  store.handle.run(`insert into skips (user_id, episode_id, lap, created_at)
    select 9, id, 1, 0 from episodes where number = '85'`)
  await store.load('mine', [work('a:1', { broadcast: long, episodes_estimate: null })])
  expect(numbers()).toEqual(counted(85))
  store.handle.run(`insert into episodes (work_id, number, number_text, sort_number, estimated, source_id)
    select id, '86', '第86話', 860, 1, 3 from works`)
  await estimate(now)
  expect(numbers()).toEqual(counted(86))
  store.handle.run(
    'delete from skips; delete from episodes where source_id = 3; update episodes set records_count = 0',
  )
  await estimate(now)
  expect(numbers()).toEqual(counted(50))
})

test('a broadcast that moves moves its estimated programs', async () => {
  const begins = (begin: number) =>
    work('a:1', { episodes_estimate: 2, broadcast: { begin: iso(begin), interval: 'P7D' } })
  await store.load('mine', [...channels, begins(now)])
  await store.load('mine', [begins(now + day)])
  expect(store.rows('select started_at as at from programs order by started_at')).toEqual([
    { at: now + day },
    { at: now + 8 * day },
  ])
})

const listed = (key: string, channel: string, more: object = {}) => ({
  ...{ type: 'program', key, channel, work: 'a:1', started_at: '2024-03-01T01:00:00Z', ...more },
})

test('real programs replace the estimated ones of the same work and channel, and the first broadcast where they exist', async () => {
  const stations = ['TOKYO MX', 'AT-X'].map((name, n) => ({ type: 'channel', key: `x:${n + 3}`, name }))
  await store.load('mine', [
    ...channels,
    ...stations,
    work('a:1', {
      episodes_estimate: 2,
      broadcast: { begin: iso(now), interval: 'P7D' },
      streams: [{ site: 'netflix', id: '1', begin: iso(now), interval: 'P7D' }],
    }),
  ])
  const programs = () =>
    store
      .rows<{ text: string }>(
        `select name || iif(estimated, ' estimated', '') as text from programs join channels on channels.id = channel_id
         where programs.hidden = 0 order by 1`,
      )
      .map(({ text }) => text)
  const [first, netflix] = ['First estimated', 'Netflix estimated']
  expect(programs()).toEqual([first, first, netflix, netflix])
  await store.load('real', [listed('p:1', 'x:4', { rebroadcast: true })])
  expect(programs()).toEqual(['AT-X', first, first, netflix, netflix])
  await store.load('real', [listed('p:2', 'x:3')])
  expect(programs()).toEqual(['AT-X', netflix, netflix, 'TOKYO MX'])
  expect((await estimate(now)).programs).toBe(0)
  await store.load('real', [{ type: 'program', key: 'p:2', deleted: true }])
  expect(programs()).toEqual(['AT-X', first, first, netflix, netflix])
  await store.load('real', [listed('p:3', 'x:1'), listed('p:4', 'x:2')])
  expect(programs()).toEqual(['AT-X', 'First', 'Netflix'])
})

test('an estimated episode that a pack describes replaces our own estimate, unless that has a record', async () => {
  const special = { estimated: true, number_text: '番外編' }
  const counted = work('a:1', { episodes_estimate: 3 })
  await store.load('mine', [counted])
  const before = episodes()
  expect(before).toHaveLength(3)
  await store.load('mine', [counted, episode('a:1#3', 'a:1', 3, special)])
  const after = episodes()
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after.slice(2)).toEqual([{ ...before[2], number_text: '番外編' }])
  await store.load('mine', [counted, episode('a:1#3', 'a:1', 3, special)])
  expect(episodes()).toEqual(after)
})
