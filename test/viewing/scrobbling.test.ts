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
const inbox = `${path}/inbox`
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

test('what waits is shown on Track, in the settings and on the page, and one choice places it, with undo', async () => {
  const url = await played.address()
  for (const episode of [31, 32]) await played.told(url, long(1, episode, { ids: { mal: 1010 } }))
  for (const episode of [1, 2]) await played.told(url, long(2, episode))
  await played.told(url, long(3, 1))
  expect(await text('/')).toContain('Plays of 2 series wait to be placed')
  expect(await text('/settings')).toContain('2 to place')
  expect(plain(await text(path))).toContain('3 plays of 2 series fit no work for sure.')
  const { id } = played.all(`select max(id) as id from deliveries where series_key = 'tmdb:200/season/2'`)[0]
  const asked = `${inbox}?series=${id}`
  expect(plain(await text(asked))).toMatch(
    /長い物語 · season 2 S2 E1–2 · 2 plays · .* · this season is counted apart/,
  )
  expect(await text(asked)).toMatch(/type="radio" name="work_id" value="10" checked/)
  const chosen = await mio.submit(
    asked,
    { work_id: '10', continues_at: '33' },
    '/settings/scrobbling/inbox/place',
  )
  expect([chosen.location, played.numbers()]).toEqual([inbox, [31, 32, 33, 34]])
  const after = await text(inbox)
  expect(after).toContain('Played: 長い物語, 2 episodes')
  expect(after).toContain('season 3')
  expect(plain(after)).toMatch(/What is remembered .*, season 2 長い物語 · from no\. 33 on Forget/)
  const act = played.all('select max(id) as id from acts')[0].id
  await mio.submit('/settings/history', { act_id: String(act) }, '/undo')
  expect([played.numbers(), await text('/')]).toEqual([[31, 32], expect.stringContaining('2 series wait')])
})

test('the number at which a season continues is proposed: after the last recorded one, else by the broadcast', async () => {
  const url = await played.address()
  const field = async (season: number) => {
    const { id } = played.all(
      `select max(id) as id from deliveries where series_key like '%/season/${season}' and result = 'unmatched'`,
    )[0]
    const shown = await text(`${inbox}?series=${id}`)
    return [
      /name="continues_at" value="(\d+)"/.exec(shown)?.[1],
      /<div class="field import-continues">.*?<\/div>/s.exec(shown)?.[0].includes('est'),
    ]
  }
  await played.told(url, long(2, 3))
  expect(await field(2)).toEqual(['1', false])
  await played.told(url, long(2, 1))
  const { id } = played.all(`select max(id) as id from deliveries where series_key like '%/season/2'`)[0]
  await mio.submit(
    `${inbox}?series=${id}`,
    { work_id: '10', continues_at: '33' },
    '/settings/scrobbling/inbox/place',
  )
  await played.told(url, long(3, 1))
  expect(await field(3)).toEqual(['36', false])
  await played.told(url, long(2, 4, { episode_end: 6 }))
  expect(await field(3)).toEqual(['39', false])
  await played.told(url, long(5, 3, { air_date: '2004-08-05' }))
  expect(await field(5)).toEqual(['95', true])
})

test('a number that leads beyond the work is refused and nothing is remembered', async () => {
  const url = await played.address()
  played.kiroku.store.handle.run('update episodes set estimated = 0, source_id = 1')
  await played.told(url, long(2, 1))
  const { id } = played.all('select max(id) as id from deliveries')[0]
  for (const continues_at of ['300', '0', '-1', '2001', 'x'])
    expect(
      (
        await mio.submit(
          inbox,
          { series_id: String(id), work_id: '10', continues_at },
          '/settings/scrobbling/inbox/place',
        )
      ).status,
    ).toBe(422)
  expect([played.numbers(), played.all('select id from list_choices')]).toEqual([[], []])
  expect(
    (await mio.submit(inbox, { work_id: '10', continues_at: '' }, '/settings/scrobbling/inbox/place'))
      .location,
  ).toBe(inbox)
  expect(played.numbers()).toEqual([1])
  played.kiroku.store.handle.run('update episodes set estimated = 1, source_id = 2')
})

test('another work is found by search, and a choice is forgotten again', async () => {
  const url = await played.address()
  await played.told(url, { title: '知らない話', season: 1, episode: 4 })
  const { id } = played.all('select max(id) as id from deliveries')[0]
  expect(await text(inbox)).not.toContain('name="work_id"')
  const found = `${inbox}?series=${id}&q=${encodeURIComponent('旅の記録')}`
  expect(await text(found)).toMatch(/name="work_id" value="1" checked/)
  await mio.submit(found, { work_id: '1', continues_at: '1' }, '/settings/scrobbling/inbox/place')
  expect(played.numbers()).toEqual([4])
  const choice = played.all('select max(id) as id from list_choices')[0].id
  await mio.submit(inbox, {}, `${inbox}/${choice}/forget`)
  expect([played.all('select id from list_choices'), played.numbers()]).toEqual([[], [4]])
})

test('a series is left out and taken in again', async () => {
  const url = await played.address()
  await played.told(url, long(2, 1))
  const { id } = played.all('select id from deliveries')[0]
  await mio.submit(inbox, {}, `${inbox}/${id}/leave_out`)
  expect(plain(await text(inbox))).toContain('Nothing waits')
  expect((await played.told(url, long(3, 1))).reason).toBe('left_out')
  const left = played.all('select min(id) as id from left_out_series')[0].id
  const other = await createMember(played.kiroku, 'ritsu')
  const csrf = { csrf: /name="csrf" value="([^"]+)"/.exec((await other.open(`${path}/add`)).text)?.[1] ?? '' }
  expect((await other.post(`${inbox}/${left}/take_in`, csrf)).status).toBe(404)
  await mio.submit(inbox, {}, `${inbox}/${left}/take_in`)
  expect(played.all('select id from left_out_series')).toEqual([])
  expect((await played.told(url, long(3, 2))).reason).toBe('numbering')
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
