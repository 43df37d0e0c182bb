import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CatalogueStore, catalogueStore, episode, header, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
afterAll(() => store.close())

const refusals: [rule: string, row: object, message: string | RegExp][] = [
  ['a type nobody knows', { type: 'wrok', key: 'a:1' }, 'type "wrok" is unknown'],
  ['no key', { type: 'work', title: 'x', media: 'tv' }, 'key is missing'],
  ['a key without a namespace', work('1'), /^key must be text such as/],
  ['a blank title', work('a:1', { title: ' ' }), 'title must not be blank'],
  ['no title', work('a:1', { title: null }), 'title must not be blank'],
  ['a title that is no text', work('a:1', { title: 5 }), 'title must be text'],
  ['a long title', work('a:1', { title: 'あ'.repeat(1001) }), /^title must not be longer than 1,000/],
  ['a NUL character', work('a:1', { title: 'a\0b' }), /^title must not contain NUL/],
  ['half a character', work('a:1', { title: 'a\ud83d' }), /^title must not contain NUL characters or halves/],
  ['an unknown medium', work('a:1', { media: 'TV' }), /^media must be one of/],
  ['a season that is none', work('a:1', { season_name: '2024-fall' }), /^season_name must be/],
  [
    'a day that does not exist',
    work('a:1', { released_on: '2023-02-29' }),
    /^released_on must be an existing day/,
  ],
  ['another scheme', work('a:1', { official_site_url: 'javascript:alert(1)' }), /^official_site_url must be/],
  ['a broken URL', work('a:1', { images: { og_image_url: 'http://' } }), /^images.og_image_url must be/],
  [
    'an object that is none',
    work('a:1', { images: 'x' }),
    /^images.recommended_url must be inside an object/,
  ],
  ['a number that is a text', work('a:1', { episodes_estimate: '12' }), /^episodes_estimate must be a whole/],
  ['too many episodes', work('a:1', { episodes_estimate: 2001 }), /^episodes_estimate must be a whole/],
  ['a flag that is a text', work('a:1', { no_episodes: 'true' }), 'no_episodes must be true or false'],
  [
    'a time without a zone',
    work('a:1', { broadcast: { begin: '2024-01-05T15:00' } }),
    /^broadcast.begin must be/,
  ],
  [
    'an interval that is none',
    work('a:1', { broadcast: { interval: 'weekly' } }),
    /^broadcast.interval must/,
  ],
  ['an id below 1', work('a:1', { ids: { annict: 0 } }), 'ids.annict must be a positive whole number'],
  ['an id that is no number', work('a:1', { ids: { mal: 'x' } }), 'ids.mal must be a positive whole number'],
  ['ids that are none', work('a:1', { ids: [1] }), 'ids must be an object'],
  ['aliases that are none', work('a:1', { aliases: 'x' }), 'aliases must be a list'],
  ['a stream without a site', work('a:1', { streams: [{ id: 'x' }] }), /^streams: site must be a word/],
  ['an unknown role', { type: 'staff', work: 'a:1', person: 'p:1', role: 'boss' }, /^role must be one of/],
  ['staff of nobody', { type: 'staff', work: 'a:1', role: 'music' }, /^person or organization must be given/],
  [
    'a prefecture that is none',
    { type: 'person', key: 'p:1', name: 'x', prefecture: 'Tokyo' },
    /^prefecture/,
  ],
  ['a gender that is none', { type: 'person', key: 'p:1', name: 'x', gender: 'm' }, /^gender must be one of/],
]

for (const [rule, row, message] of refusals) {
  test(`a line is refused for ${rule}`, async () => {
    const report = await store.load('mine', [row])
    expect(report.failed).toBe(true)
    expect(report.problems).toHaveLength(1)
    expect(report.problems[0]).toMatchObject({ line: 2 })
    expect(report.problems[0]?.message).toMatch(message)
  })
}

test('a new row must have all required fields', async () => {
  const report = await store.load('mine', [{ type: 'work', key: 'a:9', media: 'tv' }])
  expect(report.problems).toEqual([{ line: 2, message: 'work "a:9": title is missing' }])
})

test('a line exactly at the limits is accepted', async () => {
  const report = await store.load('mine', [
    work('a:1', {
      title: '🎌'.repeat(1000),
      season_name: '2024-all',
      released_on: '2024-02-29',
      official_site_url: 'HTTPS://例え.jp/?q=1',
      episodes_estimate: 0,
      broadcast: { begin: '2024-01-05T24:00:00+09:00'.replace('24:', '23:'), interval: 'P1M' },
      ids: { annict: '12', tmdb: 'tv/1' },
    }),
    work('a:2', { season_name: '' }),
  ])
  expect(report.problems).toEqual([])
})

test('an unknown field causes one warning, however many lines have it', async () => {
  const rows = [1, 2, 3].map((n) => work(`w:${n}`, { colour: 'red', images: { small: 'x' } }))
  const report = await store.load('mine', rows)
  expect(report.failed).toBe(false)
  expect(report.warnings).toEqual([
    'unknown field "colour" of work is ignored',
    'unknown field "images.small" of work is ignored',
  ])
})

test('a file that is not a catalogue is refused at its first line', async () => {
  for (const [head, message] of [
    [{ type: 'work', key: 'a:1' }, /^this is not a catalogue/],
    [header('mine', { version: 2 }), /^version 2 of the catalogue format is unknown/],
    [header(''), 'name must not be blank'],
    [header('mine', { mode: 'replace' }), 'mode must be upsert or snapshot'],
    [header('mine', { preserve_ids: 'annict' }), 'preserve_ids must be a list of texts'],
  ] as const) {
    const report = await store.load(head, [work('a:1')])
    expect(report.failed).toBe(true)
    expect(report.problems).toHaveLength(1)
    expect(report.problems[0]).toMatchObject({ line: 1 })
    expect(report.problems[0]?.message).toMatch(message)
  }
})

test('a reference to an unknown row is reported with its line, after all lines were read', async () => {
  const report = await store.load('mine', [episode('e:1', 'a:404', 1), work('a:405')])
  expect(report.counts.episode).toMatchObject({ unresolved: 1 })
  expect(report.problems).toEqual([{ line: 2, message: 'episode "e:1": work "a:404" is unknown' }])
})

test('a line may refer to rows of later lines', async () => {
  const report = await store.load('mine', [
    {
      type: 'program',
      key: 'g:1',
      channel: 'c:1',
      work: 'f:1',
      episode: 'e:7',
      started_at: '2024-01-05T15:00:00Z',
    },
    episode('e:7', 'f:1', 1),
    work('f:1', { series: ['s:1'] }),
    { type: 'channel', key: 'c:1', name: 'TV', group: 'g:1' },
    { type: 'channel_group', key: 'g:1', name: 'Group' },
    { type: 'series', key: 's:1', name: 'Series' },
  ])
  expect(report.problems).toEqual([])
  expect(report.counts.program).toMatchObject({ created: 1 })
})

test('a key that occurs twice in a file is refused', async () => {
  const report = await store.load('mine', [work('t:1'), work('t:1', { title: 'Other' })])
  expect(report.problems).toHaveLength(1)
  expect(report.problems[0]?.line).toBe(3)
})

test('of many problems, the first thousand are reported, and their number', async () => {
  const rows = Array.from({ length: 1200 }, () => ({ type: 'work' }))
  const report = await store.load('mine', rows)
  expect(report.problems).toHaveLength(1000)
  expect(report.problemsCount).toBe(1200)
})
