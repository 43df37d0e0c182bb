import { afterAll, beforeAll, expect, test } from 'bun:test'
import { choicesOf } from '../../../src/transfer/match/choices'
import type { Match } from '../../../src/transfer/match/match'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue, told } from './catalogue'

let known: MatchedCatalogue
beforeAll(async () => {
  known = await matchedCatalogue([
    anime(1, '前の題', { ids: { mal: 1 }, ...estimated(12, '2018-04-01') }),
    anime(2, '後の題', { ids: { mal: 2 }, ...estimated(12, '2018-10-01') }),
    anime(3, '隠れた題', { ids: { mal: 3 } }),
    anime(4, '移った題', { ids: { mal: 4 } }),
    anime(10, '町', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2010-04-01') }),
    anime(11, '町 続', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2014-04-01') }),
    anime(12, '町 完', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2014-08-01') }),
  ])
  await known.store.load('annict', [
    { type: 'work', key: 'annict:3', deleted: true },
    { type: 'work', key: 'annict:4', merged_into: 'annict:2' },
  ])
})
afterAll(() => known.close())

const mal = [{ site: 'mal', id: '1' }] as const
const chosen = (workId: number, episodeOffset = 0, sourceId = '1') =>
  new Map([[sourceId, { workId, episodeOffset }]])
const numbers = ({ workId, matchedBy, reason, row }: Match): readonly unknown[] => [
  workId,
  matchedBy,
  reason,
  ...(row.plays ?? []).map(({ season, episode }) => [season, episode]),
]

test('a choice takes precedence over every id, whatever the episode counts', async () => {
  const row = { refs: mal, progress: 30, total: 30 }
  expect((await known.match(row)).map(told)).toEqual([[1, 'mal', 'episode_count_differs', null]])
  expect((await known.match(row, chosen(2))).map(told)).toEqual([[2, 'choice', null, 30]])
  expect((await known.match(row, chosen(2, 0, '5'))).map(told)).toEqual([
    [1, 'mal', 'episode_count_differs', null],
  ])
})

test('a choice of a merged work means its survivor; of a hidden one, none', async () => {
  expect((await known.match({ refs: mal }, chosen(4))).map(told)).toEqual([[2, 'choice', null, null]])
  expect((await known.match({ refs: mal }, chosen(3))).map(told)).toEqual([[1, 'mal', null, null]])
})

test('episode numbers are shifted as the choice says', async () => {
  const row = { progress: 20, total: 24, watched: [13, 14], plays: [{ season: 2, episode: 13 }] }
  const [match] = await known.match(row, chosen(2, -12))
  expect(match?.row).toMatchObject({ progress: 8, total: 12, watched: [1, 2], plays: [{ episode: 1 }] })
  const [early] = await known.match({ progress: 3, total: 10 }, chosen(2, -12))
  expect([early?.row.progress, early?.row.total]).toEqual([0, undefined])
})

test('a series with a choice for one work still matches its other seasons', async () => {
  const plays = [
    { season: 1, episode: 1 },
    { season: 2, episode: 1 },
  ]
  expect((await known.match({ plays }, chosen(11))).map(numbers)).toEqual([
    [10, 'choice', null, [undefined, 1]],
    [11, 'choice', null, [undefined, 1]],
  ])
})

test('a season in doubt is only what was chosen for it', async () => {
  const refs = [{ site: 'tmdb', id: 'tv/200' }] as const
  const plays = [
    { season: 1, episode: 1 },
    { season: 3, episode: 14 },
  ]
  expect((await known.match({ refs, plays })).map(numbers)).toEqual([
    [10, 'tmdb', null, [undefined, 1]],
    [null, 'tmdb', 'several_works', [3, 14]],
  ])
  expect((await known.match({ refs, plays }, chosen(12, -12, '1/season/3'))).map(numbers)).toEqual([
    [10, 'tmdb', null, [undefined, 1]],
    [12, 'choice', null, [undefined, 2]],
  ])
})

test('choices belong to a user and a source', async () => {
  const { store, read } = known
  for (const [id, name] of [
    [1, 'mio'],
    [2, 'ritsu'],
  ] as const)
    store.handle
      .query(
        `insert into users (id, username, username_key, name, email, password_hash, created_at)
         values (?1, ?2, ?2, ?2, ?2, '', 0)`,
      )
      .run(id, name)
  const add = store.handle.query(
    'insert into list_choices (user_id, source, source_id, work_id, episode_offset) values (?, ?, ?, ?, ?)',
  )
  add.run(1, 'mal', '20', 2, -12)
  add.run(1, 'trakt', '21', 1, 0)
  add.run(2, 'mal', '22', 1, 0)
  expect(await choicesOf(read, 1, 'mal')).toEqual(new Map([['20', { workId: 2, episodeOffset: -12 }]]))
})
