import { afterAll, describe, expect, test } from 'bun:test'
import { changedOpinion, newOpinion, type RatingState, ratingStates } from '../../src/library/ratings'
import { type Body, createInstance } from '../support/instance'
import { type Params, personOf } from '../support/people'

const kiroku = await createInstance()
const { json, store } = kiroku
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

/** The ends of each range of D87 and of D33, whose word is another between 50 and 59. */
const meant: readonly (readonly [score: number, word: RatingState, byRating: RatingState])[] = [
  [1, 'bad', 'bad'],
  [49, 'bad', 'bad'],
  [50, 'average', 'bad'],
  [59, 'average', 'bad'],
  [60, 'average', 'average'],
  [69, 'average', 'average'],
  [70, 'good', 'good'],
  [89, 'good', 'good'],
  [90, 'great', 'great'],
  [100, 'great', 'great'],
]

describe('number and word (D87)', () => {
  test.each(meant)('%p alone is %s', (score, rating_state) => {
    const rating = Math.round(score / 2) / 10
    expect(newOpinion({ score })).toEqual({ score, rating, rating_state })
    expect(changedOpinion(7, { score })).toEqual({ score, rating, rating_state })
  })

  test.each(meant.flatMap(([score]) => ratingStates.map((word) => [score, word] as const)))(
    '%p and %s together are kept as sent',
    (score, rating_state) => {
      const rating = Math.round(score / 2) / 10
      expect(newOpinion({ score, rating_state })).toEqual({ score, rating, rating_state })
    },
  )

  test.each(
    meant.flatMap(([score, ...words]) =>
      ratingStates.map((word) => [word, score, words.includes(word)] as const),
    ),
  )('%s alone beside %p keeps the number: %p', (rating_state, score, isKept) => {
    const changed = isKept ? { rating_state } : { rating_state, score: null }
    expect(changedOpinion(score, { rating_state })).toEqual(changed)
  })

  test.each(Array.from({ length: 51 }, (_, tenths) => tenths / 10))(
    'the rating %p is 20 times as much',
    (rating) => {
      const { score, rating_state } = newOpinion({ rating })
      expect(score).toBe(rating === 0 ? null : Math.round(rating * 20))
      const byRating = [rating >= 3, rating >= 3.5, rating >= 4.5].filter(Boolean).length
      expect(rating_state).toBe(rating === 0 ? null : (ratingStates[byRating] ?? null))
    },
  )

  test('a score wins over a rating, 0 is none, and clearing one of the two leaves the other', () => {
    expect(newOpinion({ score: 85, rating: 1 })).toEqual({ score: 85, rating: 4.3, rating_state: 'good' })
    expect(newOpinion({ score: 0 })).toEqual({ score: null, rating: null, rating_state: null })
    expect(changedOpinion(85, { score: 0 })).toEqual({ score: null, rating: null })
    expect(changedOpinion(85, { score: null })).toEqual({ score: null, rating: null })
    expect(changedOpinion(85, { rating: null })).toEqual({ score: null, rating: null })
    expect(changedOpinion(85, { rating_state: null })).toEqual({ rating_state: null })
    expect(changedOpinion(85, {})).toEqual({})
  })
})

const opinionOf = ({ score, rating, rating_state }: Body) => [score, rating, rating_state]
const overallOf = ({ score, rating_overall_state }: Body) => [score, rating_overall_state]

