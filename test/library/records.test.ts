import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, formData, idsOf, query, start, types } from '../support/instance'
import { episodeNow, type Params, personOf, userNow, workNow } from '../support/people'

const kiroku = await createInstance()
const { clock, get, json } = kiroku
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

const path = '/v1/me/records'
const record = (params: Params = {}): Promise<Body> => mio.done('POST', path, { episode_id: 1, ...params })
const remove = (id: number) => mio.done('DELETE', `${path}/${id}`)

describe('POST /v1/me/records', () => {
  test('refuses an unknown, a hidden and a missing episode, and stores nothing', async () => {
    for (const episode_id of [99, 5, 7, 999_999_999_999_999]) {
      expect(await mio.refused('not_found', 'POST', path, { episode_id })).toEqual([
        `The episode ${episode_id} does not exist.`,
      ])
    }
    expect(await mio.refused('invalid_params', 'POST', path, { comment: 'x' })).toEqual([
      'episode_id is required.',
    ])
    expect((await json('/v1/records')).total_count).toBe(0)
    expect((await json('/v1/activities')).total_count).toBe(0)
  })

  test('answers 200 with the record, not 201 (D31)', async () => {
    const made = await record({ comment: '  よかった\n', rating_state: 'great', share_twitter: true })
    expect(made).toEqual({
      id: 1,
      comment: 'よかった',
      rating: null,
      rating_state: 'great',
      is_modified: false,
      likes_count: 0,
      comments_count: 0,
      created_at: '2026-04-01T12:00:00.000Z',
      watched_at: '2026-04-01T12:00:00.000Z',
      watched_at_precision: 'time',
      lap: 1,
      private: false,
      score: null,
      user: await userNow(kiroku, 1),
      work: await workNow(kiroku, 1),
      episode: await episodeNow(kiroku, 1),
    })
    expect(made.user.records_count).toBe(1)
    expect((await json('/v1/records')).records).toEqual([made])
  })

  test('stores what is to be shared, and contacts nobody (D41)', () => {
    const kept = kiroku.store.handle.query('select share_twitter, share_facebook from records where id = 1')
    expect(kept.get()).toEqual({ share_twitter: 1, share_facebook: 0 })
  })

  test('several records of one episode are allowed (D35)', async () => {
    const ids = [(await record()).id, (await record()).id]
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) await remove(id)
  })

  test('accepts everything in the query, in a form and in multipart too (D6)', async () => {
    const params = { episode_id: '2', comment: '夜 & 星', rating_state: 'good' }
    const asked = [
      get(path + query(params), { method: 'POST' }),
      get(path, { method: 'POST', body: new URLSearchParams(params) }),
      get(path, { method: 'POST', body: formData(params) }),
    ]
    for (const answer of asked) {
      const made: Body = await (await answer).json()
      expect([made.comment, made.rating_state, made.episode.id]).toEqual(['夜 & 星', 'good', 2])
      await remove(made.id)
    }
  })

  test('fields works on the response too (D16)', async () => {
    expect(await record({ fields: 'comment,episode.title', comment: 'x' })).toEqual({
      comment: 'x',
      episode: { title: '庭のはじまり' },
    })
  })

  test('watched_at, an extension, is when it was watched; never in the future, nor in a year without four digits (D4)', async () => {
    const { created_at } = await record({ watched_at: '2026-03-30T23:30:00+09:00' })
    expect(created_at).toBe('2026-03-30T14:30:00.000Z')
    expect(await record({ watched_at: '2026-04-01T12:00:00Z' })).toMatchObject({
      created_at: '2026-04-01T12:00:00.000Z',
    })
    const said = await mio.refused('invalid_params', 'POST', path, {
      episode_id: 1,
      watched_at: '2026-04-01T12:00:00.001Z',
    })
    expect(said).toEqual(['watched_at must not be in the future.'])
    for (const watched_at of ['0000-01-01T00:00:00+09:00', '1899-12-31T23:59:59Z'])
      expect(await mio.refused('invalid_params', 'POST', path, { episode_id: 1, watched_at })).toEqual([
        'watched_at must not be before the year 1900.',
      ])
  })
})

