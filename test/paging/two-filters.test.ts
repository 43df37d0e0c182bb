import { Database } from 'bun:sqlite'
import { afterAll, expect, spyOn, test } from 'bun:test'
import { createInstance, idsOf, query } from '../support/instance'

const prepare = spyOn(Database.prototype, 'prepare')
const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(async () => {
  prepare.mockRestore()
  await kiroku.close()
})

const count = 90

handle.transaction(() => {
  for (const table of ['activities', 'records', 'reviews']) handle.run(`delete from ${table}`)
  for (let id = 1; id <= count; id++) {
    const [user, work, text] = [1 + (id % 2), 1 + (id % 3 === 0 ? 1 : 0), id % 5 === 0 ? 'c' : '']
    const likes = id % 4 === 0 ? 1 + (id % 3) : 0
    handle.run(
      `insert into records (id, user_id, work_id, episode_id, comment, likes_count, watched_at, created_at)
       values (?, ?, ?, ?, ?, ?, 0, 0)`,
      [id, user, work, work === 1 ? 1 : 6, text, likes],
    )
    handle.run(
      'insert into reviews (id, user_id, work_id, body, likes_count, created_at) values (?, ?, ?, ?, ?, 0)',
      [id, user, work, text, likes],
    )
  }
})()

const [of, by] = [
  { filter_episode_id: ['1', 'episode_id = 1'], filter_work_id: ['1', 'work_id = 1'] },
  { filter_username: ['mio', "user_id = (select id from users where username_key = 'mio')"] },
] as const
const comment = { filter_has_record_comment: ['false', "comment = ''"] } as const
const body = { filter_has_review_body: ['false', "body = ''"] } as const

const pairs = [
  ['records', 'records_episode', { filter_episode_id: of.filter_episode_id, ...comment }],
  ['records', 'records_work', { filter_work_id: of.filter_work_id, ...comment }],
  ['records', 'records_user', { ...by, ...comment }],
  ['records', 'records_user_episode', { filter_episode_id: of.filter_episode_id, ...by }],
  ['records', 'records_user_work', { filter_work_id: of.filter_work_id, ...by }],
  ['reviews', 'reviews_work', { filter_work_id: of.filter_work_id, ...body }],
  ['reviews', 'reviews_user', { ...by, ...body }],
  ['reviews', 'reviews_user_work', { filter_work_id: of.filter_work_id, ...by }],
] as const

const orders = [
  [{}, 'id'],
  [{ sort_id: 'desc' }, 'id desc'],
  [{ sort_likes_count: 'asc' }, 'likes_count, id'],
  [{ sort_likes_count: 'desc' }, 'likes_count desc, id'],
] as const

test.each(pairs)('%s with two filters are read from %s, in every order', async (table, index, filters) => {
  const asked = Object.fromEntries(Object.entries(filters).map(([name, [value]]) => [name, value]))
  const conditions = Object.values(filters).map(([, condition]) => condition)
  for (const [sort, order] of orders) {
    const sql = `select id from ${table} where ${conditions.join(' and ')} order by ${order}`
    const expected = handle.query<{ id: number }, []>(sql).all()
    expect(expected.length).toBeWithin(20, count)
    const ids: number[] = []
    for (let page = 1; page <= Math.ceil(expected.length / 7) + 1; page++) {
      const found = await json(
        `/v1/${table}${query({ ...asked, ...sort, per_page: '7', page: String(page) })}`,
      )
      expect(found.total_count).toBe(expected.length)
      ids.push(...idsOf(found))
    }
    expect(ids).toEqual(expected.map(({ id }) => id))
  }
  const read = prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes(`indexed by "${index}"`))
  expect(read.length).toBeGreaterThan(orders.length)
})
