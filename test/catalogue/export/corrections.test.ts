import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CatalogueChange } from '../../../src/catalogue/edit/change'
import type { ChangeAbout } from '../../../src/catalogue/edit/log'
import { exportCorrections } from '../../../src/catalogue/export/corrections'
import { exportCatalogue } from '../../../src/catalogue/export/export'
import { handleOf } from '../../../src/db/dialect'
import { type CatalogueStore, catalogueStore, episode, now, work } from '../../support/catalogue-store'
import { TwoWorks } from '../../support/two-works'

let here: CatalogueStore
let there: CatalogueStore
beforeEach(async () => {
  here = await catalogueStore()
  there = await catalogueStore()
  here.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'mio', 'mio', 'Mio', '', 'mio', '', 1)`)
})
afterEach(() => {
  here.close()
  there.close()
})

const change = (make: (change: CatalogueChange) => unknown, more: Partial<ChangeAbout> = {}) =>
  here.write(async (tx) => {
    const made = new CatalogueChange(handleOf(tx), { kind: 'edit', work: 1, user: 1, now, ...more })
    make(made)
    return made.save()
  })

const corrections = (since?: number) =>
  [...exportCorrections(here.handle, { label: 'a.example', since })].map((line) => JSON.parse(line))

/** Takes all corrections in the other instance. */
async function carry() {
  const [head, ...lines] = corrections()
  return await there.load(head, lines)
}

/** What others can see of a catalogue, without numbers that are each instance's own. */
const seen = ({ handle }: CatalogueStore) =>
  [...exportCatalogue(handle)].map((line) => {
    const { ids, key, ...row } = JSON.parse(line)
    return { ...row, ids: { ...ids, kiroku: undefined } }
  })

const pack = [
  { type: 'series', key: 's:1', name: 'Series' },
  { type: 'series', key: 's:2', name: 'Other series' },
  work('annict:1', {
    ...{ ids: { mal: 5, anilist: 6 }, season_name: '2026-summer', title: 'Wrong', title_kana: 'よみ' },
    ...{
      aliases: ['Old', 'Known'],
      series: ['s:1'],
      broadcast: { begin: '2026-07-01T15:00:00Z', interval: 'P7D' },
    },
  }),
  work('annict:2'),
  episode('annict:11', 'annict:1', 1, { title: 'One' }),
  episode('annict:12', 'annict:1', 2),
  { type: 'person', key: 'p:1', name: 'A' },
  { type: 'person', key: 'p:2', name: 'B' },
  { type: 'character', key: 'c:1', name: 'C' },
  { type: 'cast', work: 'annict:1', character: 'c:1', person: 'p:1' },
]

test('D98: what was corrected here becomes the same in another instance, once', async () => {
  await here.load('mine', pack)
  await there.load('mine', pack)
  await change(
    (one) => {
      one.set('work', 1, { title: 'Right', title_kana: '', season: 'autumn', broadcast_interval: 'P14D' })
      one.set('work', 1, { mal_anime_id: '50', 'ids.anilist': null, 'ids.anidb': '7' })
      one.setParts(1, 'aliases', ['Known', 'New'])
      one.setParts(1, 'series', ['10000002'])
      one.set('episode', 11, { title: '', number_text: '#1' })
      one.set('cast', Number(here.row<{ id: number }>('select id from casts').id), { person_id: personB() })
      one.setHidden('work', 2, true)
      one.create('episode', { work_id: 1, number: '3', number_text: '#3', sort_number: 30, title: 'Three' })
      one.create('work', { title: 'Made here', media: 'web', season_year: 2026, mal_anime_id: '99' })
    },
    { reason: 'see the site', sourceUrl: 'https://a.example/work' },
  )
  const report = await carry()
  expect(report).toMatchObject({
    failed: false,
    warnings: [],
    corrections: { left: 0, needless: 0, unknown: 0 },
  })
  expect(seen(there)).toEqual(seen(here))
  const again = await carry()
  expect(again.corrections).toMatchObject({ taken: 0, left: 0, needless: 0, unknown: 0 })
  expect(seen(there)).toEqual(seen(here))
})

const personB = () => here.row<{ id: number }>("select id from people where name = 'B'").id

test('D98: a line has only the fields by hand, what sources say, why, and where it says so, and names nobody', async () => {
  await here.load('mine', pack)
  await change((one) => one.set('work', 1, { title: 'Right' }), {
    reason: 'see the site',
    sourceUrl: 'https://a.example/work',
  })
  await change((one) => one.set('work', 1, { title: 'Righter', minutes: 24 }), { reason: 'again' })
  await here.load('mine', [work('annict:1', { title: 'Wrong again' })])
  expect(corrections()).toEqual([
    {
      ...{ type: 'catalogue', version: 1, name: 'corrections/a.example', mode: 'upsert' },
      preserve_ids: ['annict'],
    },
    {
      ...{ type: 'work', key: 'annict:1', ids: { anilist: 6, mal: 5 }, title: 'Righter', minutes: 24 },
      was: { title: 'Wrong again', minutes: null },
      ...{ reason: 'see the site; again', evidence: ['https://a.example/work'] },
    },
  ])
})

test('D98: what sources say by now as well is not exported, nor what was changed before the day that is asked for', async () => {
  await here.load('mine', pack)
  await change((one) => one.set('work', 1, { title: 'Right' }))
  await change((one) => one.set('work', 2, { title: 'Right too' }), { work: 2, now: now + 5 })
  const keys = (since?: number) => corrections(since).flatMap(({ key }) => key ?? [])
  expect(keys()).toEqual(['annict:1', 'annict:2'])
  expect(keys(now + 5)).toEqual(['annict:2'])
  expect(keys(now + 6)).toEqual([])
  await here.load('mine', [work('annict:1', { title: 'Right' })])
  expect(keys()).toEqual(['annict:2'])
})

test('D98: what was taken from another instance is not exported as our own', async () => {
  await there.load('mine', pack)
  await here.load('mine', pack)
  await change((one) => one.set('work', 1, { title: 'Right' }))
  await change((one) => one.setParts(1, 'aliases', ['New']))
  await carry()
  expect([...exportCorrections(there.handle, { label: 'b.example' })]).toHaveLength(1)
})

test('D98: works that were merged by hand are merged there, and not if they were taken apart again', async () => {
  const two = await TwoWorks.create()
  try {
    await there.load('pack', twoWorks)
    const lines = () =>
      [...exportCorrections(two.store.handle, { label: 'a.example' })].map((line) => JSON.parse(line))
    const change = await two.merged()
    const [head, ...merges] = lines()
    expect(merges).toEqual([{ type: 'work', key: 'annict:2', merged_into: 'annict:1', reason: 'twice' }])
    expect((await there.load(head, merges)).corrections).toMatchObject({ taken: 1, needless: 0 })
    expect(there.rows('select id from works where hidden = 0')).toEqual([{ id: 1 }])
    expect(there.row("select to_id from redirects where kind = 'work'")).toEqual({ to_id: 1 })
    const other = await catalogueStore()
    await other.load('pack', twoWorks.slice(0, 1))
    expect((await other.load(head, merges)).corrections).toMatchObject({ taken: 0, unknown: 1 })
    // A later pack does not bring the other one back.
    await other.load('pack', twoWorks)
    expect(other.rows('select id from works where hidden = 0')).toEqual([{ id: 1 }])
    other.close()
    expect((await there.load({ ...head, name: 'corrections/b.example' }, merges)).corrections).toMatchObject({
      ...{ taken: 0, needless: 1 },
    })
    await two.undone(change)
    expect(lines().filter(({ merged_into }) => merged_into !== undefined)).toEqual([])
  } finally {
    two.store.close()
  }
})

const twoWorks = [work('annict:1', { title: '蟲師 続章' }), work('annict:2', { title: '蟲師 続章(第2期)' })]

test('D98: what is by hand in an estimated list travels, and leaves the rest of the list estimated', async () => {
  const listed = [work('annict:1', { episodes_estimate: 3 })]
  await here.load('mine', listed)
  await there.load('mine', listed)
  const id = (number: number) =>
    here.row<{ id: number }>(`select id from episodes where number = '${number}'`).id
  await change((one) => {
    one.set('episode', id(2), { title: 'Two' })
    one.setHidden('episode', id(3), true)
    const fourth = {
      work_id: 1,
      number: '4',
      number_text: '第4話',
      sort_number: 40,
      title: 'Four',
      estimated: 1,
    }
    one.create('episode', fourth)
  })
  const list = ({ rows }: CatalogueStore) =>
    rows('select number, title, estimated, hidden from episodes order by sort_number')
  const episodes = [
    { number: '1', title: '', estimated: 1, hidden: 0 },
    { number: '2', title: 'Two', estimated: 1, hidden: 0 },
    { number: '3', title: '', estimated: 1, hidden: 1 },
    { number: '4', title: 'Four', estimated: 1, hidden: 0 },
  ]
  expect(list(here)).toEqual(episodes)
  expect((await carry()).corrections).toMatchObject({ left: 0, unknown: 0 })
  expect(list(there)).toEqual(episodes)
  expect((await carry()).corrections).toMatchObject({ taken: 0, left: 0, unknown: 0 })
  expect(list(there)).toEqual(episodes)
})

test('D98: broadcasts by hand travel, of estimated episodes too, on the channel of that name', async () => {
  const listed = [
    work('annict:1', { episodes_estimate: 2 }),
    { type: 'channel', key: 'c:1', name: 'TOKYO MX' },
    episode('annict:21', 'annict:2', 1),
    work('annict:2'),
    {
      type: 'program',
      key: 'p:1',
      channel: 'c:1',
      work: 'annict:2',
      episode: 'annict:21',
      started_at: '2026-10-03T15:00:00Z',
    },
  ]
  await here.load('mine', listed)
  await there.load('mine', [...listed, { type: 'channel', key: 'c:2', name: 'BS11' }])
  const { id: episode_id } = here.row<{ id: number }>(
    "select id from episodes where work_id = 1 and number = '2'",
  )
  const { id: planned } = here.row<{ id: number }>('select id from programs')
  await change((one) => {
    const channel_id = one.create('channel', { name: 'BS11' })
    one.create('program', { channel_id, work_id: 1, episode_id, started_at: now })
    one.setHidden('program', planned, true)
  })
  const programs = ({ rows }: CatalogueStore) =>
    rows(`select channels.name, number, episodes.estimated, started_at, programs.hidden from programs
      join channels on channels.id = channel_id join episodes on episodes.id = episode_id order by programs.work_id`)
  expect((await carry()).corrections).toMatchObject({ left: 0, unknown: 0 })
  expect(programs(there)).toEqual([
    { name: 'BS11', number: '2', estimated: 1, started_at: now, hidden: 0 },
    {
      name: 'TOKYO MX',
      number: '1',
      estimated: 0,
      started_at: Date.parse('2026-10-03T15:00:00Z'),
      hidden: 1,
    },
  ])
  expect(programs(there)).toEqual(programs(here))
  expect(there.rows('select id from channels')).toHaveLength(2)
})
