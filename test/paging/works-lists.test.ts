import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpoints } from '../../src/app'
import { reindexRow } from '../../src/catalogue/search/index-row'
import { type Body, createInstance, idsOf, query } from '../support/instance'

const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

const [first, last] = [900, 930]

beforeAll(() => {
  for (let id = first; id < last; id++) add(id)
})

function add(id: number) {
  handle
    .query(`insert into works (id, title, media, season_year, season, source_id)
     values (?1, iif(?1 % 3, 'xyz', 'z'), 'tv', 2020 + ?1 % 2, iif(?1 % 5, 'spring', null), 1)`)
    .run(id)
  reindexRow(handle, 'works', id)
}

const id = fc.integer({ min: first, max: last - 1 })
const kind = fc.constantFrom('watched', 'watching', 'on_hold')
const viewer = 1

/** Everything that changes which works a list shows, or in which order. */
const changes = [
  fc.tuple(id, kind, fc.integer({ min: 1, max: 3 })).map(([work, kind, user]) => () => {
    handle
      .query(`insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, ?, 0)
       on conflict do update set kind = excluded.kind`)
      .run(user, work, kind)
  }),
  id.map(
    (work) => () => handle.query('delete from statuses where user_id = ? and work_id = ?').run(viewer, work),
  ),
  fc.tuple(id, fc.boolean()).map(([work, hidden]) => () => {
    handle.query('update works set hidden = ? where id = ?').run(Number(hidden), work)
  }),
  fc.tuple(id, fc.constantFrom('x', 'yz', 'z')).map(([work, title]) => () => {
    handle.query('update works set title = ? where id = ?').run(title, work)
    reindexRow(handle, 'works', work)
  }),
  fc
    .tuple(id, fc.constantFrom(null, 2020, 2021), fc.constantFrom(null, 'spring', 'autumn'))
    .map(([work, year, season]) => () => {
      handle
        .query('update works set season_year = ?, season = ? where id = ?')
        .run(year, year === null ? null : season, work)
    }),
  fc.integer({ min: 1, max: 20 }).map((gap) => () => {
    const [row] = handle.query<{ id: number }, []>('select max(id) as id from works').all()
    add((row?.id ?? 0) + gap)
  }),
]

const way = fc.constantFrom('asc', 'desc')
const asks = {
  filter_ids: fc.array(id, { minLength: 1, maxLength: 9 }).map(String),
  filter_season: fc.constantFrom('2020-all', '2021-spring'),
  filter_status: kind,
  filter_title: fc.constantFrom('x', 'z', 'yz'),
  sort_id: way,
  sort_season: way,
  sort_watchers_count: way,
}
const { sort_id, sort_season, sort_watchers_count, ...filterAsks } = asks
const filters = fc
  .subarray(Object.keys(filterAsks) as (keyof typeof filterAsks)[], { maxLength: 2 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filterAsks[name]]))))
const sorts = fc.record({ sort_id, sort_season, sort_watchers_count }, { requiredKeys: [] })
const asked = fc.tuple(filters, sorts).map(([by, order]): Asked => ({ ...by, ...order }))
type Asked = Readonly<Record<string, string>>

/** The ids that a list should show, in plain SQL. */
function expectedIds(own: boolean, asked: Asked): number[] {
  const ranks = asked.filter_season === '2020-all' ? 'between 20201 and 20205' : '= 20212'
  const having = `select work_id from statuses where user_id = ${viewer}`
  const conditions = [
    own ? `id in (${having})` : 'hidden = 0',
    asked.filter_title && `title like '%${asked.filter_title}%'`,
    asked.filter_season && `season_rank ${ranks}`,
    asked.filter_ids && `id in (${asked.filter_ids})`,
    own && asked.filter_status && `id in (${having} and kind = '${asked.filter_status}')`,
  ].filter(Boolean)
  const order = [
    asked.sort_id && `id ${asked.sort_id}`,
    asked.sort_season && `season_rank ${asked.sort_season} nulls last`,
    asked.sort_watchers_count && `watchers_count ${asked.sort_watchers_count}`,
    'id',
  ].filter(Boolean)
  return handle
    .query<{ id: number }, []>(
      `select id from works where ${conditions.join(' and ')} order by ${order.join(', ')}`,
    )
    .all()
    .map(({ id }) => id)
}

/** Alternates a few kinds of changes and a few requests, so that the same request is sent before and after a change. */
const steps = fc
  .tuple(
    fc.subarray(changes, { minLength: 1, maxLength: 2 }),
    fc.array(asked, { minLength: 1, maxLength: 2 }),
  )
  .chain(([kinds, requests]) =>
    fc.array(
      fc.record({
        changes: fc.array(fc.oneof(...kinds), { maxLength: 3 }),
        own: fc.boolean(),
        asked: fc.constantFrom(...requests),
        page: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  )

test('every filter and sort of works is tested below; the changes above include all that affect its rows', () => {
  const params = endpoints.find(({ path }) => path === '/v1/me/works')?.operation.params ?? {}
  const names = Object.keys(params).filter((name) => /^(?:filter|sort)_/.test(name))
  expect(names.toSorted()).toEqual(Object.keys(asks).toSorted())
})

test('lists of works reflect every change of what they are found by, at once (D14, D17, D37)', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const { changes, own, asked, page } of taken) {
        for (const apply of changes) apply()
        const target =
          (own ? '/v1/me/works' : '/v1/works') + query({ ...asked, per_page: '7', page: `${page}` })
        const body: Body = await json(target)
        const ids = expectedIds(own, asked)
        expect([target, idsOf(body)]).toEqual([target, ids.slice(7 * (page - 1), 7 * page)])
        expect(body.total_count).toBe(ids.length)
      }
    }),
    { numRuns: 300 },
  )
}, 60_000)
