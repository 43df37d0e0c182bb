import { afterAll, beforeAll, expect, test } from 'bun:test'
import { passwordMatches } from '../../src/accounts/account/password'
import { usernameText } from '../../src/accounts/account/user'
import { findDrift } from '../../src/catalogue/counters/recount'
import type { CommunityResult } from '../../src/demo/make-community'
import { type CatalogueStore, now } from '../support/catalogue-store'
import { demo, demoStore, works } from '../support/demo-instance'

let store: CatalogueStore
let made: CommunityResult
let schema: object[]

const schemaOf = ({ rows }: CatalogueStore) =>
  rows<object>('select type, name, sql from sqlite_schema order by name')
/** How many rows a query finds. */
const count = (sql: string) => store.rows(sql).length

beforeAll(async () => {
  store = await demoStore()
  schema = schemaOf(store)
  made = demo(store.handle)
})
afterAll(() => store.close())

test('there are exactly as many users and records as requested, and everything it claims to have created exists', () => {
  expect(made.counts).toMatchObject({ users: 120, records: 6000 })
  const tables = { ...made.counts, user_channels: made.counts.channels }
  for (const [table, n] of Object.entries(tables)) {
    if (table !== 'channels') expect([table, count(`select 1 from ${table}`)]).toEqual([table, n ?? 0])
    expect([table, n]).not.toEqual([table, 0])
  }
})

