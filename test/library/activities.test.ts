import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf } from '../support/instance'
import { episodeNow, personOf, userNow, workNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { get, json } = kiroku
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

/** A record or review inside an activity: without the objects next to it (D25). */
function inside({ user, work, episode, ...own }: Body): Body {
  return own
}
const entry = async (list: string, id: number) =>
  inside((await json(`/v1/${list}?filter_ids=${id}`))[list][0])
const activity = async (id: number): Promise<Body> =>
  (await json('/v1/activities')).activities.find((one: Body) => one.id === id)
const common = async (id: number, action: string) => ({
  id,
  user: await userNow(kiroku, 2),
  work: await workNow(kiroku, 1),
  action,
  created_at: '2026-03-31T16:00:00.000Z',
})

describe('an activity (D25)', () => {
  test('create_record has the episode and the record', async () => {
    expect(await activity(2)).toEqual({
      ...(await common(2, 'create_record')),
      episode: await episodeNow(kiroku, 1),
      record: await entry('records', 2),
    })
    expect(Object.keys((await activity(2)).record)).toHaveLength(13)
  })

  test('create_review has the review', async () => {
    expect(await activity(3)).toEqual({
      ...(await common(3, 'create_review')),
      review: await entry('reviews', 2),
    })
  })

  test('create_status has the kind it was created with', async () => {
    expect(await activity(4)).toEqual({
      ...(await common(4, 'create_status')),
      status: { kind: 'watching' },
    })
  })

  test('create_multiple_records has an episode and a record each, in order', async () => {
    expect(await activity(5)).toEqual({
      ...(await common(5, 'create_multiple_records')),
      multiple_record: [
        { episode: await episodeNow(kiroku, 2), record: await entry('records', 3) },
        { episode: await episodeNow(kiroku, 6), record: await entry('records', 5) },
      ],
    })
  })

  test('fields reaches into the list', async () => {
    const fields = 'action,multiple_record.record.id,status'
    const { activities } = await json(`/v1/activities?filter_user_id=2&fields=${fields}`)
    expect(activities).toEqual([
      { action: 'create_record' },
      { action: 'create_review' },
      { action: 'create_status', status: { kind: 'watching' } },
      { action: 'create_multiple_records', multiple_record: [{ record: { id: 3 } }, { record: { id: 5 } }] },
    ])
  })

  test('shows the current record and user', async () => {
    const { id } = await ritsu.done('POST', '/v1/me/records', { episode_id: 1, comment: 'a' })
    await ritsu.done('PATCH', `/v1/me/records/${id}`, { comment: 'b', rating: 5 })
    const { activities } = await json('/v1/activities?sort_id=desc&per_page=1')
    expect(activities[0].record).toMatchObject({ id, comment: 'b', rating: 5, is_modified: true })
    expect(activities[0].user.records_count).toBe((await userNow(kiroku, 2)).records_count)
    await ritsu.done('DELETE', `/v1/me/records/${id}`)
  })
})

describe('GET /v1/activities', () => {
  const asked = async (query: string) => {
    const body = await json(`/v1/activities?${query}`)
    expect(body.total_count).toBe(idsOf(body).length)
    return idsOf(body)
  }

  test.each<[string, number[]]>([
    ['', [1, 2, 3, 4, 5, 6]],
    ['sort_id=desc', [6, 5, 4, 3, 2, 1]],
    ['filter_user_id=2', [2, 3, 4, 5]],
    ['filter_user_id=99', []],
    ['filter_username=RITSU_t', [2, 3, 4, 5]],
    ['filter_username=nobody', []],
    ['filter_username=mio&filter_user_id=1', [1]],
    ['filter_username=mio&filter_user_id=2', []],
    ['filter_actions=create_record', [1, 2, 6]],
    ['filter_actions=create_status,create_review', [3, 4]],
    ['filter_actions=,create_status,,create_status,', [4]],
    ['filter_actions=,', []],
    ['filter_actions=create_record&filter_username=Ritsu_T&sort_id=desc', [2]],
    ['filter_actions=create_record,create_status&filter_user_id=2', [2, 4]],
    ['filter_actions=create_record,create_review,create_multiple_records,create_status', [1, 2, 3, 4, 5, 6]],
  ])('?%s', async (query, ids) => {
    expect(await asked(query)).toEqual(ids)
  })

  test('refuses an unknown action, and invalid usernames and ids', async () => {
    for (const bad of [
      'create',
      'create_record,nothing',
      'CREATE_RECORD',
      'create_record;',
      ' create_record',
    ]) {
      const [said] = await mio.refused('invalid_params', 'GET', `/v1/activities?filter_actions=${bad}`)
      expect(said).toStartWith('filter_actions must be one or more of create_record, ')
    }
    for (const bad of ['filter_username=m-o', 'filter_user_id=0', 'filter_user_id=1,2']) {
      await mio.refused('invalid_params', 'GET', `/v1/activities?${bad}`)
    }
  })
})

describe('GET /v1/me/following_activities (D38)', () => {
  const path = '/v1/me/following_activities'
  const asked = async (query: string) => {
    const body = await json(`${path}?${query}`)
    expect(body.total_count).toBe(idsOf(body).length)
    return idsOf(body)
  }

  // mio follows Ritsu_T and azusa, and has muted azusa.
  test.each<[string, number[]]>([
    ['', [2, 3, 4, 5]],
    ['filter_muted=true', [2, 3, 4, 5]],
    ['filter_muted=%20', [2, 3, 4, 5]],
    ['filter_muted=false', [2, 3, 4, 5, 6]],
    ['filter_muted=false&sort_id=desc', [6, 5, 4, 3, 2]],
    ['filter_actions=create_record', [2]],
    ['filter_actions=create_record&filter_muted=false', [2, 6]],
    ['filter_actions=create_status,create_review&sort_id=desc', [4, 3]],
    ['filter_actions=,', []],
  ])('?%s', async (query, ids) => {
    expect(await asked(query)).toEqual(ids)
  })

  test('has pages in both directions', async () => {
    const pages = async (more: string) =>
      Promise.all(
        [1, 2, 3, 4].map(async (page) =>
          idsOf(await json(`${path}?per_page=2&page=${page}&filter_muted=false${more}`)),
        ),
      )
    expect(await pages('')).toEqual([[2, 3], [4, 5], [6], []])
    expect(await pages('&sort_id=desc')).toEqual([[6, 5], [4, 3], [2], []])
    expect(await json(`${path}?per_page=2&page=9`)).toMatchObject({
      total_count: 4,
      next_page: null,
      prev_page: 2,
    })
  })

  test('refuses an unknown action and an invalid flag', async () => {
    for (const bad of ['filter_actions=create', 'filter_muted=1', 'filter_muted=no', 'sort_id=up']) {
      expect(await mio.refused('invalid_params', 'GET', `${path}?${bad}`)).toHaveLength(1)
    }
  })

  test("never has the caller's own, and returns activities like /v1/activities", async () => {
    const [own] = (await ritsu.json(`${path}`)).activities
    expect([own.user.id, own.id]).toEqual([1, 1])
    const all = (await json('/v1/activities?filter_user_id=2')).activities
    expect((await json(path)).activities).toEqual(all)
    expect((await json(`${path}?fields=id`)).activities).toEqual(all.map(({ id }: Body) => ({ id })))
  })

  test('reflects follows, mutes and deletions from the next request on', async () => {
    const { id } = await ritsu.done('POST', '/v1/me/reviews', { work_id: 2, body: 'new' })
    const [{ id: newest }] = (await json('/v1/activities?sort_id=desc&per_page=1')).activities
    expect(await asked('')).toEqual([2, 3, 4, 5, newest])
    await mio.done('DELETE', '/v1/me/mutes', { username: 'azusa' })
    expect(await asked('')).toEqual([2, 3, 4, 5, 6, newest])
    await ritsu.done('DELETE', `/v1/me/reviews/${id}`)
    expect(await asked('')).toEqual([2, 3, 4, 5, 6])
    await mio.done('DELETE', '/v1/me/follows', { username: 'ritsu_t' })
    expect(await asked('')).toEqual([6])
    await mio.done('POST', '/v1/me/mutes', { username: 'azusa' })
    expect(await asked('')).toEqual([])
    await mio.done('POST', '/v1/me/follows', { username: 'ritsu_t' })
    expect(await asked('')).toEqual([2, 3, 4, 5])
  })

  test('HEAD is answered like GET', async () => {
    const { status, headers } = await get(path, { method: 'HEAD' })
    expect([status, Number(headers.get('content-length')) > 100]).toEqual([200, true])
  })
})
