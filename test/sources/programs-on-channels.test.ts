import { afterAll, expect, test } from 'bun:test'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { bytesOf, header, textOf, work } from '../support/catalogue-store'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { expectedLines } from '../support/source-run'

const now = Date.parse('2026-11-22T03:00:00Z')
const [head = { type: '' }, ...fromSyobocal] = await expectedLines('syobocal')
const kiroku = await createInstance({ seed: seedLibrary })
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

async function load(head: object, rows: readonly object[]): Promise<void> {
  const report = await importCatalogue(kiroku.store, bytesOf(textOf(head, rows)), { now })
  expect(report.problems).toEqual([])
}

const embedded = [
  { type: 'channel', key: 'x:1', ids: { site: 'broadcast' }, name: '先行放送' },
  {
    type: 'channel',
    key: 'annict:241',
    ids: { annict: 241, site: 'danime' },
    name: 'dアニメストア',
    vod: true,
  },
  work('bangumi:1', {
    ...{
      title: '星屑ポストマン',
      ids: { bangumi: 1, syobocal: 99001 },
      season_name: '2026-autumn',
      episodes_estimate: 3,
    },
    broadcast: { begin: '2026-11-14T15:30:00Z', interval: 'P7D' },
    streams: [{ site: 'danime', id: '9', begin: '2026-11-14T16:00:00Z', interval: 'P7D' }],
  }),
]

test('the list shows what airs on the chosen channels: listed programs, and estimates where there are none', async () => {
  await load(header('bangumi-data'), embedded)
  const [id] = kiroku.store.handle
    .query<{ id: number }, []>("select id from works where title = '星屑ポストマン'")
    .all()
  await mio.done('POST', '/v1/me/statuses', { work_id: id?.id, kind: 'watching' })
  expect(await airing()).toEqual([
    '11-14T15:30 先行放送 1 estimated',
    '11-14T16:00 dアニメストア 1 estimated',
    '11-21T15:30 先行放送 2 estimated',
    '11-21T16:00 dアニメストア 2 estimated',
    '11-28T15:30 先行放送 3 estimated',
    '11-28T16:00 dアニメストア 3 estimated',
  ])
  await load(head, fromSyobocal)
  const real = [
    '11-14T15:30 架空テレビ 1',
    '11-21T15:50 架空テレビ 2',
    '11-23T01:00 架空テレビ 1 again',
    '11-26T12:00 架空テレビ -',
  ]
  const streamed = [
    '11-14T16:00 dアニメストア 1 estimated',
    '11-21T16:00 dアニメストア 2 estimated',
    '11-28T16:00 dアニメストア 3 estimated',
  ]
  expect(await airing()).toEqual([...real, ...streamed].toSorted())
  const { channels } = await mio.json('/v1/me/channels?per_page=50')
  const channelOf = (name: string) => channels.find((one: { name: string }) => one.name === name)?.id
  await mio.done('POST', '/v1/me/channels', { channel_id: channelOf('架空テレビ') })
  expect(await airing()).toEqual(real)
  await mio.done('POST', '/v1/me/channels', { channel_id: channelOf('dアニメストア') })
  await mio.done('DELETE', '/v1/me/channels', { channel_id: channelOf('架空テレビ') })
  expect(await airing()).toEqual(streamed)
  await load(head, fromSyobocal)
  expect(await airing()).toEqual(streamed)
})

/** For the imported work: the start in UTC, the channel, the episode, and further details. */
async function airing(): Promise<string[]> {
  const { programs } = await mio.json('/v1/me/programs?filter_started_at_gt=2026-11-01')
  return programs.map(
    ({ started_at, channel, episode, estimated, is_rebroadcast }: Program) =>
      `${started_at.slice(5, 16)} ${channel.name} ${episode?.number ?? '-'}${estimated ? ' estimated' : ''}${is_rebroadcast ? ' again' : ''}`,
  )
}

interface Program {
  readonly started_at: string
  readonly channel: { readonly name: string }
  readonly episode: { readonly number: string } | null
  readonly estimated: boolean
  readonly is_rebroadcast: boolean
}