test('D40 every counter equals a count of the rows, and the database is intact', () => {
  expect(findDrift(store.handle)).toEqual([])
  expect(store.rows('pragma foreign_key_check')).toEqual([])
  expect(store.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(schemaOf(store)).toEqual(schema)
  expect(count('select 1 from works where hidden = 0 and watchers_count > 0 and version = 1')).toBe(0)
})

test('D42 nothing is recorded for hidden or future episodes, nor before a user joined', () => {
  const records = `records as r join episodes as e on e.id = r.episode_id join works as w on w.id = r.work_id
    join users as u on u.id = r.user_id`
  expect(count(`select 1 from ${records}`)).toBe(6000)
  expect(count(`select 1 from ${records} where e.hidden <> 0 or w.hidden <> 0 or e.work_id <> w.id`)).toBe(0)
  const week = 7 * 24 * 60 * 60 * 1000
  const aired = `w.broadcast_begin + (e.sort_number / 10 - 1) * ${week}`
  expect(count(`select 1 from ${records} where r.watched_at < ${aired} or r.created_at < r.watched_at`)).toBe(
    0,
  )
  expect(count(`select 1 from ${records} where r.watched_at < u.created_at or r.created_at >= ${now}`)).toBe(
    0,
  )
  for (const table of ['reviews', 'statuses'])
    expect(count(`select 1 from ${table} join works as w on w.id = work_id where w.hidden <> 0`)).toBe(0)
})

test('favourite works are what their people watched, ten at most, in an order', () => {
  expect(count('select 1 from favorites where work_id is not null')).toBeGreaterThan(20)
  expect(
    count(`select 1 from favorites as f where work_id is not null and not exists (
      select 1 from statuses as s where s.user_id = f.user_id and s.work_id = f.work_id and s.changed_at <= f.created_at)`),
  ).toBe(0)
  expect(
    count(`select 1 from favorites where work_id is not null group by user_id
      having count(*) > 10 or max(position) <> count(*) or count(distinct position) <> count(*)`),
  ).toBe(0)
})

test('ids are in chronological order in every table', () => {
  for (const table of ['users', 'records', 'reviews', 'activities', 'likes', 'follows', 'favorites']) {
    const lag = `select created_at as at, lag(created_at) over (order by id) as before from ${table}`
    expect([table, count(`select 1 from (${lag}) where at < before`)]).toEqual([table, 0])
  }
  const years = store.row<{ n: number }>(
    'select count(distinct created_at / (365 * 86400000)) as n from records',
  )
  expect(years.n).toBeGreaterThan(6)
})

test('D26 every record has one activity: alone, or with others of the same work that were recorded together', () => {
  const alone = `select record_id from activities where action = 'create_record'`
  const together = 'select record_id from activity_records'
  const told = `select record_id, count(*) as n from (${alone} union all ${together}) group by 1`
  expect(count(`select 1 from (${told}) where n = 1`)).toBe(6000)
  const same = 'a.user_id = r.user_id and a.work_id = r.work_id and a.created_at = r.created_at'
  const single = `select 1 from activities as a join records as r on r.id = a.record_id`
  expect(count(`${single} where not (${same})`)).toBe(0)
  const several = `from activities as a join activity_records as x on x.activity_id = a.id
    join records as r on r.id = x.record_id`
  expect(
    count(
      `select 1 ${several} where not (${same}) or r.comment <> '' or action <> 'create_multiple_records'`,
    ),
  ).toBe(0)
  const sizes = store.rows<{ n: number; records: number; ratings: number }>(
    `select count(*) as n, count(distinct r.episode_id) as records, count(distinct ifnull(r.rating_state, '')) as ratings
     ${several} group by a.id`,
  )
  expect(sizes.length).toBeGreaterThan(50)
  expect(sizes.filter(({ n, records, ratings }) => n < 2 || records < n || ratings > 1)).toEqual([])
  expect(count(`select 1 from activities where action = 'create_multiple_records'`)).toBe(sizes.length)
})

test('D35 every review has one activity, and was written by somebody who had watched the work', () => {
  const told = `activities as a join reviews as r on r.id = a.review_id and a.user_id = r.user_id
    and a.work_id = r.work_id and a.created_at = r.created_at`
  expect(count(`select 1 from ${told}`)).toBe(made.counts.reviews ?? 0)
  const watched = `select 1 from reviews as r join statuses as s on s.user_id = r.user_id and s.work_id = r.work_id
    where s.kind = 'watched' and s.changed_at <= r.created_at`
  expect(count(watched)).toBe(made.counts.reviews ?? 0)
})

test('D36 a status is the last one set, never the same twice in a row, and fits what was recorded', () => {
  const given = `select user_id, work_id, status_kind as kind, created_at as at, action,
      lag(status_kind) over pair as before, row_number() over (partition by user_id, work_id order by id desc) as place
    from activities where action = 'create_status' window pair as (partition by user_id, work_id order by id)`
  expect(count(`select 1 from (${given}) where kind = before`)).toBe(0)
  const last = `(${given}) as g join statuses as s on s.user_id = g.user_id and s.work_id = g.work_id
    and s.kind = g.kind and s.changed_at = g.at`
  expect(count(`select 1 from ${last} where g.place = 1`)).toBe(made.counts.statuses ?? 0)
  expect(count(`select 1 from (${given}) where place = 1`)).toBe(made.counts.statuses ?? 0)

  const recorded = `select s.kind, count(distinct r.episode_id) as n, w.episodes_count as all_of_them
    from statuses as s join works as w on w.id = s.work_id
    left join records as r on r.user_id = s.user_id and r.work_id = s.work_id group by s.user_id, s.work_id`
  expect(count(`select 1 from (${recorded}) where kind = 'watched' and n not in (0, all_of_them)`)).toBe(0)
  expect(count(`select 1 from (${recorded}) where kind = 'wanna_watch' and n > 0`)).toBe(0)
  expect(
    count(`select 1 from (${recorded}) where kind in ('watching', 'on_hold', 'stop_watching') and n = 0`),
  ).toBe(0)
  const kinds = store.rows<{ kind: string }>('select distinct kind from statuses order by kind')
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'on_hold',
    'stop_watching',
    'wanna_watch',
    'watched',
    'watching',
  ])
})