describe('the score of a record in the API (D87)', () => {
  const record = (params: Params): Promise<Body> =>
    mio.done('POST', '/v1/me/records', { episode_id: 1, ...params })
  const edit = (id: number, params: Params): Promise<Body> =>
    mio.done('PATCH', `/v1/me/records/${id}`, params)

  test.each([-1, 101, 4.5, '085', 'great', '1e1'])('%p is refused', async (score) => {
    const said = await mio.refused('invalid_params', 'POST', '/v1/me/records', { episode_id: 1, score })
    expect(said).toEqual(['score must be a whole number from 0 to 100.'])
  })

  test('is stored, edited and cleared', async () => {
    const { id, ...made } = await record({ score: 85 })
    expect(opinionOf(made)).toEqual([85, 4.3, 'good'])
    expect(opinionOf(await edit(id, { comment: 'よかった' }))).toEqual([85, 4.3, 'good'])
    expect(opinionOf(await edit(id, { rating_state: 'good' }))).toEqual([85, 4.3, 'good'])
    expect(opinionOf(await edit(id, { rating_state: 'bad' }))).toEqual([null, 4.3, 'bad'])
    expect(opinionOf(await edit(id, { rating: '4.5' }))).toEqual([90, 4.5, 'great'])
    expect(opinionOf(await edit(id, { score: 55, rating_state: 'bad' }))).toEqual([55, 2.8, 'bad'])
    expect(opinionOf(await edit(id, { rating_state: '' }))).toEqual([55, 2.8, null])
    expect(opinionOf(await edit(id, { score: '' }))).toEqual([null, null, null])
    expect(opinionOf((await json(`/v1/records?filter_ids=${id}`)).records[0])).toEqual([null, null, null])
  })

  test("somebody else's stays", async () => {
    const { id } = await record({ score: 85 })
    const ritsu = await personOf(kiroku, 'Ritsu_T')
    await ritsu.refused('not_found', 'PATCH', `/v1/me/records/${id}`, { rating_state: 'bad' })
    expect(store.handle.query('select score from records where id = ?').get(id)).toEqual({ score: 85 })
  })

  test('is that of each of several', async () => {
    store.handle.run('delete from records where user_id = 1')
    const { records } = await mio.done('POST', '/v1/me/records/bulk', { episode_ids: '1,2', score: 40 })
    expect(records.map(opinionOf)).toEqual([
      [40, 2, 'bad'],
      [40, 2, 'bad'],
    ])
  })
})

describe('the score of a work in the API (D87)', () => {
  test('belongs to a review and to a viewing', async () => {
    const review = await mio.done('POST', '/v1/me/reviews', { work_id: 1, body: '本文', score: 72 })
    expect(overallOf(review)).toEqual([72, 'good'])
    const path = `/v1/me/reviews/${review.id}`
    const edit = async (params: Params) =>
      overallOf(await mio.done('PATCH', path, { body: '本文', ...params }))
    expect(await edit({ rating_overall_state: 'great' })).toEqual([null, 'great'])
    expect(await edit({ score: 95 })).toEqual([95, 'great'])
    expect(await edit({ rating_overall_state: '' })).toEqual([95, null])
    const film = store.handle
      .query('select id from works where episodes_count = 0 and hidden = 0 limit 1')
      .get() as Body
    const viewing = await mio.done('POST', '/v1/me/viewings', { work_id: film.id, score: 1 })
    expect(overallOf(viewing)).toEqual([1, 'bad'])
    const changed = await mio.done('PATCH', `/v1/me/viewings/${viewing.id}`, { score: 100 })
    expect(overallOf(changed)).toEqual([100, 'great'])
  })

  test("is in the status of the caller's works: that of the newest review with a rating", async () => {
    await mio.done('POST', '/v1/me/statuses', { work_id: 1, kind: 'watching' })
    await mio.done('POST', '/v1/me/reviews', { work_id: 1, body: '本文', score: 66 })
    await mio.done('POST', '/v1/me/reviews', { work_id: 1, body: '追記' })
    const { works } = await mio.json('/v1/me/works?filter_ids=1')
    expect(works[0].status).toMatchObject({ kind: 'watching', score: 66 })
  })
})

test('a rating from before there were scores is the same number (D87)', async () => {
  const { default: migration } = await import('../../db/migrations/0053_scores.sql', {
    with: { type: 'text' },
  })
  const filling = migration.split(';\n').filter((one) => /update (records|changes)/.test(one))
  store.handle.run('update records set rating = 4.3, score = null where id = (select min(id) from records)')
  store.handle.run('update records set rating = 0, score = null where id = (select max(id) from records)')
  for (const one of filling) store.handle.run(one)
  const rows = store.handle
    .query('select rating, score from records where rating is not null order by id')
    .all()
  expect(rows.at(0)).toEqual({ rating: 4.3, score: 86 })
  expect(rows.at(-1)).toEqual({ rating: 0, score: null })
})
