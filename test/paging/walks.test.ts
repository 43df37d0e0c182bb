import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { HandleConnection } from '../../src/db/connections'
import { createInstance, idsOf } from '../support/instance'

const numbers = (count: number) =>
  `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${count})`

/** An instance with forty records, reviews and activities, of which each page of one row was requested. */
async function walked(path: string) {
  const kiroku = await instanceWith(`
    insert into records (user_id, work_id, episode_id, comment, likes_count, watched_at, created_at) ${numbers(40)}
    select 1, 1, 1, iif(i % 5, '', 'c'), iif(i % 4, 0, i % 3), 0, 0 from numbers;
    insert into reviews (user_id, work_id, body, likes_count, created_at)
    select user_id, work_id, comment, likes_count, 0 from records;
    insert into activities (user_id, work_id, action, status_kind, created_at) ${numbers(40)}
    select 1, 1, 'create_status', 'watched', 0 from numbers`)
  for (let page = 1; page <= 40; page++)
    await kiroku.json(`${path}${path.includes('?') ? '&' : '?'}per_page=1&page=${page}`)
  return kiroku
}

/** How SQLite finds the ids of the table's rows. */
async function stepsOf(path: string, table: string): Promise<string[]> {
  const prepare = spyOn(Database.prototype, 'prepare')
  await using kiroku = await walked(path)
  const statements = new Set(
    prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^select .* offset /s.test(sql)),
  )
  prepare.mockRestore()
  const explained = [...statements].flatMap((sql) =>
    kiroku.store.handle.query<{ detail: string }, []>(`explain query plan ${sql}`).all(),
  )
  const steps = explained
    .map(({ detail }) => detail)
    .filter((step) => step.split(' ').includes(table) || step.includes('B-TREE'))
  return [...new Set(steps)].toSorted()
}

async function instanceWith(sql: string) {
  const kiroku = await createInstance()
  const { handle } = kiroku.store
  for (const table of ['activities', 'records', 'reviews']) handle.run(`delete from ${table}`)
  handle.exec(sql)
  return Object.assign(kiroku, { [Symbol.asyncDispose]: kiroku.close })
}

const walks = [
  ['/v1/records', ['SCAN records USING COVERING INDEX records_keys']],
  ['/v1/records?filter_has_record_comment=true', ['SCAN records USING INDEX records_commented']],
  ['/v1/records?filter_has_record_comment=false', ['SCAN records USING INDEX records_keys']],
  [
    '/v1/records?sort_likes_count=asc',
    [
      'SCAN records USING COVERING INDEX records_keys',
      'SEARCH records USING COVERING INDEX records_liked (likes_count>?)',
    ],
  ],
  [
    '/v1/records?sort_likes_count=desc',
    [
      'SCAN records USING COVERING INDEX records_keys',
      'SEARCH records USING COVERING INDEX records_liked_desc (likes_count>?)',
    ],
  ],
  [
    '/v1/records?sort_likes_count=desc&filter_has_record_comment=true',
    [
      'SCAN records USING INDEX records_commented',
      'SEARCH records USING INDEX records_liked_desc (likes_count>?)',
    ],
  ],
  [
    '/v1/records?sort_likes_count=asc&filter_has_record_comment=false',
    ['SCAN records USING INDEX records_keys', 'SEARCH records USING INDEX records_liked (likes_count>?)'],
  ],
  [
    '/v1/reviews?sort_likes_count=desc&filter_has_review_body=true',
    [
      'SCAN reviews USING INDEX reviews_bodied',
      'SEARCH reviews USING INDEX reviews_liked_desc (likes_count>?)',
    ],
  ],
  [
    '/v1/activities?filter_actions=create_status',
    ['SEARCH activities USING COVERING INDEX activities_action (action=?)'],
  ],
  [
    '/v1/activities?filter_actions=create_record,create_review,create_multiple_records,create_status',
    ['SCAN activities USING COVERING INDEX activities_keys'],
  ],
] as const

test.each(walks)('%s passes over rows in an index and sorts none (D116)', async (path, steps) => {
  expect(await stepsOf(path, /v1\/(\w+)/.exec(path)?.[1] ?? '')).toEqual([...steps])
})

test.each([
  ['/v1/records', 19],
  ['/v1/records?sort_id=desc', 19],
  ['/v1/records?sort_likes_count=desc', 16],
  ['/v1/records?filter_has_record_comment=true', 3],
  ['/v1/activities?filter_actions=create_status', 19],
] as const)('%s is walked from the nearer end, past %d rows at most (D116)', async (path, most) => {
  const execute = spyOn(HandleConnection.prototype, 'execute')
  await using _ = await walked(path)
  const offsets = execute.mock.calls.flatMap(([{ sql, parameters }]) =>
    / limit \+\? offset \+\?$/.test(sql) ? Number(parameters.at(-1)) : [],
  )
  execute.mockRestore()
  expect(Math.max(...offsets)).toBe(most)
})

test('far into many activities of several actions all are tested, and pages stay the same (D116)', async () => {
  // More than half a million: fewer are merged from their indexes.
  await using kiroku = await instanceWith(`
    pragma foreign_keys = off; drop index activities_user; drop index activities_work; drop index activities_review;
    insert into reviews (id, user_id, work_id, created_at) values (1, 1, 1, 0);
    insert into activities (id, user_id, work_id, action, status_kind, review_id, created_at) ${numbers(520_000)}
    select i, 1, 1, iif(i % 1000 = 7, 'create_review', iif(i % 4, 'create_status', 'create_multiple_records')),
      iif(i % 4 and i % 1000 <> 7, 'watched', null), iif(i % 1000 = 7, 1, null), 0 from numbers`)
  const asked = '/v1/activities?filter_actions=create_status,create_multiple_records&fields=id&per_page=7'
  const prepare = spyOn(Database.prototype, 'prepare')
  const isTested = () => prepare.mock.calls.some(([sql]) => sql.includes('+activities.action not in'))
  const pageFrom = async (order: 'asc' | 'desc', page: number) =>
    idsOf(await kiroku.json(`${asked}&sort_id=${order}&page=${page}`))
  const expected = (order: 'asc' | 'desc', page: number) =>
    kiroku.store.handle
      .query<{ id: number }, [number]>(
        `select id from activities where action <> 'create_review' order by id ${order} limit 7 offset ?`,
      )
      .all((page - 1) * 7)
      .map(({ id }) => id)
  for (const order of ['asc', 'desc'] as const) {
    for (const page of [1, 35_000]) expect(await pageFrom(order, page)).toEqual(expected(order, page))
    expect(isTested()).toBe(false)
  }
  for (const order of ['asc', 'desc'] as const)
    for (const page of [36_000, 37_500]) expect(await pageFrom(order, page)).toEqual(expected(order, page))
  expect(isTested()).toBe(true)
  prepare.mockRestore()
}, 60_000)
