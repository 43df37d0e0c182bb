import { afterAll, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { createInstance } from '../support/instance'
import { type Person, personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]

const prefers = (mark: 0 | 1) => handle.run('update users set private_by_default = ? where id = 1', [mark])
beforeEach(() => prefers(0))

/** Every way to write an entry, and the lists that have it. */
const ways = {
  record: {
    make: (mark: object) => mio.done('POST', '/v1/me/records', { episode_id: 1, ...mark }),
    path: '/v1/me/records',
    list: 'records',
  },
  review: {
    make: (mark: object) => mio.done('POST', '/v1/me/reviews', { work_id: 1, body: 'よかった', ...mark }),
    path: '/v1/me/reviews',
    list: 'reviews',
  },
  viewing: {
    make: (mark: object) => mio.done('POST', '/v1/me/viewings', { work_id: 3, ...mark }),
    path: '/v1/me/viewings',
    list: 'reviews',
  },
} as const

const idsSeenBy = async (person: Person, list: string, query = '') =>
  (await person.json(`/v1/${list}?per_page=50&sort_id=desc${query}`))[list].map(
    ({ id }: { id: number }) => id,
  )

test.each(Object.entries(ways))(
  'a %s can be private from the start, or later, and shared again (D72)',
  async (kind, { make, path, list }) => {
    const made = await make({ private: true })
    expect([kind, made.private]).toEqual([kind, true])
    const seen = async () => [
      (await idsSeenBy(azusa, list, '&filter_username=mio')).includes(made.id),
      (await idsSeenBy(azusa, list)).includes(made.id),
      // Shared lists are the same for its owner (D73).
      (await idsSeenBy(mio, list)).includes(made.id),
      (await idsSeenBy(mio, list, '&filter_username=mio')).includes(made.id),
      (await idsSeenBy(mio, list, `&filter_ids=${made.id}`)).includes(made.id),
    ]
    expect(await seen()).toEqual([false, false, false, true, true])
    const body = kind === 'review' ? { body: 'よかった' } : {}
    expect((await mio.done('PATCH', `${path}/${made.id}`, { ...body, private: false })).private).toBe(false)
    expect(await seen()).toEqual([true, true, true, true, true])
    expect((await mio.done('PATCH', `${path}/${made.id}`, { ...body, private: true })).private).toBe(true)
    expect(await seen()).toEqual([false, false, false, true, true])
    // Without it, the mark stays (D32).
    expect((await mio.done('PATCH', `${path}/${made.id}`, body)).private).toBe(true)
    expect(findDrift(handle)).toEqual([])
  },
)

test('what does not say is as its writer prefers (D72)', async () => {
  for (const { make } of Object.values(ways)) {
    prefers(1)
    expect([(await make({})).private, (await make({ private: false })).private]).toEqual([true, false])
    prefers(0)
    expect([(await make({})).private, (await make({ private: true })).private]).toEqual([false, true])
  }
})

test('several records at once are all private, and so is their activity (D72)', async () => {
  const { records } = await mio.done('POST', '/v1/me/records/bulk', { episode_ids: '2,3', private: true })
  expect(records.map((record: { private: boolean }) => record.private)).toEqual([true, true])
  const actions = async (person: Person) =>
    (await person.json('/v1/activities?filter_username=mio&per_page=50&sort_id=desc')).activities.filter(
      (one: { multiple_record?: unknown }) => one.multiple_record !== undefined,
    )
  expect([(await actions(mio)).length, (await actions(azusa)).length]).toEqual([1, 0])
  // Once one of them is shared, so is the activity, with that one alone.
  await mio.done('PATCH', `/v1/me/records/${records[0].id}`, { private: false })
  const [shown] = await actions(azusa)
  expect(shown.multiple_record.map(({ record }: { record: { id: number } }) => record.id)).toEqual([
    records[0].id,
  ])
  expect((await actions(mio))[0].multiple_record).toHaveLength(2)
  await mio.done('DELETE', `/v1/me/records/${records[0].id}`)
  expect(await actions(azusa)).toEqual([])
  expect(findDrift(handle)).toEqual([])
})

test('a status keeps its mark until another is sent, which alone adds no activity (D72)', async () => {
  const set = (values: object) => mio.done('POST', '/v1/me/statuses', { work_id: 4, ...values })
  const own = async () =>
    (await mio.json('/v1/me/works?per_page=50')).works.find(({ id }: { id: number }) => id === 4)?.status
  const told = async (person: Person) =>
    (await person.json('/v1/activities?filter_username=mio&per_page=50')).activities.filter(
      ({ action, work }: { action: string; work: { id: number } }) =>
        action === 'create_status' && work.id === 4,
    ).length
  const before = [await told(mio), await told(azusa)]
  await set({ kind: 'watching', private: true })
  await set({ kind: 'on_hold' })
  expect(await own()).toMatchObject({ kind: 'on_hold', private: true })
  const since = async () => [(await told(mio)) - (before[0] ?? 0), (await told(azusa)) - (before[1] ?? 0)]
  expect(await since()).toEqual([2, 0])
  await set({ kind: 'on_hold', private: false })
  expect(await own()).toMatchObject({ kind: 'on_hold', private: false })
  // Those before it were private with it, and are shared with it.
  expect(await since()).toEqual([2, 2])
  await set({ kind: 'on_hold', private: true })
  await set({ kind: 'no_select' })
  // The status is gone, and what it was stays private.
  expect(await since()).toEqual([2, 0])
  prefers(1)
  await set({ kind: 'watching' })
  expect(await own()).toMatchObject({ kind: 'watching', private: true })
  expect(findDrift(handle)).toEqual([])
})

test('a feed that is kept drops what becomes private, and has it back (D72)', async () => {
  await azusa.send('POST', '/v1/me/follows', { username: 'mio' })
  const feed = async () =>
    (await azusa.json('/v1/me/following_activities?per_page=50&sort_id=desc')).activities.flatMap(
      ({ record }: { record?: { id: number } }) => record?.id ?? [],
    )
  const { id } = await ways.record.make({})
  expect(await feed()).toContain(id)
  await mio.done('PATCH', `/v1/me/records/${id}`, { private: true })
  expect(await feed()).not.toContain(id)
  await mio.done('PATCH', `/v1/me/records/${id}`, { private: false })
  expect(await feed()).toContain(id)
})
