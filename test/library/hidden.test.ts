import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, idsOf } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { json, store } = kiroku
const [mio, ritsu, azusa] = [
  await personOf(kiroku, 'mio'),
  await personOf(kiroku, 'Ritsu_T'),
  await personOf(kiroku, 'azusa'),
]
afterAll(kiroku.close)

const hide = (table: string, id: number, hidden = 1) =>
  store.handle.run(`update ${table} set hidden = ? where id = ?`, [hidden, id])
const ids = async (target: string) => idsOf(await json(target))

describe('a hidden work (D42)', () => {
  beforeEach(() => hide('works', 1))

  test('accepts no new record, review or status', async () => {
    for (const episode_id of [1, 2, 3, 4])
      await mio.refused('not_found', 'POST', '/v1/me/records', { episode_id })
    await mio.refused('not_found', 'POST', '/v1/me/records/bulk', { episode_ids: [6, 1] })
    await mio.refused('not_found', 'POST', '/v1/me/reviews', { work_id: 1, body: 'x' })
    for (const kind of ['watched', 'watching']) {
      await mio.refused('not_found', 'POST', '/v1/me/statuses', { work_id: 1, kind })
    }
  })

  test('disappears from works, episodes and programs', async () => {
    expect(await ids('/v1/works?filter_ids=1,2')).toEqual([2])
    expect(await ids('/v1/works?filter_title=星降る庭')).toEqual([])
    expect(await ids('/v1/episodes?filter_work_id=1')).toEqual([])
    expect(await ids('/v1/me/programs')).toEqual([3])
  })

  test('is still inside records, reviews, activities and the me/works of those who had it', async () => {
    const [record] = (await json('/v1/records?filter_ids=1')).records
    expect([record.work.title, record.episode.title]).toEqual(['星降る庭', '庭のはじまり'])
    expect((await json('/v1/reviews?filter_ids=1')).reviews[0].work.id).toBe(1)
    expect((await json('/v1/activities?filter_user_id=2')).activities[0].work.id).toBe(1)
    expect(await ids('/v1/me/works')).toEqual([1, 2, 3, 5, 9])
    expect(await ids('/v1/me/works?filter_status=watching&filter_season=2021-spring')).toEqual([1, 9])
    expect(await ids('/v1/me/works?filter_title=星降る庭')).toEqual([1])
    expect(await ids('/v1/records?filter_episode_id=1')).toEqual([1, 2])
    expect(await ids('/v1/records?filter_work_id=1')).toEqual([1, 2, 3, 6])
    expect(await ids('/v1/reviews?filter_work_id=1')).toEqual([1, 2])
    expect(await ids('/v1/me/following_activities')).toEqual([2, 3, 4, 5])
  })

  test('old records and reviews can still be edited, liked and deleted', async () => {
    expect(await mio.done('PATCH', '/v1/me/records/1', { comment: 'still' })).toMatchObject({
      comment: 'still',
    })
    expect(await mio.done('PATCH', '/v1/me/reviews/1', { body: 'still' })).toMatchObject({ body: 'still' })
    await mio.done('POST', '/v1/me/likes', { record_id: 2 })
    await mio.done('DELETE', '/v1/me/likes', { record_id: 2 })
    await azusa.done('DELETE', '/v1/me/records/6')
    expect(await ids('/v1/records?filter_work_id=1')).toEqual([1, 2, 3])
  })

  test('comes back completely', async () => {
    hide('works', 1, 0)
    expect(await ids('/v1/me/programs')).toEqual([1, 2, 3])
    const { id } = await mio.done('POST', '/v1/me/records', { episode_id: 3 })
    await mio.done('DELETE', `/v1/me/records/${id}`)
  })
})

describe('a hidden episode (D42)', () => {
  test('accepts no new record, and keeps its old ones', async () => {
    hide('works', 1, 0)
    hide('episodes', 2)
    await mio.refused('not_found', 'POST', '/v1/me/records', { episode_id: 2 })
    await mio.refused('not_found', 'POST', '/v1/me/records/bulk', { episode_ids: [2] })
    expect(await ids('/v1/episodes?filter_work_id=1')).toEqual([1, 3, 4])
    expect(await ids('/v1/records?filter_episode_id=2')).toEqual([3])
    expect((await json('/v1/records?filter_ids=3')).records[0].episode.title).toBe('夜')
    expect(await ids('/v1/me/programs')).toEqual([1, 3])
    hide('episodes', 2, 0)
  })
})

describe('deleting (D42)', () => {
  const count = (table: string) =>
    store.handle.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n ?? 0
  const counts = () => ['likes', 'notifications', 'activities', 'activity_records'].map(count)

  test('a record deletes its likes, notifications and activities', async () => {
    const before = counts()
    const { id } = await mio.done('POST', '/v1/me/records', { episode_id: 1, comment: 'x' })
    await ritsu.done('POST', '/v1/me/likes', { record_id: id })
    // Muted by mio, who is not told of it.
    await azusa.done('POST', '/v1/me/likes', { record_id: id })
    await mio.done('POST', '/v1/me/likes', { record_id: id })
    const [likes = 0, notifications = 0, activities = 0, more] = before
    expect(counts()).toEqual([likes + 3, notifications + 1, activities + 1, more ?? 0])
    const unread = (await json('/v1/me')).notifications_count
    await mio.done('DELETE', `/v1/me/records/${id}`)
    expect(counts()).toEqual(before)
    expect((await json('/v1/me')).notifications_count).toBe(unread - 1)
  })

  test('a review does so too', async () => {
    const before = counts()
    const { id } = await mio.done('POST', '/v1/me/reviews', { work_id: 1, body: 'x' })
    await ritsu.done('POST', '/v1/me/likes', { review_id: id })
    await mio.done('DELETE', `/v1/me/reviews/${id}`)
    expect(counts()).toEqual(before)
  })

  test('an activity about several records is deleted with the last of them', async () => {
    const told = async () =>
      (await json('/v1/activities?filter_actions=create_multiple_records')).activities.map(
        ({ multiple_record }: { multiple_record: object[] }) => multiple_record.length,
      )
    expect(await told()).toEqual([2])
    await ritsu.done('DELETE', '/v1/me/records/5')
    expect(await told()).toEqual([1])
    await ritsu.done('DELETE', '/v1/me/records/3')
    expect(await told()).toEqual([])
    expect(await ids('/v1/me/following_activities')).toEqual([2, 3, 4])
  })
})
