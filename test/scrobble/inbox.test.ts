import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { deliveriesMs, sweepDeliveries } from '../../src/scrobble/deliveries'
import type { Body } from '../support/instance'
import { firstPlay as first, type PlayedInstance, playedInstance } from './played'

let played: PlayedInstance
beforeAll(async () => {
  played = await playedInstance()
})
afterAll(() => played.kiroku.close())
beforeEach(() => played.forget())

const long = (season: number, episode: number) => ({ ids: { tmdb: 200 }, title: '長い物語', season, episode })

test('one choice records all that waits and places all that comes; its undo forgets it', async () => {
  const url = await played.address()
  for (const episode of [1, 2, 3]) expect((await played.told(url, long(2, episode))).reason).toBe('numbering')
  await played.told(url, long(3, 1))
  const { series } = await played.kiroku.json('/v1/me/inbox')
  expect(series).toMatchObject([
    { season: 3, plays: 1 },
    {
      title: '長い物語',
      season: 2,
      plays: 3,
      first_episode: 1,
      last_episode: 3,
      proposals: [{ work_id: 10 }],
    },
  ])
  const chosen = await played.api('PATCH', `/v1/me/inbox/${series[1].id}`, {
    work_id: 10,
    episode_offset: 32,
  })
  const { act_id, ...placed }: Body = await chosen.json()
  expect([chosen.status, placed, played.numbers()]).toEqual([200, { recorded: 3 }, [33, 34, 35]])
  expect(await played.told(url, long(2, 4))).toMatchObject({ result: 'recorded', work_id: 10, episode: 36 })
  expect((await played.told(url, { title: '長い物語', season: 2, episode: 5 })).episode).toBe(37)
  expect((await played.told(url, long(3, 2))).reason).toBe('numbering')
  expect(played.all(`select kind, count from acts where id = ${act_id}`)).toEqual([
    { kind: 'play', count: 3 },
  ])
  const { deliveries } = await played.kiroku.json('/v1/me/deliveries')
  const old = deliveries.find(({ episode }: Body) => episode === 33)
  expect((await played.api('POST', `/v1/me/deliveries/${old.id}/undo`)).status).toBe(204)
  expect([played.numbers(), played.all('select source_id from list_choices')]).toEqual([[36, 37], []])
  expect((await played.kiroku.json('/v1/me/inbox')).series).toMatchObject([{ plays: 2 }, { plays: 3 }])
})

test('a choice must be of a work that there is, and of one’s own series', async () => {
  const url = await played.address()
  const { delivery_id } = await played.told(url, long(2, 1))
  const path = `/v1/me/inbox/${delivery_id}`
  expect((await played.api('PATCH', path, { work_id: 999 })).status).toBe(404)
  expect((await played.api('PATCH', path, { work_id: 10, decision: 'skip' })).status).toBe(400)
  expect((await played.api('PATCH', path, { work_id: 10, episode_offset: 1.5 })).status).toBe(400)
  const other = { headers: { Authorization: `Bearer ${await played.kiroku.tokenOf('ritsu', 'read write')}` } }
  for (const one of [`${path}?work_id=10`, `/v1/me/deliveries/${delivery_id}/undo`]) {
    const method = one.includes('inbox') ? 'PATCH' : 'POST'
    expect((await played.kiroku.ask(one, { ...other, method })).status).toBe(404)
  }
  const theirs: Body = await (await played.kiroku.ask('/v1/me/deliveries', other)).json()
  expect(theirs.deliveries).toEqual([])
})

test('a series that is left out is ignored, in every season', async () => {
  const url = await played.address()
  const { delivery_id } = await played.told(url, long(2, 1))
  await played.api('PATCH', `/v1/me/inbox/${delivery_id}`, { decision: 'skip' })
  expect((await played.kiroku.json('/v1/me/inbox')).series).toEqual([])
  expect((await played.told(url, long(1, 1))).reason).toBe('left_out')
  expect(
    (await played.told(url, { ids: { tmdb: 100 }, title: '長い物語', season: 1, episode: 1 })).reason,
  ).not.toBe('left_out')
})

test('a delivery is decided again once its series is placed', async () => {
  const url = await played.address()
  const one = await played.told(url, long(2, 1))
  played.kiroku.store.handle.run(
    "insert into list_choices (user_id, source, source_id, work_id, episode_offset) values (1, 'series', 'tmdb:200/season/2', 10, 32)",
  )
  const again: Body = await (await played.api('POST', `/v1/me/deliveries/${one.delivery_id}/again`)).json()
  expect(again).toMatchObject({ result: 'recorded', rule: 'taught', work_id: 10, episode: 33, reason: null })
  await played.api('POST', `/v1/me/deliveries/${one.delivery_id}/again`)
  expect(played.numbers()).toEqual([33])
})

test('what a hook recorded since a time is taken back together', async () => {
  const url = await played.address()
  for (const episode of [1, 2]) await played.told(url, { ids: { mal: 1001 }, episode })
  played.kiroku.clock.now += 2 * 86_400_000
  for (const episode of [3, 4, 5]) await played.told(url, { ids: { mal: 1001 }, episode })
  const { id } = played.all('select id from hooks')[0]
  expect(await (await played.api('POST', `/v1/me/hooks/${id}/undo`)).json()).toEqual({ undone: 3, left: 0 })
  expect(played.numbers()).toEqual([1, 2])
  const since = { since: '2020-01-01' }
  expect(await (await played.api('POST', `/v1/me/hooks/${id}/undo`, since)).json()).toEqual({
    undone: 2,
    left: 0,
  })
  expect([played.numbers(), played.all('select kind from statuses')]).toEqual([[], []])
})

test('deliveries are kept for 30 days, by whoever plays on and by the sweep, and their bodies for the last 100', async () => {
  const url = await played.address()
  for (let at = 0; at < 105; at += 1)
    await played.told(url, { title: 'どこにもない', season: 1, episode: at + 1 })
  expect(played.all('select count(*) as n from deliveries where body is not null')).toEqual([{ n: 100 }])
  played.kiroku.clock.now += deliveriesMs + 1000
  expect((await played.kiroku.json('/v1/me/deliveries')).total_count).toBe(0)
  await played.told(url, first)
  expect(played.all('select count(*) as n from deliveries')).toEqual([{ n: 96 }])
  await sweepDeliveries(played.kiroku.deps)
  expect(played.all('select count(*) as n from deliveries')).toEqual([{ n: 1 }])
})
