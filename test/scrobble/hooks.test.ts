import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Player } from '../../src/scrobble/report'
import type { Body } from '../support/instance'
import { firstPlay as first, type PlayedInstance, playedInstance } from './played'

let played: PlayedInstance
beforeAll(async () => {
  played = await playedInstance()
})
afterAll(() => played.kiroku.close())
beforeEach(() => played.forget())

test('an address that is wrong, revoked or of a disabled user is not found, and guesses are throttled', async () => {
  const url = await played.address()
  const wrong = url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect((await played.post(wrong, first)).status).toBe(404)
  played.kiroku.store.handle.run('update users set disabled_at = 1 where id = 1')
  expect((await played.post(url, first)).status).toBe(404)
  played.kiroku.store.handle.run('update users set disabled_at = null')
  expect((await played.kiroku.ask(url)).status).toBe(200)
  played.kiroku.store.handle.run('update hooks set revoked_at = 1')
  expect((await played.post(url, first)).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 70 }, () => played.post(wrong, first)))
  expect(answers.some(({ status }) => status === 429)).toBe(true)
  expect(played.all('select * from deliveries')).toEqual([])
})

test('an address says that it is alive, and answers scripts of any origin', async () => {
  const url = await played.address()
  expect(await (await played.kiroku.ask(url)).text()).toBe('alive\n')
  const preflight = await played.kiroku.ask(url, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
    204,
    expect.stringContaining('POST'),
  ])
  expect((await played.post(url, first)).headers.get('access-control-allow-origin')).toBe('*')
})

test('the secret is in no log, and the database keeps only its hash', async () => {
  const url = await played.address()
  await played.post(url, first)
  const [, secret = ''] = /(kir_hk_\w+)/.exec(url) ?? []
  expect(secret).not.toBe('')
  expect(JSON.stringify(played.kiroku.lines)).not.toContain(secret)
  expect(Buffer.from(played.kiroku.store.handle.serialize()).includes(secret)).toBe(false)
})

test('more than 10,000 reports at once, and then 600 a minute, are 429, and the body may have 1 MiB', async () => {
  const url = await played.address()
  expect((await played.post(url, `{"x":"${'a'.repeat(1024 * 1024)}"}`)).status).toBe(413)
  expect((await played.post(url, `{"event":"a","x":"${'a'.repeat(900_000)}"}`)).status).toBe(200)
  const statuses: number[] = []
  let last = await played.post(url, { event: 'play' })
  expect(last.headers.get('ratelimit-policy')).toBe('"default";q=10000;w=1000')
  for (; last.status === 200; last = await played.post(url, { event: 'play' })) statuses.push(last.status)
  expect(statuses.length).toBeGreaterThan(9900)
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1'])
  expect(played.all('select * from deliveries')).toEqual([])
})

test('1,000 reports at once from 20 players are one record for each episode, and no failure', async () => {
  const urls = await Promise.all(Array.from({ length: 20 }, () => played.address()))
  const sent = urls.flatMap((url) =>
    Array.from({ length: 50 }, (_, at) => played.post(url, { ids: { mal: 1010 }, episode: at + 1 })),
  )
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(played.numbers().toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 50 }, (_, at) => at + 1),
  )
  expect(played.all("select count(*) as n from deliveries where result = 'duplicate'")).toEqual([{ n: 950 }])
})

test('any JSON object is answered with 200 and makes one record at most', async () => {
  const keys = [
    'title',
    'episode',
    'season',
    'ids',
    'Event',
    'Item',
    'Metadata',
    'event',
    'show',
    'params',
    'method',
  ]
  const words = [
    '旅の記録',
    'media.scrobble',
    'Scrobble',
    'Player.OnStop',
    'Episode',
    '1',
    '\ud800',
    '\0',
    'tmdb',
  ]
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...words), fc.integer())
  const nested = fc.dictionary(fc.constantFrom('mal', 'Name', 'Type', 'ids', 'number', 'data', 'item'), value)
  const body = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), fc.oneof(value, nested))
  const players = ['jellyfin', 'plex', 'emby', 'kodi', 'tautulli', 'trakt', 'generic'] as const
  const urls = new Map<Player, string>()
  for (const player of players) urls.set(player, await played.address({}, player))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...players), body, async (player, sent) => {
      played.kiroku.clock.now += 200
      const before = played.all('select id from records').length
      const { status } = await played.post(urls.get(player) ?? '', sent)
      expect([200, 201, 409]).toContain(status)
      expect(played.all('select id from records').length - before).toBeLessThanOrEqual(1)
    }),
    { numRuns: 400 },
  )
})

test('a report with a token is taken like one of a hook', async () => {
  const answer = await played.api('POST', '/v1/me/scrobble', { ids: { mal: 1001 }, episode: '2' })
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ result: 'recorded', work_id: 1, episode: 2 }),
  ])
  const nothing: Body = await (await played.api('POST', '/v1/me/scrobble', {})).json()
  expect([nothing.result, nothing.reason]).toEqual(['unmatched', 'no_episode'])
  expect((await played.api('POST', '/v1/me/scrobble', { ids: 'mal', episode: 1 })).status).toBe(400)
  const read = await played.kiroku.tokenOf('mio', 'read')
  const refused = await played.kiroku.ask('/v1/me/scrobble', {
    method: 'POST',
    headers: { Authorization: `Bearer ${read}` },
  })
  expect(refused.status).toBe(403)
})

test('addresses are created, changed, listed and revoked by the API', async () => {
  const made: Body = await (
    await played.api('POST', '/v1/me/hooks', { player: 'kodi', threshold: 90 })
  ).json()
  expect(made.url).toMatch(/^http:\/\/localhost:3000\/hooks\/kodi\/kir_hk_\w{49}$/)
  expect((await played.api('POST', '/v1/me/hooks', { player: 'winamp' })).status).toBe(400)
  expect((await played.api('POST', '/v1/me/hooks', { player: 'kodi', threshold: 101 })).status).toBe(400)
  const changed = await played.api('PATCH', `/v1/me/hooks/${made.id}`, { name: '居間', dry_run: true })
  expect(await changed.json()).toMatchObject({ name: '居間', dry_run: true, threshold: 90 })
  expect((await played.api('DELETE', `/v1/me/hooks/${made.id}`)).status).toBe(204)
  expect((await played.kiroku.json('/v1/me/hooks')).hooks[0].revoked_at).not.toBeNull()
  expect((await played.post(made.url.replace('http://localhost:3000', ''), first)).status).toBe(404)
})
