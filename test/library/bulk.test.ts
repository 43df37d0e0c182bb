import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf } from '../support/instance'
import { episodeNow, type Params, personOf, userNow, workNow } from '../support/people'

const kiroku = await createInstance()
const { json, store } = kiroku
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

const path = '/v1/me/records/bulk'
const bulk = async (episode_ids: unknown, more: Params = {}): Promise<Body[]> =>
  (await mio.done('POST', path, { episode_ids, ...more })).records
const episodesOf = (records: Body[]) => records.map(({ episode }) => episode.id)
const activities = async (): Promise<Body[]> => (await json('/v1/activities')).activities
const told = async () =>
  (await activities()).map(({ work, action, multiple_record }) => [
    work.id,
    action,
    episodesOf(multiple_record),
  ])

beforeEach(() => {
  for (const table of ['records', 'activities']) store.handle.run(`delete from ${table}`)
})

describe('POST /v1/me/records/bulk, an extension (D26, D52)', () => {
  test('refuses everything if one episode is unknown or hidden', async () => {
    for (const bad of [99, 5, 7]) {
      expect(await mio.refused('not_found', 'POST', path, { episode_ids: [1, bad] })).toEqual([
        `The episode ${bad} does not exist.`,
      ])
    }
    expect((await json('/v1/records')).total_count).toBe(0)
    expect(await activities()).toEqual([])
  })

  test('refuses an invalid list of ids, and more than 500', async () => {
    const odd = [
      '',
      ' ',
      'a',
      '1;2',
      [1.5],
      ['1'],
      [[1]],
      { 0: 1 },
      Array.from({ length: 501 }, (_, at) => at + 1),
    ]
    for (const episode_ids of odd) await mio.refused('invalid_params', 'POST', path, { episode_ids })
    await mio.refused('invalid_params', 'POST', path, {})
    await mio.refused('invalid_params', 'POST', path, { episode_ids: '1', rating_state: 'best' })
    await mio.refused('invalid_params', 'POST', path, {
      episode_ids: '1',
      watched_at: '2999-01-01T00:00:00Z',
    })
  })

  test('returns a record per episode, in the order they were sent', async () => {
    const records = await bulk([3, 1], { rating_state: 'good', watched_at: '2026-03-31T21:00:00+09:00' })
    expect(episodesOf(records)).toEqual([3, 1])
    expect(records[0]).toEqual({
      id: records[0].id,
      comment: '',
      rating: null,
      rating_state: 'good',
      is_modified: false,
      likes_count: 0,
      comments_count: 0,
      created_at: '2026-03-31T12:00:00.000Z',
      watched_at: '2026-03-31T12:00:00.000Z',
      watched_at_precision: 'time',
      lap: 1,
      private: false,
      score: null,
      user: await userNow(kiroku, 1),
      work: await workNow(kiroku, 1),
      episode: await episodeNow(kiroku, 3),
    })
    expect((await json('/v1/records')).records.map(({ id }: Body) => id)).toEqual(
      records.map(({ id }) => id).sort(),
    )
  })

  test('accepts a comma-separated list, ignores duplicates, and records nothing for an empty one', async () => {
    expect(episodesOf(await bulk(',2,1,,2,1'))).toEqual([2, 1])
    expect(await bulk(',')).toEqual([])
    expect(await bulk([])).toEqual([])
  })

  test('is idempotent: returns existing records without a second activity', async () => {
    const first = await bulk([1, 2])
    expect(await bulk([1, 2])).toEqual(first)
    const more = await bulk([2, 4])
    expect(more[0].id).toBe(first[1].id)
    expect((await json('/v1/records')).total_count).toBe(3)
    expect(await told()).toEqual([
      [1, 'create_multiple_records', [1, 2]],
      [1, 'create_multiple_records', [4]],
    ])
  })

  test('of several records of one episode, returns one', async () => {
    const one: Body = await mio.done('POST', '/v1/me/records', { episode_id: 1 })
    const other: Body = await mio.done('POST', '/v1/me/records', { episode_id: 1 })
    expect([one.id, other.id]).toContain((await bulk([1]))[0].id)
  })

  test("somebody else's record of the episode does not count", async () => {
    await ritsu.done('POST', '/v1/me/records', { episode_id: 1 })
    expect((await bulk([1]))[0].user.id).toBe(1)
  })

  test('creates one activity per work', async () => {
    await bulk([6, 1, 2])
    expect(await told()).toEqual([
      [2, 'create_multiple_records', [6]],
      [1, 'create_multiple_records', [1, 2]],
    ])
  })

  test.each([
    ['id,episode.id', { id: expect.any(Number), episode: { id: 1 } }],
    ['episode.title', { episode: { title: '庭のはじまり' } }],
    ['comment', { comment: '' }],
    ['records.id', {}],
    ['nothing', {}],
  ])('takes fields of each record, as lists do: %s (D16)', async (fields, record) => {
    const answer = await mio.done('POST', path, { episode_ids: '1,2', fields })
    expect(Object.keys(answer)).toEqual(['records'])
    expect(answer.records).toHaveLength(2)
    expect(answer.records[0]).toEqual(record)
    const listed = await json(`/v1/records?fields=${fields}`)
    expect(answer.records).toEqual(listed.records)
  })

  test('an activity shows the remaining records, and is deleted with the last of them (D42)', async () => {
    const ids = (await bulk([1, 2])).map(({ id }) => id)
    await mio.done('DELETE', `/v1/me/records/${ids[0]}`)
    expect(await told()).toEqual([[1, 'create_multiple_records', [2]]])
    await mio.done('DELETE', `/v1/me/records/${ids[1]}`)
    expect([await activities(), (await json('/v1/activities')).total_count]).toEqual([[], 0])
    expect(idsOf(await json('/v1/activities?filter_actions=create_multiple_records'))).toEqual([])
  })
})
