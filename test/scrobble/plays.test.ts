import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Body } from '../support/instance'
import { firstPlay as first, type PlayedInstance, playedInstance } from './played'

let played: PlayedInstance
beforeAll(async () => {
  played = await playedInstance()
})
afterAll(() => played.kiroku.close())
beforeEach(() => played.forget())

test('a play is quiet, sets watching and nothing else, and is one act that undo takes back', async () => {
  const url = await played.address()
  const { delivery_id } = await played.told(url, first)
  expect([
    played.numbers(),
    played.all('select kind from statuses'),
    played.all('select id from activities'),
  ]).toEqual([[1], [{ kind: 'watching' }], []])
  expect(played.all('select kind, count from acts')).toEqual([{ kind: 'play', count: 1 }])
  const undone = await played.api('POST', `/v1/me/deliveries/${delivery_id}/undo`)
  expect([undone.status, played.numbers(), played.all('select kind from statuses')]).toEqual([204, [], []])
  expect((await played.api('POST', `/v1/me/deliveries/${delivery_id}/undo`, {})).status).toBe(204)
  for (const kind of ['watched', 'on_hold', 'stop_watching']) {
    played.kiroku.store.handle.run('delete from records; delete from statuses')
    played.kiroku.store.handle.run(
      `insert into statuses (user_id, work_id, kind, changed_at) values (1, 1, '${kind}', 1)`,
    )
    await played.told(url, { ...first, episode: 2 })
    expect(played.all('select kind from statuses')).toEqual([{ kind }])
  }
})

test('an address can tell followers, or leave the status alone', async () => {
  await played.told(await played.address({ activity: true }), first)
  expect(played.all('select action from activities order by 1').map(({ action }) => action)).toEqual([
    'create_record',
    'create_status',
  ])
  played.kiroku.store.handle.run('delete from statuses')
  await played.told(await played.address({ setStatus: false }), { ...first, episode: 2 })
  expect(played.all('select kind from statuses')).toEqual([])
})

test('a record by hand within 12 hours makes it a duplicate, a later play is a second one', async () => {
  const url = await played.address()
  const episode = played.all("select id from episodes where work_id = 1 and number = '1'")[0].id
  await played.api('POST', '/v1/me/records', { episode_id: episode })
  expect((await played.told(url, first)).result).toBe('duplicate')
  played.kiroku.clock.now += 13 * 3_600_000
  expect((await played.told(url, first)).result).toBe('recorded')
  expect(played.numbers()).toEqual([1, 1])
})

test('episode 1 of a watched work begins its next lap (D63)', async () => {
  const url = await played.address()
  await played.told(url, first)
  played.kiroku.store.handle.run("update statuses set kind = 'watched'")
  played.kiroku.clock.now += 24 * 3_600_000
  const { delivery_id } = await played.told(url, first)
  expect(played.all('select lap from records order by id').map(({ lap }) => lap)).toEqual([1, 2])
  await played.api('POST', `/v1/me/deliveries/${delivery_id}/undo`)
  expect([played.all('select lap from records'), played.all('select id from laps')]).toEqual([
    [{ lap: 1 }],
    [],
  ])
})

test('a film is a viewing (D60) and becomes watched', async () => {
  const url = await played.address()
  expect(await played.told(url, { ids: { tmdb: 600 } })).toMatchObject({
    result: 'recorded',
    work_id: 20,
    episode: null,
  })
  expect(played.all('select body, watched_at_precision from reviews')).toEqual([
    { body: '', watched_at_precision: 'time' },
  ])
  expect(played.all('select kind from statuses')).toEqual([{ kind: 'watched' }])
  expect((await played.told(url, { ids: { tmdb: 600 } })).result).toBe('duplicate')
})

test('the player’s time is kept unless it cannot be right', async () => {
  const url = await played.address()
  const at = async (episode: number, watched_at: string) => {
    await played.told(url, { ids: { mal: 1001 }, episode, watched_at })
    return played.all('select watched_at from records order by id desc limit 1')[0].watched_at
  }
  const now = played.kiroku.clock.now
  expect(await at(1, '2024-01-02T03:04:05Z')).toBe(Date.UTC(2024, 0, 2, 3, 4, 5))
  expect(await at(2, '1999-12-31T23:59:59Z')).toBe(now)
  expect(await at(3, new Date(now + 6 * 60_000).toISOString())).toBe(now)
  expect(await at(4, new Date(now + 4 * 60_000).toISOString())).toBe(now)
  expect(await at(5, 'yesterday')).toBe(now)
})

