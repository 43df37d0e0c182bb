import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { unfinishedMerges } from '../../../src/catalogue/import/merge/unfinished'
import { catalogueStore, episode, work } from '../../support/catalogue-store'

const store = await catalogueStore()
afterAll(() => store.close())

const run = (sql: string) => store.handle.run(sql)
const works = [1, 2, 3, 4]
const others = ['character', 'person', 'organization', 'channel'] as const
const small = [1, 2, 3]

/** Every round has its own rows: ids that end in the same digits. */
async function seed(round: number): Promise<number> {
  const base = round * 1000
  const key = (n: number) => `annict:${base + n}`
  const report = await store.load(`round ${round}`, [
    ...works.map((n) => work(key(n))),
    ...works.flatMap((of) => small.map((n) => episode(key(of * 10 + n), key(of), n + (of % 2)))),
    ...others.flatMap((type) => small.map((n) => ({ type, key: key(n), name: `${type} ${n}` }))),
    ...works.map((n) => ({
      type: 'cast',
      work: key(n),
      character: key(1 + (n % 2)),
      person: key(1 + (n % 3)),
    })),
  ])
  expect(report.problems).toEqual([])
  for (const user of small)
    run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
      values (${base + user}, 'u${base + user}', 'u${base + user}', 'u', 'e${base + user}', 'e${base + user}', 'none', 0)`)
  return base
}

type Deed = readonly [what: string, user: number, of: number, nth: number]

const deed: fc.Arbitrary<Deed> = fc.tuple(
  fc.constantFrom('record', 'review', 'status', 'favorite', 'channel'),
  fc.constantFrom(...small),
  fc.constantFrom(...works),
  fc.constantFrom(...small),
)

/** Something a user does with a row; `at` increases with each. */
function act(base: number, [what, who, of, nth]: Deed, at: number): void {
  const [user, workId] = [base + who, base + of]
  const activity = (action: string, column: string, value: string) =>
    run(`insert into activities (user_id, work_id, action, ${column}, created_at)
      values (${user}, ${workId}, '${action}', ${value}, ${at})`)
  const last = '(select last_insert_rowid())'
  if (what === 'record') {
    run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
      values (${user}, ${workId}, ${base + of * 10 + nth}, '${nth === 1 ? '' : 'c'}', 0, ${at})`)
    run(`insert into likes (user_id, record_id, created_at) values (${base + (who % 3) + 1}, ${last}, ${at})`)
    activity('create_record', 'record_id', '(select max(id) from records)')
  } else if (what === 'review') {
    run(`insert into reviews (user_id, work_id, body, created_at) values (${user}, ${workId}, 'b', ${at})`)
    activity('create_review', 'review_id', '(select max(id) from reviews)')
  } else if (what === 'status') {
    run(`insert into statuses (user_id, work_id, kind, changed_at)
      values (${user}, ${workId}, '${['watching', 'watched', 'on_hold'][nth - 1]}', ${at})
      on conflict do update set kind = excluded.kind, changed_at = excluded.changed_at`)
    activity('create_status', 'status_kind', "'watching'")
  } else if (what === 'favorite')
    run(
      `insert or ignore into favorites (user_id, person_id, created_at) values (${user}, ${base + nth}, ${at})`,
    )
  else run(`insert or ignore into user_channels (user_id, channel_id) values (${user}, ${base + nth})`)
}

const merge = fc.oneof(
  fc.tuple(fc.constant('work'), fc.constantFrom(...works), fc.constantFrom(...works)),
  fc.tuple(
    fc.constant('episode'),
    fc.constantFrom(11, 12, 13, 21, 22, 23, 31, 32),
    fc.constantFrom(11, 12, 21, 31, 33),
  ),
  fc.tuple(fc.constantFrom(...others), fc.constantFrom(...small), fc.constantFrom(...small)),
)

/** How much each user has of everything that a merge must neither lose nor duplicate. */
const kept = (base: number) =>
  ['records', 'reviews', 'activities', 'likes'].map((table) =>
    store.rows(
      `select user_id, count(*) as n from ${table} where user_id between ${base} and ${base + 999} group by 1 order by 1`,
    ),
  )

/** The row that an id leads to. */
const survivor = (kind: string, id: number) =>
  store.rows<{ to_id: number }>('select to_id from redirects where kind = ? and from_id = ?', kind, id)[0]
    ?.to_id ?? id

let round = 0
test('D67 D40 random merges lose and duplicate nothing of the users, and counters equal a count of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 25 }),
      fc.array(merge, { maxLength: 6 }),
      async (deeds, merges) => {
        const base = await seed(++round)
        for (const [at, one] of deeds.entries()) act(base, one, at + 1)
        const before = kept(base)
        const last = new Map<string, number>()
        const statuses = store.rows<{ user_id: number; work_id: number; changed_at: number }>(
          `select user_id, work_id, changed_at from statuses where user_id > ${base}`,
        )
        for (const [type, from, to] of merges) {
          const line = { type, key: `annict:${base + from}`, merged_into: `annict:${base + to}` }
          expect((await store.load(`round ${round}`, [line])).problems).toEqual([])
        }
        expect(kept(base)).toEqual(before)
        for (const { user_id, work_id, changed_at } of statuses) {
          const key = `${user_id} ${survivor('work', work_id)}`
          last.set(key, Math.max(last.get(key) ?? 0, changed_at))
        }
        const now = store.rows<{ user_id: number; work_id: number; changed_at: number }>(
          `select user_id, work_id, changed_at from statuses where user_id > ${base}`,
        )
        expect(new Map(now.map((row) => [`${row.user_id} ${row.work_id}`, row.changed_at]))).toEqual(last)
        expect(store.rows(wrongWork)).toEqual([])
        expect(unfinishedMerges(store.handle)).toEqual([])
        expect(findDrift(store.handle)).toEqual([])
        expect(searchDrift(store.handle)).toEqual([])
        expect(store.rows('pragma foreign_key_check')).toEqual([])
      },
    ),
    { numRuns: 10 },
  )
}, 300_000)

/** A record belongs to its episode's work, and both are shown. */
const wrongWork = `
  select records.id from records join episodes on episodes.id = episode_id join works on works.id = episodes.work_id
  where episodes.work_id <> records.work_id or episodes.hidden <> 0 or works.hidden <> 0`
