import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { firstPlay, type PlayedInstance, playedInstance } from '../scrobble/played'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let played: PlayedInstance
let mio: Visitor
beforeAll(async () => {
  played = await playedInstance()
  mio = await createMember(played.kiroku, 'mio')
})
afterAll(() => played.kiroku.close())
beforeEach(() => played.forget())

const path = '/settings/scrobbling'
const long = (season: number, episode: number, more: object = {}) => ({
  ...{ ids: { tmdb: 200 }, title: '長い物語', season, episode },
  ...more,
})
const text = async (target: string) => (await mio.open(target)).text
const plain = (markup: string) => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('a player is added in one form, which shows its address once and what to do there', async () => {
  expect(await text(path)).toContain('No player yet')
  const made = await mio.submit(`${path}/add`, { player: 'tautulli', name: '' })
  const [, url = ''] = /<code id="hook_url">(.+?)<\/code>/.exec(made.text) ?? []
  expect(url).toMatch(/^http:\/\/localhost:3000\/hooks\/tautulli\/kir_hk_\w{49}$/)
  expect(made.text).toContain('Triggers: tick Watched')
  expect(made.text.replaceAll('&#34;', '"')).toContain('"show_name": "{show_name}"')
  const list = await text(path)
  expect([list.includes('kir_hk_'), list.includes('data-poll')]).toEqual([false, true])
  expect(plain(list)).toContain(
    'Tautulli (Plex without Plex Pass) from 80 % · sets Watching Nothing has arrived yet.',
  )
  const said = {
    action: 'watched',
    media_type: 'episode',
    show_name: '旅の記録',
    season_num: '1',
    episode_num: '2',
    year: '2018',
    air_date: '2018-04-08',
    user: 'mio',
  }
  expect(await played.told(url.replace('http://localhost:3000', ''), said)).toMatchObject({
    result: 'recorded',
  })
  const heard = await text(path)
  expect(heard).not.toContain('data-poll')
  expect(plain(heard)).toContain('1 recorded in 30 days')
  expect(plain(heard)).toMatch(
    /旅の記録 S1 E2 .* aired 2018-04-08 旅の記録 Ep\. 2 Recorded by season and number/,
  )
})

test('its options are changed, and it is revoked, by its owner only', async () => {
  const url = await played.address()
  const { id } = played.all('select id from hooks')[0]
  const page = `${path}/players/${id}`
  const other = await createMember(played.kiroku, 'ritsu')
  for (const one of [page, `${page}/revoke`]) expect((await other.open(one)).status).toBe(404)
  expect((await createVisitor(played.kiroku).open(page)).status).toBe(303)
  for (const wrong of [
    { threshold: '0' },
    { threshold: '101' },
    { threshold: 'x' },
    { name: ' ' },
    { player_user: 'x'.repeat(201) },
  ]) {
    const refused = await mio.submit(page, { name: 'x', threshold: '80', ...wrong })
    expect(refused.status).toBe(422)
  }
  await mio.submit(page, { name: '居間', player_user: 'hana', threshold: '90', dry_run: '1' })
  expect(played.all('select name, player_user, threshold, set_status, dry_run, activity from hooks')).toEqual(
    [{ name: '居間', player_user: 'hana', threshold: 90, set_status: 0, dry_run: 1, activity: 0 }],
  )
  expect(plain(await text(path))).toContain('居間 trial, records nothing only user hana · from 90 %')
  await mio.submit(`${page}/revoke`)
  expect((await played.post(url, firstPlay)).status).toBe(404)
  expect(plain(await text(path))).toContain('居間 revoked')
  expect(await text(page)).toContain('This address was revoked.')
})

test('a delivery is taken back and decided again on the page', async () => {
  const url = await played.address()
  await played.told(url, firstPlay)
  const { id, act_id } = played.all('select id, act_id from deliveries')[0]
  await mio.submit(path, { act_id: String(act_id) }, '/undo')
  expect(played.numbers()).toEqual([])
  expect(plain(await text(path))).toContain('Recorded taken back')
  const again = await mio.submit(path, {}, `${path}/deliveries/${id}/again`)
  expect([again.location, played.numbers()]).toEqual([path, [1]])
  const other = await createMember(played.kiroku, 'ritsu')
  const csrf = { csrf: /name="csrf" value="([^"]+)"/.exec((await other.open(`${path}/add`)).text)?.[1] ?? '' }
  expect((await other.post(`${path}/deliveries/${id}/again`, csrf)).status).toBe(404)
})

test('the results can be chosen, and each says why', async () => {
  const url = await played.address({ playerUser: 'mio' })
  await played.told(url, firstPlay)
  await played.told(url, firstPlay)
  await played.told(url, { ...firstPlay, user: 'kei' })
  await played.told(url, long(2, 1))
  const of = async (result: string) =>
    plain(/<section id="said">.*?<\/section>/s.exec(await text(`${path}?result=${result}`))?.[0] ?? '')
  expect(await of('')).toContain('All Recorded 1 To place 1 Ignored 2')
  expect(await of('recorded')).toContain('Recorded by the id of the work')
  expect(await of('unmatched')).toContain('Not decided 1 proposal To place this season is counted apart')
  const ignored = await of('ignored')
  expect(ignored).toContain('Duplicate same episode within 12 hours')
  expect(ignored).toContain('Ignored another user of the player')
  expect(ignored).not.toContain('Recorded by')
})

test('an evening is taken back by one press, and a library that was marked as played is noticed', async () => {
  const url = await played.address()
  for (const episode of [1, 2]) await played.told(url, { ids: { mal: 1001 }, episode })
  played.kiroku.clock.now += 20 * 3_600_000
  for (let episode = 1; episode <= 51; episode += 1) await played.told(url, { ids: { mal: 1010 }, episode })
  const { id } = played.all('select id from hooks')[0]
  expect(plain(await text(path))).toContain('test reported 51 plays within an hour')
  const page = `${path}/players/${id}`
  await mio.submit(page, { hours: '3' }, `${page}/undo`)
  expect(played.numbers()).toEqual([1, 2])
  expect(await text(path)).toContain('Took back 51 plays')
  await mio.submit(page, { hours: '3' }, `${page}/undo`)
  expect(await text(path)).toContain('There was nothing to take back')
})

test('a player that was silent for 30 days is pointed out', async () => {
  const url = await played.address()
  await played.told(url, { event: 'play' })
  expect(plain(await text(path))).toContain('0 recorded in 30 days')
  played.kiroku.clock.now += 31 * 86_400_000
  mio = await createMember(played.kiroku, 'mio')
  expect(plain(await text(path))).toContain('nothing since')
})
