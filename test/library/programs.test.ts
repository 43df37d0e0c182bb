import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf, query } from '../support/instance'
import { episodeNow, personOf, workNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { json, store } = kiroku
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
afterAll(kiroku.close)

const path = '/v1/me/programs'
const ids = async (params: Record<string, string> = {}) => {
  const body = await json(path + query(params))
  expect(body.total_count).toBe(idsOf(body).length)
  return idsOf(body)
}

// Programs 1 to 3 start on 31 March, 1 April and 2 April 2026 at 12:00 UTC; mio has recorded episode 1.
describe('GET /v1/me/programs (D39)', () => {
  test('returns a program as it is, with an episode or null', async () => {
    const { programs } = await json(path)
    expect(programs[1]).toEqual({
      id: 2,
      started_at: '2026-04-01T12:00:00.000Z',
      is_rebroadcast: true,
      estimated: false,
      channel: { id: 2, name: '大阪局' },
      work: await workNow(kiroku, 1),
      episode: await episodeNow(kiroku, 2),
    })
    expect(programs[2]).toMatchObject({ is_rebroadcast: false, episode: null })
    const { programs: selected } = await json(`${path}?fields=channel.name,episode.title`)
    expect(selected).toEqual([
      { channel: { name: '東京局' }, episode: { title: '庭のはじまり' } },
      { channel: { name: '大阪局' }, episode: { title: '夜' } },
      { channel: { name: '東京局' }, episode: null },
    ])
  })

  test("returns only programs of the caller's works: wanna_watch and watching", async () => {
    expect(await ids()).toEqual([1, 2, 3])
    expect((await azusa.json(path)).programs).toEqual([])
    for (const [kind, shown] of [
      ['watched', [3]],
      ['on_hold', [3]],
      ['stop_watching', [3]],
      ['no_select', [3]],
      ['wanna_watch', [1, 2, 3]],
      ['watching', [1, 2, 3]],
    ] as const) {
      await mio.done('POST', '/v1/me/statuses', { work_id: 1, kind })
      expect([kind, await ids()]).toEqual([kind, [...shown]])
    }
  })

  test('is ordered by start, unless sorted', async () => {
    store.handle.run('update programs set started_at = started_at - 864000000 where id = 3')
    expect(await ids()).toEqual([3, 1, 2])
    expect(await ids({ sort_started_at: 'desc' })).toEqual([2, 1, 3])
    expect(await ids({ sort_started_at: 'asc' })).toEqual([3, 1, 2])
    expect(await ids({ sort_id: 'asc' })).toEqual([1, 2, 3])
    expect(await ids({ sort_id: 'desc', sort_started_at: 'asc' })).toEqual([3, 2, 1])
    store.handle.run('update programs set started_at = started_at + 864000000 where id = 3')
    store.handle.run(
      'update programs set started_at = (select started_at from programs where id = 1) where id = 2',
    )
    expect(await ids()).toEqual([1, 2, 3])
    expect(await ids({ sort_started_at: 'desc' })).toEqual([3, 1, 2])
    store.handle.run('update programs set started_at = started_at + 86400000 where id = 2')
  })

  test.each<[Record<string, string>, number[]]>([
    [{ filter_ids: '3,1,4,6' }, [1, 3]],
    [{ filter_channel_ids: '2' }, [2]],
    [{ filter_channel_ids: '1,2,99' }, [1, 2, 3]],
    [{ filter_channel_ids: ',' }, []],
    [{ filter_work_ids: '2,8' }, [3]],
    [{ filter_work_ids: '1', filter_channel_ids: '1' }, [1]],
    [{ filter_rebroadcast: 'true' }, [2]],
    [{ filter_rebroadcast: 'false' }, [1, 3]],
    [{ filter_unwatched: 'true' }, [2, 3]],
    [{ filter_unwatched: 'false' }, [1, 2, 3]],
    [{ filter_unwatched: 'true', filter_rebroadcast: 'false', sort_id: 'desc' }, [3]],
    [{ filter_ids: '1,2', filter_work_ids: '1', filter_channel_ids: '1', filter_unwatched: 'false' }, [1]],
  ])('%j', async (params, found) => {
    expect(await ids(params)).toEqual(found)
  })

  test('filter_unwatched uses the caller’s current records', async () => {
    const { id } = await azusa.done('POST', '/v1/me/records', { episode_id: 2 })
    expect(await ids({ filter_unwatched: 'true' })).toEqual([2, 3])
    const own = await mio.done('POST', '/v1/me/records', { episode_id: 2 })
    expect(await ids({ filter_unwatched: 'true' })).toEqual([3])
    await mio.done('DELETE', `/v1/me/records/${own.id}`)
    await azusa.done('DELETE', `/v1/me/records/${id}`)
    expect(await ids({ filter_unwatched: 'true' })).toEqual([2, 3])
  })
})

describe('the channels the caller has chosen (D39)', () => {
  beforeEach(() => store.handle.run('delete from user_channels'))

  test('are the only ones used; without any, all are', async () => {
    await mio.done('POST', '/v1/me/channels', { channel_id: 2 })
    expect(await ids()).toEqual([2])
    await mio.done('POST', '/v1/me/channels', { channel_id: 1 })
    expect(await ids()).toEqual([1, 2, 3])
    await mio.done('DELETE', '/v1/me/channels', { channel_id: 2 })
    expect(await ids()).toEqual([1, 3])
    expect(await ids({ filter_channel_ids: '2' })).toEqual([])
    await mio.done('DELETE', '/v1/me/channels', { channel_id: 1 })
    expect(await ids()).toEqual([1, 2, 3])
  })

  test('no longer count when hidden: whoever chose no other has chosen none, and sees all shown ones', async () => {
    await mio.done('POST', '/v1/me/channels', { channel_id: 2 })
    store.handle.run('update channels set hidden = 1 where id = 2')
    expect(await ids()).toEqual([1, 3])
    await mio.done('POST', '/v1/me/channels', { channel_id: 1 })
    expect(await ids()).toEqual([1, 3])
    store.handle.run('update channels set hidden = 0 where id = 2')
  })

  test('hide no first broadcast whose station nobody knows, which cannot be chosen (D81)', async () => {
    const stationOf = (id: number) =>
      `insert into external_ids (kind, ns, external_id, local_id) values ('channel', 'site', 'broadcast', ${id})`
    store.handle.run(stationOf(2))
    await mio.done('POST', '/v1/me/channels', { channel_id: 1 })
    expect(await ids()).toEqual([1, 2, 3])
    const { channels } = await json('/v1/me/channels')
    expect(idsOf({ channels })).not.toContain(2)
    await mio.done('DELETE', '/v1/me/channels', { channel_id: 1 })
    store.handle.run('insert into user_channels (user_id, channel_id) select id, 2 from users')
    expect(await ids()).toEqual([1, 2, 3])
    store.handle.run("delete from external_ids where kind = 'channel' and external_id = 'broadcast'")
  })

  test('are not affected by somebody else’s choice', async () => {
    await azusa.done('POST', '/v1/me/channels', { channel_id: 2 })
    expect(await ids()).toEqual([1, 2, 3])
  })
})

describe('filter_started_at_gt and _lt (D11)', () => {
  test.each<[gt: string, lt: string, number[]]>([
    ['2026/04/01 12:00', '', [2, 3]],
    ['2026/04/01 12:01', '', [3]],
    ['2026/04/01 11:59', '', [2, 3]],
    ['', '2026/04/01 12:00', [1, 2]],
    ['', '2026/04/01 11:59', [1]],
    ['2026/04/01 12:00', '2026/04/01 12:00', [2]],
    ['2026/04/02 12:00', '2026/03/31 12:00', []],
    ['2026-04-01', '', [2, 3]],
    ['2026/04/01', '2026/04/02', [2]],
    ['2026-04-02', '', [3]],
    ['2026-04-01T12:00:00Z', '2026-04-01T12:00:00.000Z', [2]],
    ['2026-04-01T21:00:00+09:00', '2026-04-01T21:00+09:00', [2]],
    ['2026-04-01T07:00:00-05:00', '2026-04-01T12:00:00.000999Z', [2]],
    ['2026-04-01T12:00:00.001Z', '', [3]],
    ['2026-04-01T21:00:00+0900', '2026-04-01T21:00:00+09', [2]],
    ['2026-04-01t12:00:00z', '20260401T120000Z', [2]],
    ['20260401T210000+0900', '2026-04-01T12:00:00,5Z', [2]],
    ['0001/01/01 00:00', '9999/12/31 23:59', [1, 2, 3]],
    ['2024/02/29 00:00', '2026-04-01', [1]],
    ['2026-04-01 12:00', '2026-04-01 12:00:00', [2]],
    ['2026/04/01 12:00:00', '2026/04/01 12:00:00.999', [2]],
    ['2026-04-01T12:00', '2026-04-01T12:00:00', [2]],
    ['2026/04/01T12:00:00.000', '2026/04/01t12:00', [2]],
    ['2026-04-01 12:00:01', '', [3]],
    ['2026-04-01 12:00:00.123456', '', [3]],
    ['2026/04/01 21:00+09:00', '2026/04/01T12:00Z', [2]],
    ['2026-04-01 21:00:00 +0900', '2026-04-01 12:00:00+00:00', [2]],
  ])(
    'from %j to %j, both inclusive; UTC without a zone (D119)',
    async (filter_started_at_gt, filter_started_at_lt, found) => {
      expect(await ids({ filter_started_at_gt, filter_started_at_lt })).toEqual(found)
    },
  )

  test.each([
    ...['2026/02/30 12:00', '2026/04/31', '2025-02-29', '2026/13/01 00:00', '2026/00/10', '2026-04-00'],
    ...['2026/04/01 24:00', '2026/04/01 12:60', '2026/04/01 12', '2026/04/01 12:00:60', '2026/4/1 12:00'],
    ...['2026/04-01', '2026-04/01', '2026/04-01 12:00', '2026-04-01  12:00', '20260401'],
    ...['2026-04-01 12:00:', '2026-04-01 12:00:00.', '2026-04-01 12:00 ', '2026-04-01 Z', '2026-04-01 24:00'],
    ...['2026-04-01T25:00:00Z', '2026-04-01T12:00:60Z', '2026-04-01T24:00:00Z'],
    ...[
      '2026-02-30T00:00:00Z',
      '2026-04-01T12:00:00+24:00',
      '2026-04-01T12:00:00+9',
      '2026-04-01T12:00:00+09:0',
      '2026-04-01T1200:00Z',
      '202604-01T120000Z',
      '2026-04-01T12:00:00 09:00',
    ],
    ...[
      '1775044800',
      'now',
      '２０２６/04/01 12:00',
      ' 2026/04/01 12:00',
      '2026/04/01 12:00\n',
      '-2026/04/01',
    ],
    ...['10000/01/01 00:00', '+012026-04-01T12:00:00Z'],
  ])('%j is refused', async (odd) => {
    for (const name of ['filter_started_at_gt', 'filter_started_at_lt']) {
      const said = await mio.refused('invalid_params', 'GET', path + query({ [name]: odd }))
      const rule = 'must be a date and time, such as 2026/04/01 12:00 (UTC if there is no zone), or a date'
      expect(said).toEqual([`${name} ${rule}.`])
    }
  })
})

test('a program calculated from dates says so', async () => {
  kiroku.store.handle.run('update programs set estimated = 1 where id = 1')
  const { programs }: Body = await kiroku.json('/v1/me/programs?filter_ids=1,2')
  expect(programs.map(({ id, estimated }: Body) => [id, estimated])).toEqual([
    [1, true],
    [2, false],
  ])
})
