import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf, itemsOf } from '../support/instance'
import { personOf, workNow } from '../support/people'

const kiroku = await createInstance()
const { get, json } = kiroku
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

const path = '/v1/me/statuses'
const kinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching']
const set = (work_id: number, kind: string, who = mio) => who.done('POST', path, { work_id, kind })
const shown = async (): Promise<[number, string][]> =>
  itemsOf(await json('/v1/me/works')).map(({ id, status }) => [id, status.kind])
const told = async (): Promise<string[]> =>
  itemsOf(await json('/v1/activities?filter_username=mio')).map(({ status }) => status.kind)
const counts = async (): Promise<Record<string, number>> => {
  const me = await json('/v1/me')
  return Object.fromEntries(kinds.map((kind) => [kind, me[`${kind}_count`]]).filter(([, count]) => count > 0))
}

beforeEach(() => {
  for (const table of ['statuses', 'records', 'activities']) kiroku.store.handle.run(`delete from ${table}`)
})

describe('POST /v1/me/statuses (D36)', () => {
  test('refuses an unknown, a hidden and a missing work, and another kind', async () => {
    for (const [work_id, kind] of [
      [99, 'watching'],
      [99, 'no_select'],
      [9, 'watching'],
    ]) {
      expect(await mio.refused('not_found', 'POST', path, { work_id, kind })).toEqual([
        'The work does not exist.',
      ])
    }
    expect(await mio.refused('invalid_params', 'POST', path, {})).toEqual([
      'work_id is required.',
      'kind is required.',
    ])
    for (const kind of ['Watching', 'want', 'none', 1, true]) {
      expect(await mio.refused('invalid_params', 'POST', path, { work_id: 1, kind })).toEqual([
        'kind must be one of wanna_watch, watching, watched, on_hold, stop_watching, no_select.',
      ])
    }
    expect([await shown(), await told()]).toEqual([[], []])
  })

  test.each(kinds)('%s may follow every kind and itself; only a change creates an activity', async (kind) => {
    for (const before of kinds) {
      await set(1, before)
      await set(1, kind)
      expect([await shown(), await counts()]).toEqual([[[1, kind]], { [kind]: 1 }])
      expect(await told()).toEqual(before === kind ? [kind] : [before, kind])
      await set(1, 'no_select')
      kiroku.store.handle.run('delete from activities')
    }
  })

  test('is 204 without a body', async () => {
    const response = await get(`${path}?work_id=1&kind=watched`, { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('setting the same kind again changes nothing and creates no activity', async () => {
    await set(1, 'watching')
    const before = kiroku.store.handle.query('select * from statuses').all()
    kiroku.clock.now += 60_000
    await set(1, 'watching')
    expect(kiroku.store.handle.query('select * from statuses').all()).toEqual(before)
    expect(await told()).toEqual(['watching'])
  })

  test('the status of a work that was hidden since can be removed too (D42)', async () => {
    await set(1, 'watching')
    const hide = (hidden: number) =>
      kiroku.store.handle.run('update works set hidden = ? where id = 1', [hidden])
    hide(1)
    await set(1, 'no_select')
    hide(0)
    expect(await shown()).toEqual([])
  })

  test('no_select removes the status without an activity; without a status it does nothing', async () => {
    await set(1, 'no_select')
    await set(1, 'watched')
    await set(1, 'no_select')
    await set(1, 'no_select')
    expect([await shown(), await counts(), await told()]).toEqual([[], {}, ['watched']])
  })

  test('the activity keeps the kind it was created with, after the status was changed or removed', async () => {
    await set(1, 'wanna_watch')
    await set(1, 'watched')
    await set(1, 'no_select')
    expect(await told()).toEqual(['wanna_watch', 'watched'])
  })

  test('watchers_count counts wanna_watch, watching and watched (D37)', async () => {
    const watchers = async () => (await workNow(kiroku, 4)).watchers_count
    const seen = []
    for (const kind of [...kinds, 'no_select']) {
      await set(4, kind)
      seen.push(await watchers())
    }
    expect(seen).toEqual([1, 1, 1, 0, 0, 0])
    await set(4, 'watched')
    await set(4, 'wanna_watch', ritsu)
    expect(await watchers()).toBe(2)
  })

  test('recording an episode does not change the status', async () => {
    await set(1, 'wanna_watch')
    await mio.done('POST', '/v1/me/records', { episode_id: 1 })
    await mio.done('POST', '/v1/me/records', { episode_id: 6 })
    await mio.done('POST', '/v1/me/records/bulk', { episode_ids: '2,3' })
    expect(await shown()).toEqual([[1, 'wanna_watch']])
  })
})

describe('GET /v1/me/works (D37)', () => {
  const chosen: [number, string][] = [
    [1, 'watching'],
    [2, 'watched'],
    [5, 'watching'],
    [6, 'on_hold'],
    [7, 'wanna_watch'],
    [8, 'stop_watching'],
  ]
  const first = { kind: 'watching', started_on: null, finished_on: null, private: false, score: null }
  const ids = async (query: string) => idsOf(await json(`/v1/me/works?${query}`))

  beforeEach(async () => {
    for (const [work, kind] of chosen) await set(work, kind)
    await set(3, 'watched')
    await set(3, 'no_select')
    await set(4, 'watched', ritsu)
    await set(1, 'watched', ritsu)
  })

  test("returns the caller's works with their statuses, nobody else's", async () => {
    const body = await json('/v1/me/works')
    expect(body).toMatchObject({ total_count: 6, next_page: null, prev_page: null })
    expect(await shown()).toEqual(chosen)
    expect(body.works[0]).toEqual({ ...(await workNow(kiroku, 1)), status: first })
    expect(idsOf(await ritsu.json('/v1/me/works'))).toEqual([1, 4])
  })

  test.each(kinds)('filter_status=%s narrows to that', async (kind) => {
    const found = chosen.filter(([, of]) => of === kind).map(([id]) => id)
    const body = await json(`/v1/me/works?filter_status=${kind}&per_page=1`)
    expect([body.total_count, body.works.every((work: Body) => work.status.kind === kind)]).toEqual([
      found.length,
      true,
    ])
    expect(await ids(`filter_status=${kind}`)).toEqual(found)
  })

  test('no_select is not a filter', async () => {
    for (const kind of ['no_select', 'Watching', 'watching,watched']) {
      expect(await mio.refused('invalid_params', 'GET', `/v1/me/works?filter_status=${kind}`)).toHaveLength(1)
    }
  })

  test('has the filters and sorts of works, all at once', async () => {
    expect(await ids('filter_ids=1,3,4,8')).toEqual([1, 8])
    expect(await ids('filter_season=2021-all&sort_id=desc')).toEqual([8, 2, 1])
    expect(await ids('filter_season=2020-autumn&filter_status=watching')).toEqual([5])
    expect(await ids('filter_title=恋')).toEqual([5, 6])
    expect(await ids('filter_title=恋&filter_status=on_hold&filter_ids=6,7')).toEqual([6])
    expect(await ids('sort_season=desc')).toEqual([7, 8, 1, 2, 5, 6])
  })

  test('sorts by the current number of watchers', async () => {
    const watchers = async (id: number) => (await workNow(kiroku, id)).watchers_count
    const found = await ids('sort_watchers_count=desc')
    const counted = await Promise.all(found.map(watchers))
    expect(counted).toEqual(counted.toSorted((one, other) => other - one))
  })

  test('fields selects the status too', async () => {
    expect((await json('/v1/me/works?fields=id,status.kind&per_page=1')).works).toEqual([
      { id: 1, status: { kind: 'watching' } },
    ])
    expect((await json('/v1/me/works?fields=status&per_page=1')).works).toEqual([{ status: first }])
  })
})
