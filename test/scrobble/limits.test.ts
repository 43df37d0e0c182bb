import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Body } from '../support/instance'
import { firstPlay as first, type PlayedInstance, playedInstance } from './played'

let played: PlayedInstance
beforeAll(async () => {
  played = await playedInstance()
})
afterAll(() => played.kiroku.close())
beforeEach(() => played.forget())

const hour = 3_600_000
const status = (kind: string, work = 1) =>
  played.kiroku.store.handle.run(
    `insert into statuses (user_id, work_id, kind, changed_at) values (1, ${work}, '${kind}', 1)`,
  )
const kinds = () => played.all('select kind from statuses').map(({ kind }) => kind)

test('a play within 12 hours of another one is the same, one after exactly 12 hours is not', async () => {
  const url = await played.address()
  await played.told(url, first)
  played.kiroku.clock.now += 12 * hour - 1
  expect((await played.told(url, first)).result).toBe('duplicate')
  played.kiroku.clock.now += 1
  expect((await played.told(url, first)).result).toBe('recorded')
  const film = { ids: { tmdb: 600 } }
  await played.told(url, film)
  played.kiroku.clock.now += 12 * hour - 1
  expect((await played.told(url, film)).result).toBe('duplicate')
  played.kiroku.clock.now += 1
  expect((await played.told(url, film)).result).toBe('recorded')
})

test('the threshold itself is enough, less is not, and what is no number is not', async () => {
  const url = await played.address({ threshold: 90 })
  for (const progress of [89.9, 0, 'x', -1])
    expect((await played.told(url, { ...first, progress })).reason).toBe('not_completed')
  expect((await played.told(url, { ...first, progress: '90' })).result).toBe('recorded')
})

test('the name of a file is only ever a proposal, even of the very title', async () => {
  const url = await played.address()
  const answer = await played.told(url, { file: '旅の記録 S01E02.mkv' })
  expect(answer).toMatchObject({ result: 'unmatched', reason: 'title_only' })
  expect((await played.kiroku.json('/v1/me/inbox')).series).toMatchObject([
    { title: '旅の記録', season: 1, first_episode: 2, proposals: [{ work_id: 1 }] },
  ])
})

test('a status that was planned becomes watching, and a film on hold stays on hold', async () => {
  const url = await played.address()
  status('wanna_watch')
  await played.told(url, first)
  expect(kinds()).toEqual(['watching'])
  for (const kept of ['on_hold', 'stop_watching']) {
    played.forget()
    const film = await played.address()
    status(kept, 20)
    expect((await played.told(film, { ids: { tmdb: 600 } })).result).toBe('recorded')
    expect(kinds()).toEqual([kept])
  }
  for (const open of ['wanna_watch', 'watching']) {
    played.forget()
    const film = await played.address()
    status(open, 20)
    await played.told(film, { ids: { tmdb: 600 } })
    expect(kinds()).toEqual(['watched'])
  }
})

test('the last use is noted again after a minute', async () => {
  const url = await played.address()
  const used = () => played.all('select last_used_at as at from hooks')[0].at
  await played.told(url, { event: 'play' })
  const begun = used()
  played.kiroku.clock.now += 59_000
  await played.told(url, { event: 'play' })
  expect(used()).toBe(begun)
  played.kiroku.clock.now += 1000
  await played.told(url, { event: 'play' })
  expect(used()).toBe(begun + 60_000)
})

test('five hundred addresses are the most; revoked ones count for 30 days and are then forgotten', async () => {
  const { handle } = played.kiroku.store
  const now = played.kiroku.clock.now
  handle.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
    insert into hooks (user_id, player, name, secret_hash, created_at, revoked_at)
    select 1, 'kodi', 'x', randomblob(32), 1, ${now - 30 * 24 * hour + 1} from n`)
  const add = async () => await played.api('POST', '/v1/me/hooks', { player: 'kodi' })
  const refused: Body = await (await add()).json()
  expect(JSON.stringify(refused)).toContain('at most 500 addresses for players')
  played.kiroku.clock.now += 2
  expect((await add()).status).toBe(200)
  expect(played.all('select count(*) as n from hooks')).toEqual([{ n: 1 }])
})

test('a body of more than 16 KiB is read and not kept', async () => {
  const url = await played.address()
  await played.told(url, { ...first, x: 'a'.repeat(16 * 1024) })
  await played.told(url, { ...first, episode: 2, x: 'a'.repeat(15 * 1024) })
  expect(played.all('select body is null as lacks from deliveries order by id')).toEqual([
    { lacks: 1 },
    { lacks: 0 },
  ])
})

test('ten thousand deliveries of a person are the most', async () => {
  const url = await played.address()
  await played.told(url, { title: 'どこにもない', season: 1, episode: 1 })
  played.kiroku.store.handle.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 10005)
    insert into deliveries (user_id, received_at, report, result)
    select 1, ${played.kiroku.clock.now}, '{"user":"","plays":[]}', 'ignored' from n`)
  for (let episode = 2; episode < 4; episode += 1)
    await played.told(url, { title: 'どこにもない', season: 1, episode })
  expect(played.all('select count(*) as n from deliveries')).toEqual([{ n: 10_000 }])
})

test('a file has at most 50 episodes', async () => {
  const url = await played.address()
  await played.told(url, { ids: { mal: 1010 }, episode: 1, episode_end: 900 })
  expect(played.numbers()).toHaveLength(50)
})

