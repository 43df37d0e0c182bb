import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { exportCatalogue } from '../../../src/catalogue/export/export'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { kinds } from '../../../src/catalogue/import/kinds/kinds'
import {
  bytesOf,
  type CatalogueStore,
  catalogueStore,
  episode,
  now,
  work,
} from '../../support/catalogue-store'

const rows = [
  { type: 'series', key: 's:1', name: 'Series', name_en: 'S' },
  work('annict:1', {
    ids: { annict: 1, mal: 5, tmdb: 'tv/1' },
    title_kana: 'かな',
    season_name: '2024-all',
    released_on: '2024-01-05',
    aliases: ['b', 'a'],
    series: ['s:1'],
    images: { recommended_url: 'https://x.example/a.png' },
    broadcast: { begin: '2024-01-05T15:00:00Z', interval: 'P7D' },
    streams: [
      { site: 'netflix', id: '1', begin: '2024-01-06T15:00:00Z', interval: 'P7D' },
      { site: 'abema' },
    ],
    no_episodes: false,
    episodes_estimate: 13,
  }),
  work('w:2', { season_name: '2024-winter', no_episodes: true }),
  work('w:3', { episodes_estimate: 2 }),
  work('w:4'),
  { type: 'channel_group', key: 'annict:1', name: 'Group', sort_number: 5 },
  { type: 'channel', key: 'annict:1', ids: { site: 'broadcast' }, name: 'TV', group: 'annict:1', vod: true },
  episode('annict:9', 'annict:1', 1, { title: 'First' }),
  episode('w:10', 'w:4', 1),
  {
    type: 'program',
    key: 'p:1',
    channel: 'annict:1',
    work: 'annict:1',
    episode: 'annict:9',
    started_at: '2024-01-05T15:00:00Z',
    rebroadcast: true,
  },
  {
    type: 'person',
    key: 'n:1',
    name: 'P',
    gender: 'female',
    birthday: '1990-01-02',
    height: 160,
    prefecture: '沖縄県',
  },
  { type: 'person', key: 'n:2', name: 'Merged' },
  { type: 'organization', key: 'n:1', name: 'O', url: 'https://o.example' },
  { type: 'character', key: 'n:1', name: 'C', series: 's:1', description: 'text' },
  { type: 'cast', work: 'annict:1', character: 'n:1', person: 'n:1', name: 'As', sort_number: 10 },
  {
    type: 'staff',
    work: 'w:2',
    organization: 'n:1',
    role: 'other',
    role_text: 'x',
    role_other: 'y',
    sort_number: 3,
  },
]

/** What readers of the API can see and what else the rows contain, except who said it and how often it changed. */
function contents({ rows: query }: CatalogueStore) {
  const columns = kinds.map(({ table, fields }) => {
    const listed = fields.some(({ column }) => column === 'estimated') ? 'estimated = 0' : 'true'
    const names = fields.map(({ column }) => column).join(', ')
    return query(`select id, ${names}, hidden from ${table} where ${listed} order by id`)
  })
  return [
    ...columns,
    query('select distinct work_id, title from work_aliases order by 1, 2'),
    query('select work_id, series_id from series_works order by 1, 2'),
    query('select work_id, site, external_id, begin_at, interval from streams order by 1, 2, 3'),
    query('select * from redirects order by 1, 2'),
  ]
}

async function copyOf(store: CatalogueStore): Promise<CatalogueStore> {
  const copy = await catalogueStore()
  const text = [...exportCatalogue(store.handle)].join('\n')
  const report = await importCatalogue(copy, bytesOf(text, 65_536), { now })
  expect(report.problems).toEqual([])
  expect(report.warnings).toEqual([])
  return copy
}

test('an export leaves out estimates', async () => {
  const store = await catalogueStore()
  await store.load('mine', rows)
  const lines = [...exportCatalogue(store.handle)]
  expect(store.rows('select id from episodes where estimated = 1')).toHaveLength(2)
  expect(lines.filter((line) => line.startsWith('{"type":"episode"'))).toHaveLength(2)
  store.close()
})

test('an export imported into an empty database yields the same rows with the same ids', async () => {
  const store = await catalogueStore()
  await store.load('mine', rows)
  await store.load('bangumi-data', [work('annict:1', { aliases: ['c'] })])
  await store.load('mine', [
    { type: 'work', key: 'w:4', deleted: true },
    { type: 'person', key: 'n:2', merged_into: 'n:1' },
  ])
  const copy = await copyOf(store)
  expect(contents(copy)).toEqual(contents(store))
  expect([...exportCatalogue(copy.handle)]).toEqual([...exportCatalogue(store.handle)])
  store.close()
  copy.close()
})

test('an export imported into its own database changes nothing visible', async () => {
  const store = await catalogueStore()
  await store.load('mine', rows)
  const before = contents(store)
  const text = [...exportCatalogue(store.handle)].join('\n')
  const report = await importCatalogue(store, bytesOf(text, 65_536), { now })
  expect(report.problems).toEqual([])
  expect(contents(store)).toEqual(before)
  store.close()
})

const sample = '../shared/catalogue/catalogue-sample.jsonl'

test.skipIf(!existsSync(sample))('the sample catalogue survives an export', async () => {
  const store = await catalogueStore()
  await importCatalogue(store, Bun.file(sample).stream(), { now })
  const copy = await copyOf(store)
  expect(contents(copy)).toEqual(contents(store))
  store.close()
  copy.close()
})
