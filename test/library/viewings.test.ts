import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance } from '../support/instance'
import { type Params, type Person, personOf } from '../support/people'

let kiroku: Instance
let mio: Person
let ritsu: Person
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await personOf(kiroku, 'mio')
  ritsu = await personOf(kiroku, 'Ritsu_T')
})
afterAll(() => kiroku.close())

/** A film. */
const work_id = 3
const path = '/v1/me/viewings'
const view = (params: Params = {}): Promise<Body> => mio.done('POST', path, { work_id, ...params })
const work = async (): Promise<Body> => (await kiroku.json(`/v1/works?filter_ids=${work_id}`)).works[0]

describe('a viewing of a work without episodes (D60)', () => {
  test('is a review that may have no body, and has a time', async () => {
    const made = await view({ watched_at: '2016-08-26', rating_overall_state: 'great' })
    expect(made).toMatchObject({
      body: '',
      rating_overall_state: 'great',
      rating_story_state: null,
      watched_at: '2016-08-26',
      watched_at_precision: 'day',
      created_at: new Date(kiroku.clock.now).toISOString(),
      modified_at: null,
    })
    const { reviews } = await kiroku.json('/v1/reviews?filter_has_review_body=false')
    expect(reviews.map(({ id }: Body) => id)).toContain(made.id)
    const { activities } = await kiroku.json('/v1/activities?filter_username=mio&sort_id=desc&per_page=1')
    expect(activities[0]).toMatchObject({ action: 'create_review', review: { id: made.id } })
  })

  test('counts among the reviews of the work if it has a body', async () => {
    const { reviews_count } = await work()
    const { id } = await view()
    expect((await work()).reviews_count).toBe(reviews_count)
    await mio.done('PATCH', `${path}/${id}`, { body: '雨' })
    expect((await work()).reviews_count).toBe(reviews_count + 1)
    expect(await mio.done('PATCH', `${path}/${id}`, { body: '' })).toMatchObject({ body: '' })
    expect((await work()).reviews_count).toBe(reviews_count)
  })

  test('may be logged again, and is deleted like a review', async () => {
    const [first, second] = [await view(), await view()]
    expect(first.id).not.toBe(second.id)
    expect((await mio.send('DELETE', `/v1/me/reviews/${second.id}`)).status).toBe(204)
    await mio.refused('not_found', 'PATCH', `${path}/${second.id}`, { body: 'x' })
  })

  test('can only be edited by its author, and no other review can be edited as one', async () => {
    const { id } = await view()
    await ritsu.refused('not_found', 'PATCH', `${path}/${id}`, { body: 'x' })
    const review = await mio.done('POST', '/v1/me/reviews', { work_id, body: '本文' })
    expect(review).toMatchObject({ watched_at: null, watched_at_precision: null })
    await mio.refused('not_found', 'PATCH', `${path}/${review.id}`, { body: 'x' })
  })

  test('is refused for works with episodes, which have records', async () => {
    expect(await mio.refused('invalid_params', 'POST', path, { work_id: 1 })).toEqual([
      'work_id must be the id of a work without episodes; for other works, record the episodes.',
    ])
    await mio.refused('not_found', 'POST', path, { work_id: 999 })
  })

  test('reviews of Annict’s API still need a body', async () => {
    await mio.refused('invalid_params', 'POST', '/v1/me/reviews', { work_id })
  })
})
