import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Body, createInstance, itemsOf } from '../support/instance'
import { type Params, personOf } from '../support/people'

const kiroku = await createInstance()
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

const path = '/v1/me/statuses'
const set = (params: Params) => mio.done('POST', path, { work_id: 1, kind: 'watching', ...params })
const status = async (work = 1): Promise<Body> =>
  itemsOf(await kiroku.json('/v1/me/works')).find(({ id }) => id === work)?.status
const record = (episode_id: number, params: Params = {}) =>
  mio.done('POST', '/v1/me/records', { episode_id, ...params })

beforeEach(() => {
  for (const table of ['statuses', 'records', 'reviews', 'activities'])
    kiroku.store.handle.run(`delete from ${table}`)
})

describe('when a status started and finished (D71)', () => {
  test('is refused if it is not a date, or if it finishes before it starts, and then changes nothing', async () => {
    for (const date of ['2016-13', '2016-02-30', '16', '2016-3', '2016-03-05T12:00Z', 'x'])
      expect(await mio.refused('invalid_params', 'POST', path, sent({ started_on: date }))).toEqual([
        'started_on must be a date such as 2016-03-05, 2016-03 or 2016.',
      ])
    expect(await mio.refused('invalid_params', 'POST', path, sent({ finished_on: '1899' }))).toEqual([
      'finished_on must not be before the year 1900.',
    ])
    await set({ started_on: '2016-03-05' })
    expect(await mio.refused('invalid_params', 'POST', path, sent({ finished_on: '2016-02' }))).toEqual([
      'finished_on must not be before started_on.',
    ])
    expect(await status()).toEqual({
      kind: 'watching',
      started_on: '2016-03-05',
      finished_on: null,
      private: false,
      score: null,
    })
  })

  test('is as exact as known, kept when the kind changes, and cleared by a blank', async () => {
    await set({ started_on: '2016-03-05', finished_on: '2016' })
    expect(await status()).toEqual({
      kind: 'watching',
      started_on: '2016-03-05',
      finished_on: '2016',
      private: false,
      score: null,
    })
    await set({ kind: 'watched' })
    expect(await status()).toEqual({
      kind: 'watched',
      started_on: '2016-03-05',
      finished_on: '2016',
      private: false,
      score: null,
    })
    await set({ kind: 'watched', started_on: '', finished_on: null })
    expect(await status()).toEqual({
      kind: 'watched',
      started_on: null,
      finished_on: null,
      private: false,
      score: null,
    })
  })

  test('creates no activity if only a date changes', async () => {
    await set({})
    await set({ started_on: '2016' })
    expect(itemsOf(await kiroku.json('/v1/activities?filter_username=mio'))).toHaveLength(1)
  })

  test('is derived from the first record, and from the last once it is watched', async () => {
    await record(2, { watched_at: '2017-04' })
    await record(1, { watched_at: '2016' })
    await record(3, { watched_at_precision: 'none' })
    await set({})
    expect(await status()).toEqual({
      kind: 'watching',
      started_on: '2016',
      finished_on: null,
      private: false,
      score: null,
    })
    await set({ kind: 'watched' })
    expect(await status()).toEqual({
      kind: 'watched',
      started_on: '2016',
      finished_on: '2017-04',
      private: false,
      score: null,
    })
    await record(1, { watched_at: '2018-05-06T23:30:00+09:00' })
    expect(await status()).toMatchObject({ finished_on: '2018-05-06' })
  })

  test.each([
    [1, 2],
    [2, 1],
  ] as const)('is the exact one of equal times, in any order: %d, %d', async (day, year) => {
    const times = { [day]: '2016-01-01', [year]: '2016' }
    for (const episode of [1, 2]) await record(episode, { watched_at: times[episode] ?? '' })
    await set({ kind: 'watched' })
    expect(await status()).toEqual({
      kind: 'watched',
      started_on: '2016-01-01',
      finished_on: '2016-01-01',
      private: false,
      score: null,
    })
  })

  test('is derived from the viewings of a film', async () => {
    await mio.done('POST', '/v1/me/viewings', { work_id: 3, watched_at: '1999-12-31' })
    await set({ work_id: 3, kind: 'watched' })
    expect(await status(3)).toEqual({
      kind: 'watched',
      started_on: '1999-12-31',
      finished_on: '1999-12-31',
      private: false,
      score: null,
    })
  })
})

const sent = (params: Params): Params => ({ work_id: 1, kind: 'watching', ...params })