test('D52 likes and follows notify others than oneself, once each, when they happened', () => {
  const author =
    'ifnull((select user_id from records where id = record_id), (select user_id from reviews where id = review_id))'
  expect(count(`select 1 from likes where user_id = ${author}`)).toBe(0)
  const likes = `notifications as n join likes as l on l.id = n.like_id
    and n.actor_id = l.user_id and n.created_at = l.created_at and n.user_id = ${author}`
  expect(count(`select 1 from ${likes}`)).toBe(made.counts.likes ?? 0)
  const follows = `notifications as n join follows as f on f.id = n.follow_id
    and n.actor_id = f.follower_id and n.user_id = f.followed_id and n.created_at = f.created_at`
  expect(count(`select 1 from ${follows}`)).toBe(made.counts.follows ?? 0)
  const ofComments = count("select 1 from notifications where kind = 'comment'")
  const ofMeetings = count("select 1 from notifications where kind = 'meeting'")
  expect(made.counts.notifications).toBe(
    (made.counts.likes ?? 0) + (made.counts.follows ?? 0) + ofComments + ofMeetings,
  )
  expect(count('select 1 from notifications where read_at < created_at')).toBe(0)
  expect(count('select 1 from notifications where read_at is null')).toBeGreaterThan(0)
})

test('D118 comments are told to whose entry it is and who commented before, once each, when they happened', () => {
  const wrong = `select 1 from notifications as n join comments as c on c.id = n.comment_id
    where n.user_id = c.user_id or n.actor_id <> c.user_id or n.created_at <> c.created_at`
  expect(count(wrong)).toBe(0)
  const toOwners = `select 1 from notifications as n join comments as c on c.id = n.comment_id and n.user_id = c.owner_id`
  expect(count(toOwners)).toBe(count('select 1 from comments where user_id <> owner_id'))
  expect(count('select 1 from comments')).toBeGreaterThan(50)
  const notOwners = `select 1 from comments where owner_id <> ifnull(
    (select user_id from records where id = record_id), (select user_id from reviews where id = review_id))`
  expect(count(notOwners)).toBe(0)
})

test('it is skewed like real communities: popular works, busy users, famous ones, and some who follow back', () => {
  const share = (key: string, table: string, top: number) => {
    const sizes = `select count(*) as n from ${table} group by ${key} order by n desc limit ${top}`
    const [all, most] = [
      count(`select 1 from ${table}`),
      store.row<{ n: number }>(`select sum(n) as n from (${sizes})`).n,
    ]
    return most / all
  }
  // If all works were alike, the top hundredth would have a hundredth of the records.
  expect(share('work_id', 'records', works / 100)).toBeGreaterThan(0.05)
  expect(share('user_id', 'records', 12)).toBeGreaterThan(0.25)
  expect(share('followed_id', 'follows', 12)).toBeGreaterThan(0.25)
  const mutual =
    'select 1 from follows as f join follows as g on g.follower_id = f.followed_id and g.followed_id = f.follower_id'
  expect(count(mutual)).toBeGreaterThan(count('select 1 from follows') / 5)
})

test('some records have a comment, in Japanese or English, and most are kind', () => {
  const comments = store.rows<{ comment: string }>(`select comment from records where comment <> ''`)
  expect(comments.length).toBeGreaterThan(600)
  expect(comments.length).toBeLessThan(2400)
  const japanese = comments.filter(({ comment }) => /[ぁ-ん]/.test(comment)).length
  expect(japanese).toBeGreaterThan(comments.length / 2)
  expect(japanese).toBeLessThan(comments.length)
  expect(comments.filter(({ comment }) => comment !== comment.trim())).toEqual([])
  expect(new Set(comments.map(({ comment }) => comment)).size).toBeGreaterThan(comments.length / 4)
  const rated = (states: string) => count(`select 1 from records where rating_state in (${states})`)
  expect(rated(`'good', 'great'`)).toBeGreaterThan(3 * rated(`'bad', 'average'`))
  expect(rated(`'bad'`)).toBeGreaterThan(0)
})

test('nobody can sign in as a made-up user, whose name is a valid one (D50)', async () => {
  const users = store.rows<{ username: string; password_hash: string; email: string }>(
    'select username, password_hash, email from users',
  )
  for (const { username, email } of users) {
    expect(usernameText.read(username)).toBe(username)
    expect(email).toBe(`${username}@demo.invalid`)
  }
  const hashes = [...new Set(users.map(({ password_hash }) => password_hash))]
  expect(hashes).toHaveLength(1)
  for (const password of [hashes[0] ?? '', '', 'password', 'demo'])
    expect([password, await passwordMatches(password, hashes[0] ?? '')]).toEqual([password, false])
})