test('from the 51st report in a minute on, a time that is not sent is unknown', async () => {
  const url = await played.address()
  for (let episode = 1; episode <= 52; episode += 1) await played.told(url, { ids: { mal: 1010 }, episode })
  const precisions = played.all('select watched_at_precision as p from records order by id').map(({ p }) => p)
  expect(precisions.slice(48)).toEqual(['time', 'time', 'none', 'none'])
})

test('a dry run tells and writes nothing', async () => {
  expect(await played.told(await played.address({ dryRun: true }), first)).toMatchObject({
    ...{ result: 'recorded', work_id: 1, episode: 1, dry_run: true },
  })
  expect([played.numbers(), played.all('select id from acts')]).toEqual([[], []])
})

test('only the user of the player is taken, in any case, and who spoke first is proposed', async () => {
  const url = await played.address({ playerUser: 'Hana' })
  expect((await played.told(url, { ...first, user: 'kei' })).reason).toBe('user')
  expect((await played.told(url, { ...first, user: 'hana' })).result).toBe('recorded')
  const open = await played.address()
  await played.told(open, { ...first, user: 'kei' })
  const { hooks } = await played.kiroku.json('/v1/me/hooks')
  expect(hooks.map((hook: Body) => [hook.player_user, hook.heard_user])).toEqual([
    ['Hana', 'kei'],
    ['', 'kei'],
  ])
})

test('what a player records is private if its person prefers that (D72)', async () => {
  const { handle } = played.kiroku.store
  const url = await played.address()
  const marks = () =>
    ['records', 'reviews', 'statuses'].map((table) =>
      played.all(`select private as p from ${table} order by work_id, 1`).map(({ p }) => p),
    )
  await played.told(url, first)
  handle.run('update users set private_by_default = 1 where id = 1')
  await played.told(url, { ...first, episode: 2 })
  await played.told(url, { ids: { tmdb: 600 } })
  handle.run('update users set private_by_default = 0')
  expect(marks()).toEqual([[0, 1], [1], [0, 1]])
})

test('a list that is complete does not grow, whatever was chosen for its season', async () => {
  const { handle } = played.kiroku.store
  const url = await played.address()
  handle.run('update episodes set estimated = 0, source_id = 1 where work_id = 1')
  handle.run(
    "insert into list_choices (user_id, source, source_id, work_id, episode_offset) values (1, 'series', 'tmdb:300/season/2', 1, 10)",
  )
  const second = (episode: number, episode_end = episode) =>
    played.told(url, { title: '別の話', ids: { tmdb: 300 }, season: 2, episode, episode_end })
  expect(await second(2, 3)).toMatchObject({ result: 'unmatched', reason: 'no_episode' })
  expect(await second(2)).toMatchObject({ result: 'recorded', episode: 12 })
  expect(played.numbers()).toEqual([12])
  const [waiting] = (await played.kiroku.json('/v1/me/inbox')).series
  expect(waiting).toMatchObject({ plays: 2, proposals: [{ work_id: 1 }] })
  handle.run('update episodes set estimated = 1, source_id = 2 where work_id = 1')
  expect(await second(3)).toMatchObject({ result: 'recorded', episode: 13 })
  expect(
    played.all('select number from episodes where work_id = 1 order by sort_number desc limit 1'),
  ).toEqual([{ number: '13' }])
  handle.run('delete from records')
  handle.run("delete from episodes where work_id = 1 and number = '13'")
})

test('a list that begins with a later number grows up to the number that is played', async () => {
  const { handle } = played.kiroku.store
  const url = await played.address()
  handle.run('update episodes set number = number + 12 where work_id = 1')
  handle.run('update works set episodes_estimate = 40 where id = 1')
  expect((await played.told(url, { ids: { mal: 1001 }, episode: 26 })).result).toBe('recorded')
  expect(played.numbers()).toEqual([26])
  handle.run('delete from records')
  handle.run('delete from episodes where work_id = 1 and number > 24')
  handle.run('update episodes set number = number - 12 where work_id = 1')
  handle.run('update works set episodes_estimate = 12 where id = 1')
})
