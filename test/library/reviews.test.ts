import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf, start } from '../support/instance'
import { type Params, personOf, userNow, workNow } from '../support/people'

const kiroku = await createInstance()
const { clock, get, json } = kiroku
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

const path = '/v1/me/reviews'
const states = ['animation', 'music', 'story', 'character', 'overall'].map((what) => `rating_${what}_state`)
const review = (params: Params = {}): Promise<Body> =>
  mio.done('POST', path, { work_id: 1, body: '本文', ...params })

describe('POST /v1/me/reviews', () => {
  test('refuses an unknown, a hidden and a missing work, and a missing body', async () => {
    for (const work_id of [99, 9]) {
      expect(await mio.refused('not_found', 'POST', path, { work_id, body: 'x' })).toEqual([
        'The work does not exist.',
      ])
    }
    expect(await mio.refused('invalid_params', 'POST', path, { title: 'x', body: ' \u3000' })).toEqual([
      'work_id is required.',
      'body is required.',
    ])
    expect((await json('/v1/reviews')).total_count).toBe(0)
    expect((await json('/v1/activities')).total_count).toBe(0)
  })

  test('answers 200 with the review (D31)', async () => {
    const made = await review({ body: ' 庭\n', rating_story_state: 'good', rating_overall_state: 'great' })
    expect(made).toEqual({
      id: 1,
      title: '',
      body: '庭',
      rating_animation_state: null,
      rating_music_state: null,
      rating_story_state: 'good',
      rating_character_state: null,
      rating_overall_state: 'great',
      likes_count: 0,
      comments_count: 0,
      impressions_count: 0,
      created_at: '2026-04-01T12:00:00.000Z',
      modified_at: null,
      watched_at: null,
      watched_at_precision: null,
      private: false,
      score: null,
      user: await userNow(kiroku, 1),
      work: await workNow(kiroku, 1),
    })
    // The seeded work had two already; a user's records_count counts records of episodes (D40).
    expect([made.work.reviews_count, made.user.records_count]).toEqual([3, 0])
    expect((await json('/v1/reviews')).reviews).toEqual([made])
  })

  test('several reviews of one work are allowed (D35)', async () => {
    const ids = [(await review()).id, (await review()).id]
    expect(idsOf(await json(`/v1/reviews?filter_ids=${ids}`))).toEqual(ids)
  })

  test.each(states)('%s accepts the four states and nothing else', async (name) => {
    for (const state of ['bad', 'average', 'good', 'great']) {
      expect((await review({ [name]: state }))[name]).toBe(state)
    }
    expect((await review({ [name]: ' ' }))[name]).toBeNull()
    for (const odd of ['Good', 'worst', 5, true]) {
      const said = await mio.refused('invalid_params', 'POST', path, { work_id: 1, body: 'x', [name]: odd })
      expect(said).toEqual([`${name} must be one of bad, average, good, great.`])
    }
  })

  test('stores what is to be shared, and contacts nobody (D41)', async () => {
    const { id } = await review({ share_facebook: true })
    const kept = kiroku.store.handle.query<Body, [number]>(
      'select share_twitter, share_facebook from reviews where id = ?',
    )
    expect(kept.get(id)).toEqual({ share_twitter: 0, share_facebook: 1 })
  })
})

describe('a body and a title (D13, D34)', () => {
  test('the title is put before the body, with a blank line between; the returned title is empty', async () => {
    expect(await review({ title: ' 見出し ', body: ' 本文 ' })).toMatchObject({
      title: '',
      body: '見出し\n\n本文',
    })
  })

  test.each(['', ' ', '\u3000', null])('a title of %j is none', async (title) => {
    expect((await review({ title })).body).toBe('本文')
  })

  test('a body may have 10,000 code points, a title 300, both together 10,000', async () => {
    const [body, title] = ['🍥'.repeat(10_000), '🍥'.repeat(300)]
    expect((await review({ body })).body).toBe(body)
    expect((await review({ title })).body).toBe(`${title}\n\n本文`)
    expect((await review({ title: '見', body: '🍥'.repeat(9_997) })).body).toHaveLength(3 + 2 * 9_997)
    const refused = (params: Params) =>
      mio.refused('invalid_params', 'POST', path, { work_id: 1, body: 'x', ...params })
    expect(await refused({ body: `${body}🍥` })).toEqual(['body must be at most 10000 characters long.'])
    expect(await refused({ title: `${title}🍥` })).toEqual(['title must be at most 300 characters long.'])
    expect(await refused({ title: '見', body: '🍥'.repeat(9_998) })).toEqual([
      'body must be at most 10000 characters long, including the title.',
    ])
  })
})

