import type { Database } from 'bun:sqlite'
import fc from 'fast-check'

export const actions = ['create_record', 'create_review', 'create_multiple_records', 'create_status'] as const

/** A row of every table, as far as it has these columns. */
export const writtenRow = fc.record({
  user: fc.constantFrom<number>(1, 2, 4),
  episode: fc.constantFrom<number>(1, 2, 6),
  text: fc.constantFrom('', '', 'c'),
  likes: fc.constantFrom<number>(0, 0, 0, 1, 2, 7),
  action: fc.constantFrom(...actions),
})
export type WrittenRow = typeof writtenRow extends fc.Arbitrary<infer T> ? T : never

const tables = ['activities', 'records', 'reviews', 'notifications', 'follows'] as const

/** Replaces what users wrote; the users 101 to 140 follow each other. */
export function writeRows(handle: Database, rows: readonly WrittenRow[]): void {
  const run = (sql: string, ...values: (string | number | null)[]) => handle.query(sql).run(...values)
  handle.run(others)
  for (const table of tables) handle.run(`delete from ${table}`)
  // The counters are made up, as nothing here reads them.
  handle.run('update users set records_count = 9999, followers_count = 9999, followings_count = 9999')
  handle.run('update works set reviews_count = 9999')
  rows.forEach(({ user, episode, text, likes, action }, at) => {
    const [id, work] = [at * 2 + 1, episode === 6 ? 2 : 1]
    run(
      `insert into records (id, user_id, work_id, episode_id, comment, likes_count, watched_at, created_at)
       values (?, ?, ?, ?, ?, ?, 0, 0)`,
      ...[id, user, work, episode, text, likes],
    )
    run(
      'insert into reviews (id, user_id, work_id, body, likes_count, created_at) values (?, ?, ?, ?, ?, 0)',
      ...[id, user, work, text, likes],
    )
    run(
      `insert into activities (id, user_id, work_id, action, record_id, review_id, status_kind, created_at)
       values (?, ?, ?, ?, ?, ?, ?, 0)`,
      ...[id, user, work, action, action === 'create_record' ? id : null],
      ...[action === 'create_review' ? id : null, action === 'create_status' ? 'watched' : null],
    )
    const other = 101 + (at % 40)
    const pair = at % 3 === 0 ? [other, user] : [user, other]
    run(
      'insert or ignore into follows (id, follower_id, followed_id, created_at) values (?, ?, ?, 0)',
      id,
      ...pair,
    )
  })
}

const others = `
  with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 40)
  insert or ignore into users (id, username, username_key, name, email, email_key, password_hash, created_at)
  select 100 + i, 'u' || i, 'u' || i, 'u', 'e' || i, 'e' || i, 'none', 0 from numbers`

/** The condition of each value of a filter, implemented a second time. */
export type ListFilters = Readonly<Record<string, Readonly<Record<string, string>>>>

const byUser = (column: string): ListFilters => ({
  filter_user_id: { 1: `${column} = 1`, 2: `${column} = 2`, 999: 'false' },
  filter_username: { mio: `${column} = 1`, nobody: 'false' },
})
const { filter_username } = byUser('user_id')
const filter_work_id = { 1: 'work_id = 1', 2: 'work_id = 2' }
const filter_ids = { '1,3,5,7,9,11,21': 'id in (1, 3, 5, 7, 9, 11, 21)' }
const withText = (name: string, column: string): ListFilters => ({
  [name]: { true: `${column} <> ''`, false: `${column} = ''` },
})
const subsets = Array.from({ length: 15 }, (_, set) => actions.filter((_, at) => (set + 1) & (1 << at)))
const byActions: ListFilters = {
  filter_actions: Object.fromEntries(
    subsets.map((some) => [some.join(), `action in (${some.map((action) => `'${action}'`)})`]),
  ),
}

const byId = { '': 'id', 'sort_id=asc': 'id', 'sort_id=desc': 'id desc' } as const
export const byLikes = {
  ...byId,
  'sort_likes_count=asc': 'likes_count, id',
  'sort_likes_count=desc': 'likes_count desc, id',
  'sort_likes_count=desc&sort_id=desc': 'id desc',
} as const

export interface WrittenList {
  readonly table: string
  readonly shown?: string
  readonly orders: Readonly<Record<string, string>>
  readonly filters: ListFilters
}

/** Lists of what users write; their orders and conditions in SQL. */
export const writtenLists: Readonly<Record<string, WrittenList>> = {
  '/v1/records': {
    table: 'records',
    orders: byLikes,
    filters: {
      ...{ filter_ids, filter_work_id, ...(filter_username && { filter_username }) },
      ...withText('filter_has_record_comment', 'comment'),
      filter_episode_id: { 1: 'episode_id = 1', 6: 'episode_id = 6' },
    },
  },
  '/v1/reviews': {
    table: 'reviews',
    orders: byLikes,
    filters: {
      ...{ filter_ids, filter_work_id, ...(filter_username && { filter_username }) },
      ...withText('filter_has_review_body', 'body'),
    },
  },
  '/v1/activities': {
    table: 'activities',
    orders: byId,
    filters: { ...byUser('user_id'), ...byActions },
  },
  '/v1/followers': { table: 'follows', shown: 'follower_id', orders: byId, filters: byUser('followed_id') },
  '/v1/following': { table: 'follows', shown: 'followed_id', orders: byId, filters: byUser('follower_id') },
}
