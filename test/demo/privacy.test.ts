import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CommunityResult } from '../../src/demo/make-community'
import { type CatalogueStore, now } from '../support/catalogue-store'
import { demo, demoStore } from '../support/demo-instance'

let store: CatalogueStore
let made: CommunityResult

/** How many rows a query finds. */
const count = (sql: string) => store.rows(sql).length

beforeAll(async () => {
  store = await demoStore()
  made = demo(store.handle)
})
afterAll(() => store.close())

test('D72 a third has a private profile, whose rows are for followers, who alone like or answer them', () => {
  const of = (privacy: string) => count(`select 1 from users where privacy = '${privacy}'`)
  expect([of('private'), of('members'), of('public')]).toEqual([40, 80, 0])
  const example = store.row<{ privacy: string }>(
    `select privacy from users where username = '${made.example ?? ''}'`,
  )
  expect(example.privacy).toBe('members')
  for (const table of ['records', 'reviews', 'statuses', 'activities', 'favorites', 'lists']) {
    const levels = store.rows<{ privacy: string; withheld: number; n: number }>(
      `select privacy, withheld, count(*) as n from ${table} as t join users as u on u.id = t.user_id group by 1, 2 order by 1`,
    )
    expect([table, levels.map(({ privacy, withheld }) => [privacy, withheld])]).toEqual([
      table,
      [
        ['members', 0],
        ['private', 1],
      ],
    ])
  }
  for (const table of ['records', 'reviews', 'activities', 'follows']) {
    const withheld = count(`select 1 from ${table} where withheld = 1`)
    const row = store.row<{ number: number }>(
      `select number from withheld_rows where table_name = '${table}'`,
    )
    expect([table, row.number, withheld > 0]).toEqual([table, withheld, true])
  }
  const strangers = (time: string) => `users as u on u.id = t.owner_id and u.privacy = 'private'
    where t.user_id <> u.id and not exists (select 1 from follows as f
      where f.follower_id = t.user_id and f.followed_id = u.id and f.created_at <= t.${time})`
  const owned = `select likes.user_id, likes.created_at, ifnull(records.user_id, reviews.user_id) as owner_id from likes
    left join records on records.id = record_id left join reviews on reviews.id = review_id`
  expect(count(`select 1 from (${owned}) as t join ${strangers('created_at')}`)).toBe(0)
  expect(count(`select 1 from comments as t join ${strangers('created_at')}`)).toBe(0)
  expect(
    count(`select 1 from (${owned}) as t join users as u on u.id = owner_id where privacy = 'private'`),
  ).toBeGreaterThan(0)
})

test('D79 there are dates to watch the next episode together, to which people are asked whom the host follows', () => {
  expect(made.counts.meetings).toBeGreaterThan(5)
  const wrong = `select 1 from meetings as m left join meeting_episodes as x on x.meeting_id = m.id
    left join episodes as e on e.id = x.episode_id
    where m.begins_at <= ${now} or m.created_at >= ${now} or e.work_id is not m.work_id or e.hidden <> 0`
  expect(count(wrong)).toBe(0)
  const asked = 'meeting_people as p join meetings as m on m.id = p.meeting_id'
  expect(count(`select 1 from ${asked} where p.user_id = m.user_id and answer = 'in'`)).toBe(
    made.counts.meetings ?? 0,
  )
  const others = `select 1 from ${asked} where p.user_id <> m.user_id`
  const told = `exists (select 1 from notifications as n where n.meeting_id = m.id and n.user_id = p.user_id
    and n.kind = 'meeting' and n.meeting_step = 'asked' and n.actor_id = m.user_id and n.created_at = m.created_at)`
  const followed = `exists (select 1 from follows where follower_id = m.user_id and followed_id = p.user_id)`
  expect(count(`${others} and ${told} and ${followed}`)).toBe(count(others))
  expect(count(`${others} and (answer is null) <> (answered_at is null)`)).toBe(0)
  for (const answer of ["= 'in'", "= 'maybe'", "= 'out'", 'is null'])
    expect([answer, count(`${others} and answer ${answer}`) > 0]).toEqual([answer, true])
  expect(count("select 1 from notifications where kind = 'meeting'")).toBe(count(others))
})