describe.each(['PATCH', 'PUT'])('%s /v1/me/records/:id (D32)', (method) => {
  const change = (id: number, params: Params = {}): Promise<Body> => mio.done(method, `${path}/${id}`, params)

  test("refuses an unknown record and somebody else's", async () => {
    const { id } = await ritsu.done('POST', path, { episode_id: 1, comment: 'mine' })
    for (const other of [id, 999_999]) {
      expect(await mio.refused('not_found', method, `${path}/${other}`, { comment: 'x' })).toEqual([
        'The record does not exist.',
      ])
    }
    expect((await json(`/v1/records?filter_ids=${id}`)).records[0]).toMatchObject({
      comment: 'mine',
      is_modified: false,
    })
    for (const bad of ['0', 'x', '1.5', '-1', '1e3']) {
      expect(await mio.refused('invalid_params', method, `${path}/${bad}`, {})).toEqual([
        expect.stringMatching(/^id must /),
      ])
    }
  })

  test('the id in the path wins over any other (D6)', async () => {
    const [one, other] = [await record({ comment: 'one' }), await record({ comment: 'other' })]
    expect((await change(one.id, { id: other.id, comment: 'new' })).id).toBe(one.id)
    expect((await json(`/v1/records?filter_ids=${other.id}`)).records[0].comment).toBe('other')
  })

  test('changes only what is sent; is_modified is true from then on', async () => {
    const made = await record({ comment: 'a', rating: 4.5, share_facebook: true })
    clock.now += 60_000
    const first = await change(made.id, { comment: 'b' })
    expect(first).toEqual({
      ...made,
      comment: 'b',
      is_modified: true,
      user: first.user,
      episode: first.episode,
    })
    expect(await change(made.id)).toEqual(first)
    const bad = { ...first, rating_state: 'bad', score: null }
    expect(await change(made.id, { rating_state: 'bad' })).toEqual(bad)
    clock.now = start
  })

  test('even an edit without changes makes it modified', async () => {
    expect((await change((await record()).id)).is_modified).toBe(true)
  })

  test('a blank clears: the comment; the rating, keeping the state; the state, keeping the rating', async () => {
    const { id } = await record({ comment: 'a', rating: 4.5 })
    expect(await change(id, { comment: ' ' })).toMatchObject({
      comment: '',
      rating: 4.5,
      rating_state: 'great',
    })
    expect(await change(id, { rating: '' })).toMatchObject({ rating: null, rating_state: 'great' })
    expect(await change(id, { rating: 3 })).toMatchObject({ rating: 3, rating_state: 'average' })
    expect(await change(id, { rating_state: null })).toMatchObject({ rating: 3, rating_state: null })
    expect(await change(id, { rating: 5, rating_state: '' })).toMatchObject({ rating: 5, rating_state: null })
    expect(await change(id, { rating: '', rating_state: 'bad' })).toMatchObject({
      rating: null,
      rating_state: 'bad',
    })
  })

  test('a rating sent alone sets its state; 0 removes it (D33)', async () => {
    const { id } = await record({ rating_state: 'bad' })
    expect(await change(id, { rating: 4 })).toMatchObject({ rating: 4, rating_state: 'good' })
    expect(await change(id, { rating: 0 })).toMatchObject({ rating: 0, rating_state: null })
  })

  test('a flag or a time sent blank is cleared, like any other value (D32)', async () => {
    const { id } = await record({ share_twitter: true, watched_at: '2026-03-01T00:00:00Z' })
    const { created_at } = await change(id, { share_twitter: '', share_facebook: 'true', watched_at: ' ' })
    expect(created_at).toBe(new Date(kiroku.clock.now).toISOString())
    const kept = kiroku.store.handle.query<Body, [number]>(
      'select share_twitter, share_facebook from records where id = ?',
    )
    expect(kept.get(id)).toEqual({ share_twitter: 0, share_facebook: 1 })
  })

  test('an edit and a deletion at once: the edit is 404, because there is nothing left to return', async () => {
    const { id } = await record()
    const edit = mio.refused('not_found', method, `${path}/${id}`, { comment: '新しい' })
    const [said] = await Promise.all([edit, remove(id)])
    expect(said).toEqual(['The record does not exist.'])
  })

  test('simultaneous writes are each answered with their own record', async () => {
    const comments = Array.from({ length: 20 }, (_, n) => `その${n}`)
    const made: Body[] = await Promise.all(
      comments.map((comment, n) =>
        (n % 2 ? mio : ritsu).done('POST', path, { episode_id: 1 + (n % 3), comment }),
      ),
    )
    expect(made.map(({ comment, episode, user }) => [comment, episode.id, user.id])).toEqual(
      comments.map((comment, n) => [comment, 1 + (n % 3), n % 2 ? 1 : 2]),
    )
    const edited: Body[] = await Promise.all(
      made.map(({ id, user }) =>
        (user.id === 1 ? mio : ritsu).done(method, `${path}/${id}`, { comment: `${id}` }),
      ),
    )
    expect(edited.map(({ id, comment }) => [id, comment])).toEqual(made.map(({ id }) => [id, String(id)]))
  })

  test('accepts fields and the query, and an empty JSON body', async () => {
    const { id } = await record()
    const asked = `${path}/${id}?comment=c&fields=comment,is_modified`
    const response = await get(asked, { method, headers: { 'content-type': types.json } })
    expect(await response.json()).toEqual({ comment: 'c', is_modified: true })
  })

  test('a refused edit changes nothing at all', async () => {
    const { id } = await record({ comment: 'a' })
    await mio.refused('invalid_params', method, `${path}/${id}`, { comment: 'b', rating: 9 })
    expect((await json(`/v1/records?filter_ids=${id}`)).records[0]).toMatchObject({
      comment: 'a',
      is_modified: false,
    })
  })
})

describe('DELETE /v1/me/records/:id', () => {
  test("refuses an unknown record and somebody else's, which stays", async () => {
    const { id } = await ritsu.done('POST', path, { episode_id: 2 })
    await mio.refused('not_found', 'DELETE', `${path}/${id}`)
    await mio.refused('not_found', 'DELETE', `${path}/999999`)
    expect(idsOf(await json(`/v1/records?filter_ids=${id}`))).toEqual([id])
  })

  test('is 204 without a body, then 404; the id is never used again (D3)', async () => {
    const { id } = await record()
    const response = await get(`${path}/${id}`, { method: 'DELETE' })
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ])
    await mio.refused('not_found', 'DELETE', `${path}/${id}`)
    await mio.refused('not_found', 'PATCH', `${path}/${id}`, {})
    expect((await record()).id).toBeGreaterThan(id)
  })
})