test('what a choice finds recorded already is a duplicate, and what was only tried is not placed', async () => {
  const url = await played.address()
  const long = { ids: { tmdb: 200 }, title: '長い物語', season: 2, episode: 1 }
  await played.told(url, { ids: { mal: 1010 }, episode: 33 })
  const { delivery_id } = await played.told(url, long)
  const dry = await played.told(await played.address({ dryRun: true }), long)
  expect(dry).toMatchObject({ result: 'unmatched', dry_run: true })
  const place = await played.api('PATCH', `/v1/me/inbox/${delivery_id}`, { work_id: 10, episode_offset: 32 })
  expect(await place.json()).toEqual({ recorded: 1, act_id: null })
  const results = played.all('select result, act_id, dry_run from deliveries order by id')
  expect(results.slice(1)).toEqual([
    { result: 'duplicate', act_id: null, dry_run: 0 },
    { result: 'unmatched', act_id: null, dry_run: 1 },
  ])
  expect((await played.told(url, { ...long, episode: 2 })).episode).toBe(34)
})

test('what was changed since is left by the undo of a hook, and counted', async () => {
  const url = await played.address()
  for (const episode of [1, 2]) await played.told(url, { ids: { mal: 1001 }, episode })
  const { id } = played.all('select id from records order by id desc limit 1')[0]
  const edited = await played.api('PATCH', `/v1/me/records/${id}`, { comment: 'よかった' })
  expect(edited.status).toBe(200)
  const hook = played.all('select id from hooks')[0].id
  expect(await (await played.api('POST', `/v1/me/hooks/${hook}/undo`)).json()).toEqual({ undone: 1, left: 1 })
  expect(played.numbers()).toEqual([2])
  expect(played.all('select comment from records')).toEqual([{ comment: 'よかった' }])
})

test('a lap that a later record is in is left by the undo of a hook, and counted', async () => {
  const url = await played.address()
  await played.told(url, first)
  played.kiroku.store.handle.run("update statuses set kind = 'watched'")
  played.kiroku.clock.now += 24 * hour
  await played.told(url, first)
  const second = played.all("select id from episodes where work_id = 1 and number = '2'")[0].id
  await played.api('POST', '/v1/me/records', { episode_id: second })
  const { id } = played.all('select id from hooks')[0]
  const since = { since: '2020-01-01' }
  const undone = await (await played.api('POST', `/v1/me/hooks/${id}/undo`, since)).json()
  expect([undone, played.numbers()]).toEqual([{ undone: 1, left: 1 }, [1, 2]])
})

test('a rating of ten is given to the newest record with its number, and taken away by 0 (D87)', async () => {
  const url = await played.address({}, 'plex')
  const plex = (event: string, userRating: number | undefined) =>
    played.told(url, {
      ...{ event, Account: { title: 'mio' } },
      Metadata: {
        type: 'episode',
        grandparentTitle: '旅の記録',
        parentIndex: 1,
        index: 2,
        year: 2018,
        userRating,
      },
    })
  expect((await plex('media.rate', 8)).result).toBe('ignored')
  await plex('media.scrobble', undefined)
  const rated = async (rating: number) => {
    const { result } = await plex('media.rate', rating)
    const { state, score } = played.all('select rating_state as state, score from records')[0]
    return [result, state, score]
  }
  const steps = [10, 9, 8.9, 7, 6.9, 5, 4.9, 1, 0]
  const states: unknown[] = []
  for (const step of steps) states.push(await rated(step))
  const hook = played.all('select id from hooks')[0].id
  expect(await (await played.api('POST', `/v1/me/hooks/${hook}/undo`)).json()).toEqual({
    undone: 10,
    left: 0,
  })
  expect(played.numbers()).toEqual([])
  expect(states).toEqual(
    ['great', 'great', 'good', 'good', 'average', 'average', 'bad', 'bad', null].map((state, at) => [
      'rated',
      state,
      state === null ? null : Math.round((steps[at] ?? 0) * 10),
    ]),
  )
})

test('a history of Trakt is taken up to a hundred plays, and a duplicate is a conflict as there', async () => {
  const url = await played.address({}, 'trakt')
  const show = { title: '長い物語', year: 2002, ids: { mal: 1010 } }
  const episodes = Array.from({ length: 120 }, (_, at) => ({ number: at + 1 }))
  const history = await played.post(`${url}/sync/history`, {
    shows: [{ ...show, seasons: [{ number: 1, episodes }] }],
  })
  expect([history.status, played.numbers().length]).toEqual([201, 100])
  const stop = { show, episode: { season: 1, number: 101 }, progress: 85 }
  const statuses: number[] = []
  for (let time = 0; time < 2; time += 1)
    statuses.push((await played.post(`${url}/scrobble/stop`, stop)).status)
  expect(statuses).toEqual([201, 409])
})

test('what was recorded is not decided again, and what another user played is taken when it is', async () => {
  const url = await played.address({ playerUser: 'mio' })
  const one = await played.told(url, first)
  const again = async (id: number): Promise<Body> =>
    await (await played.api('POST', `/v1/me/deliveries/${id}/again`)).json()
  expect(await again(one.delivery_id)).toMatchObject({ result: 'recorded', record_ids: [expect.any(Number)] })
  const other = await played.told(url, { ...first, episode: 2, user: 'kei' })
  expect(other.reason).toBe('user')
  expect(await again(other.delivery_id)).toMatchObject({ result: 'recorded', episode: 2 })
  expect(played.numbers()).toEqual([1, 2])
})
