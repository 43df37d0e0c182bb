import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type PlayedInstance, playedInstance } from '../scrobble/played'
import { createMember, type Visitor } from '../support/visitor'

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
  for (const episode of [7, 3, 3]) await played.told(url, long(3, episode))
  expect(plain(await text(inbox))).toContain(
    'What will be recorded S3 E1 Episode 39 S3 E3 Episode 41 S3 E7 Episode 45 ',
  )
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

test('a choice is forgotten alone, though another one is for the same season and work', async () => {
  const url = await played.address()
  for (const title of ['知らない話', '別の知らない話']) {
    await played.told(url, { title, season: 1, episode: 4 })
    const { id } = played.all('select max(id) as id from deliveries')[0]
    const found = `${inbox}?series=${id}&q=${encodeURIComponent('旅の記録')}`
    await mio.submit(found, { work_id: '1', continues_at: '1' }, '/settings/scrobbling/inbox/place')
    played.kiroku.clock.now += 86_400_000
  }
  const choices = () => played.all('select id from list_choices order by id')
  expect(choices()).toHaveLength(2)
  await mio.submit(inbox, {}, `${inbox}/${choices()[0].id}/forget`)
  expect(choices()).toHaveLength(1)
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
