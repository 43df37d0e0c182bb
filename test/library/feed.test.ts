import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createInstance, idsOf, query } from '../support/instance'
import { type Params, type Person, personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const names = ['mio', 'Ritsu_T', 'azusa']
const mio = await personOf(kiroku, 'mio')
const people = [mio, await personOf(kiroku, 'Ritsu_T'), await personOf(kiroku, 'azusa')]
const ids = [1, 2, 4]
afterAll(kiroku.close)

const path = '/v1/me/following_activities'

/** The feed by one plain query (D38). */
function feed(viewer: number, { muted, actions }: Asked): number[] {
  const rows = handle
    .query<{ id: number; action: string }, [number, number, number]>(
      `select id, action from activities
       where user_id in (select followed_id from follows where follower_id = ?)
         and (? or user_id not in (select muted_id from mutes where user_id = ?))
       order by id`,
    )
    .all(viewer, muted ? 0 : 1, viewer)
  return rows.filter(({ action }) => actions === null || actions.includes(action)).map(({ id }) => id)
}

interface Asked {
  readonly muted: boolean
  readonly actions: readonly string[] | null
  readonly way: string
  readonly perPage: number
}

const asked: fc.Arbitrary<Asked> = fc.record({
  muted: fc.boolean(),
  actions: fc.option(
    fc.subarray(['create_record', 'create_review', 'create_multiple_records', 'create_status'], {
      minLength: 1,
    }),
  ),
  way: fc.constantFrom('asc', 'desc'),
  perPage: fc.integer({ min: 1, max: 50 }),
})

/** Reads a user's whole feed, page by page. */
async function read(person: Person, { muted, actions, way, perPage }: Asked): Promise<number[]> {
  const params = { filter_muted: String(muted), sort_id: way, per_page: String(perPage), fields: 'id' }
  const filter = actions === null ? {} : { filter_actions: actions.join(',') }
  const found: number[] = []
  for (let page: number | null = 1; page !== null; ) {
    const body = await person.json(path + query({ ...params, ...filter, page: String(page) }))
    found.push(...idsOf(body))
    page = body.next_page
  }
  return found
}

async function check(asking: Asked): Promise<void> {
  for (const [at, person] of people.entries()) {
    const expected = feed(ids[at] ?? 0, asking)
    const found = await read(person, asking)
    expect(found).toEqual(asking.way === 'asc' ? expected : expected.toReversed())
  }
}

type Write = readonly [method: string, path: string, params: Params]
const either = fc.constantFrom('POST', 'DELETE')
const username = fc.constantFrom(...names, 'yui').map((username) => ({ username }))
const write = fc.oneof(
  fc.tuple(either, fc.constantFrom('/v1/me/follows', '/v1/me/mutes'), username),
  fc.tuple(fc.constant('POST'), fc.constant('/v1/me/records'), fc.constant({ episode_id: 1 })),
  fc.tuple(fc.constant('POST'), fc.constant('/v1/me/records/bulk'), fc.constant({ episode_ids: '1,2,3,6' })),
  fc.tuple(fc.constant('POST'), fc.constant('/v1/me/reviews'), fc.constant({ work_id: 1, body: 'b' })),
  fc.tuple(
    fc.constant('POST'),
    fc.constant('/v1/me/statuses'),
    fc.record({ work_id: fc.constantFrom(1, 2), kind: fc.constantFrom('watching', 'watched', 'no_select') }),
  ),
  fc.tuple(
    fc.constant('DELETE'),
    fc.tuple(fc.constantFrom('records', 'reviews'), fc.nat(9)).map(([list, nth]) => `${list} ${nth}`),
    fc.constant({}),
  ),
) as fc.Arbitrary<Write>
const writes = fc.array(fc.tuple(fc.nat(people.length - 1), write), { maxLength: 25 })

/** `records 3` is that user's third newest record. */
function resolved(target: string, user: number): string {
  const [list = '', nth = 0] = target.split(' ')
  if (target.startsWith('/')) return target
  const own = handle.query<{ id: number }, [number]>(
    `select id from ${list} where user_id = ? order by id desc`,
  )
  return `/v1/me/${list}/${own.all(user)[Number(nth)]?.id ?? 999_999}`
}

async function send(who: number, [method, target, params]: Write): Promise<void> {
  const response = await people[who]?.send(method, resolved(target, ids[who] ?? 0), params)
  expect(response?.status).toBeOneOf([200, 204, 400, 404])
}

test('the feed equals the result of a plain query, after each of any writes (D38)', async () => {
  await fc.assert(
    fc.asyncProperty(writes, asked, async (all, asking) => {
      for (const [who, one] of all) {
        await send(who, one)
        await check(asking)
      }
    }),
    { numRuns: 40 },
  )
})

test('reading while others write skips nothing that remains, and returns nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(writes, asked, async (all, asking) => {
      const reading = all.flatMap(([who, one]) => [
        send(who, one),
        ...people.map(async (person) => {
          const found = idsOf(await person.json(`${path}?per_page=50&fields=id&filter_muted=${asking.muted}`))
          expect(found).toEqual([...new Set(found)].sort((one, other) => one - other))
        }),
      ])
      await Promise.all(reading)
      await check(asking)
      await check({ ...asking, muted: !asking.muted })
    }),
    { numRuns: 40 },
  )
})

/** Makes mio follow Ritsu_T, unmuted. */
async function hear(): Promise<void> {
  await mio.done('POST', '/v1/me/follows', { username: 'Ritsu_T' })
  await mio.done('DELETE', '/v1/me/mutes', { username: 'Ritsu_T' })
}

test('more deletions than the log of them keeps', async () => {
  const everything: Asked = { muted: false, actions: null, way: 'asc', perPage: 50 }
  await hear()
  await check(everything)
  handle.run(`
    insert into activities (user_id, work_id, action, status_kind, created_at)
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 10500)
    select 2, 1, 'create_status', 'watched', 0 from numbers`)
  const { total_count } = await mio.json(`${path}?per_page=1`)
  expect(total_count).toBe(feed(1, { ...everything, muted: true }).length)
  handle.run('delete from activities where id % 50 <> 0')
  await check(everything)
  expect(handle.query('select count(*) as n from activity_deletions').get()).toEqual({ n: 10_000 })
})

test('ten thousand deletions, exactly as many as the log keeps', async () => {
  const everything: Asked = { muted: false, actions: null, way: 'desc', perPage: 50 }
  await hear()
  handle.run('delete from activities')
  handle.run(`
    insert into activities (user_id, work_id, action, status_kind, created_at)
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 10001)
    select 2, 1, 'create_status', 'watched', 0 from numbers`)
  expect((await mio.json(`${path}?per_page=1`)).total_count).toBe(10_001)
  handle.run('delete from activities where id <> (select max(id) from activities)')
  await check(everything)
})