describe.each(['PATCH', 'PUT'])('%s /v1/me/reviews/:id (D32)', (method) => {
  const change = (id: number, params: Params): Promise<Body> => mio.done(method, `${path}/${id}`, params)

  test("refuses an unknown review, somebody else's, and a missing body", async () => {
    const { id } = await ritsu.done('POST', path, { work_id: 1, body: 'mine' })
    for (const other of [id, 999_999]) {
      expect(await mio.refused('not_found', method, `${path}/${other}`, { body: 'x' })).toEqual([
        'The review does not exist.',
      ])
    }
    const own = await review()
    for (const params of [{}, { body: '' }, { body: null, rating_story_state: 'bad' }]) {
      expect(await mio.refused('invalid_params', method, `${path}/${own.id}`, params)).toEqual([
        'body is required.',
      ])
    }
    expect((await json(`/v1/reviews?filter_ids=${id},${own.id}`)).reviews).toMatchObject([
      { body: 'mine', modified_at: null },
      { body: '本文', modified_at: null, rating_story_state: null },
    ])
  })

  test('changes only what is sent, and says when it was edited', async () => {
    const made = await review({ rating_story_state: 'good', rating_overall_state: 'great' })
    clock.now += 61_001
    const first = await change(made.id, {
      body: '新しい',
      rating_music_state: 'bad',
      rating_overall_state: '',
    })
    expect(first).toEqual({
      ...made,
      body: '新しい',
      rating_music_state: 'bad',
      rating_overall_state: null,
      modified_at: '2026-04-01T12:01:01.001Z',
    })
    clock.now += 1
    expect(await change(made.id, { body: '新しい' })).toEqual({
      ...first,
      modified_at: '2026-04-01T12:01:01.002Z',
    })
    clock.now = start
  })

  test('a title is merged as on creation, a work_id is ignored (D34)', async () => {
    const { id } = await review({ title: '古い' })
    const changed = await change(id, { title: '見出し', body: '本文', work_id: 2 })
    expect([changed.body, changed.title, changed.work.id]).toEqual(['見出し\n\n本文', '', 1])
  })

  test('a blank flag is cleared; fields works', async () => {
    const { id } = await review({ share_twitter: true })
    const only = await change(id, { body: 'b', share_twitter: '', share_facebook: 'true', fields: 'body' })
    expect(only).toEqual({ body: 'b' })
    const kept = kiroku.store.handle.query<Body, [number]>(
      'select share_twitter, share_facebook from reviews where id = ?',
    )
    expect(kept.get(id)).toEqual({ share_twitter: 0, share_facebook: 1 })
  })
})

describe('DELETE /v1/me/reviews/:id', () => {
  test("refuses an unknown review and somebody else's, which stays", async () => {
    const { id } = await ritsu.done('POST', path, { work_id: 2, body: 'mine' })
    await mio.refused('not_found', 'DELETE', `${path}/${id}`)
    await mio.refused('not_found', 'DELETE', `${path}/999999`)
    expect(idsOf(await json(`/v1/reviews?filter_ids=${id}`))).toEqual([id])
  })

  test('is 204 without a body, then 404', async () => {
    const { id } = await review()
    const response = await get(`${path}/${id}`, { method: 'DELETE' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    await mio.refused('not_found', 'DELETE', `${path}/${id}`)
  })
})
