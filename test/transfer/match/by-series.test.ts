import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Match } from '../../../src/transfer/match/match'
import type { ListRow } from '../../../src/transfer/row'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue } from './catalogue'

let known: MatchedCatalogue
beforeAll(async () => {
  known = await matchedCatalogue([
    // A series of TMDB of which only the third season is stated.
    anime(1, '旅の記録', { ids: { mal: 1001, tmdb: 'tv/100' }, ...estimated(12, '2018-04-01') }),
    anime(2, '旅の記録 第2クール', { ids: { tmdb: 'tv/100' }, ...estimated(13, '2018-10-01') }),
    anime(3, '旅の記録 2期', { ids: { tmdb: 'tv/100/season/3' }, ...estimated(12, '2021-04-01') }),
    anime(4, '旅の記録 特別篇', {
      media: 'ova',
      ids: { tmdb: 'tv/100/season/0/episode/2' },
      ...estimated(1, '2019-01-01'),
    }),
    anime(5, '旅の記録 ちびまんが', { ids: { tmdb: 'tv/100/season/0' }, ...estimated(5, '2018-05-01') }),
    // None of its seasons are stated.
    anime(10, '静かな町', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2010-04-01') }),
    anime(11, '静かな町 続', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2014-04-01') }),
    anime(12, '静かな町 完', { ids: { tmdb: 'tv/200' }, ...estimated(12, '2014-08-01') }),
    // Numbered on by the relations: 31240:26-38 is 39587:1-13.
    anime(20, '繰り返す日々', { ids: { mal: 31240, tmdb: 'tv/300' }, ...estimated(25, '2016-04-03') }),
    anime(21, '繰り返す日々 おまけ', { ids: { tmdb: 'tv/300' }, ...estimated(11, '2016-04-08') }),
    anime(22, '繰り返す日々 2期', { ids: { mal: 39587, tmdb: 'tv/300' }, ...estimated(13, '2020-07-08') }),
    anime(30, 'Monster', { ids: { tmdb: 'tv/400' }, ...estimated(74, '2004-04-07') }),
    anime(40, '双子の星', { ids: { tmdb: 'tv/500' }, ...estimated(12, '1993-04-07') }),
    anime(41, '双子の星', { ids: { tmdb: 'tv/600' }, ...estimated(12, '2012-04-07') }),
    anime(42, '双子の星 3期', { ...estimated(12, '2024-04-07') }),
    // Its second season is stated, the latest is not yet.
    anime(50, '海の本', { ids: { tmdb: 'tv/700' }, ...estimated(12, '2015-04-01') }),
    anime(51, '海の本 2期', { ids: { tmdb: 'tv/700/season/3' }, ...estimated(12, '2018-04-01') }),
    anime(52, '海の本 3期', { ids: { tmdb: 'tv/700/season/3' }, ...estimated(12, '2018-07-01') }),
    anime(53, '海の本 4期', { ids: { tmdb: 'tv/700' }, ...estimated(12, '2025-04-01') }),
    // From the relations: 31478:13-24 is 32867:1-12, even where numbers run on.
    anime(60, '文士', { ids: { mal: 31478, tmdb: 'tv/800' }, ...estimated(12, '2016-04-06') }),
    anime(61, '文士 2期', { ids: { mal: 32867, tmdb: 'tv/800/season/2' }, ...estimated(12, '2019-10-05') }),
    // An earlier work with the same name is in no series.
    anime(70, '空の絵', { media: 'web', season_name: '2010-spring' }),
    anime(71, '空の絵', { ids: { tmdb: 'tv/900' }, ...estimated(12, '2020-04-01') }),
  ])
})
afterAll(() => known.close())

const tmdb = (id: number, season?: number) => [{ site: 'tmdb', id: `tv/${id}`, season }] as const
const played = (...numbers: readonly (readonly [number | undefined, number])[]) =>
  numbers.map(([season, episode]) => ({ season, episode }))
const tell = ({ workId, matchedBy, reason, row }: Match) => [
  workId,
  matchedBy,
  reason,
  ...(row.plays ?? []).map(({ episode }) => episode),
]
const told = async (row: Partial<ListRow>) => (await known.match(row)).map(tell)

test('plays of a series belong to its works, whose episodes they run through', async () => {
  const plays = played([3, 1], [1, 1], [1, 13], [1, 25], [1, 12], [1, 26], [3, 12])
  expect(await told({ refs: tmdb(100), plays })).toEqual([
    [1, 'tmdb', null, 1, 12],
    [2, 'tmdb', null, 1, 13],
    [3, 'tmdb', null, 1, 1, 12],
  ])
})

test('plays of matched works have no season', async () => {
  const [match] = await known.match({ refs: tmdb(100), plays: [{ season: 3, episode: 1, watchedAt: 1 }] })
  expect(match?.row.plays).toEqual([{ episode: 1, watchedAt: 1 }])
})

test('a season that may have begun with another work is in doubt', async () => {
  expect(await told({ refs: tmdb(200), plays: played([2, 1]) })).toEqual([[11, 'tmdb', null, 1]])
  expect(await told({ refs: tmdb(200), plays: played([1, 1], [3, 1], [3, 2]) })).toEqual([
    [10, 'tmdb', null, 1],
    [null, 'tmdb', 'several_works', 1, 2],
  ])
  expect(await told({ refs: tmdb(100), plays: played([2, 1]) })).toEqual([[null, 'tmdb', 'several_works', 1]])
})

test('seasons in doubt are proposed the works near them, and are distinguished by their names', async () => {
  const row = {
    sourceId: '77',
    refs: tmdb(200),
    plays: played([3, 1], [4, 1]),
    note: '良い',
    status: 'watching',
  } as const
  const [third, fourth, ...others] = await known.match(row)
  expect(others).toEqual([])
  expect(third?.row).toMatchObject({ sourceId: '77/season/3', note: '良い', status: 'watching' })
  expect(third?.proposals).toEqual([11, 12, 10])
  expect(fourth?.row).toMatchObject({ sourceId: '77/season/4', plays: played([4, 1]) })
  expect(fourth?.row.note).toBeUndefined()
  expect(fourth?.row.status).toBeUndefined()
})

test('an episode beyond the last work of a series is in doubt unless its list may grow', async () => {
  expect(await told({ refs: tmdb(100), plays: played([3, 14]) })).toEqual([[3, 'tmdb', null, 14]])
  expect((await known.match({ refs: tmdb(100), plays: played([3, 14]) }))[0]?.growsTo).toBe(14)
  expect(await told({ refs: tmdb(100), plays: played([3, 15]) })).toEqual([
    [null, 'tmdb', 'episode_count_differs', 15],
  ])
})

test('a relation says where a series continues', async () => {
  expect(await told({ refs: tmdb(300), plays: played([1, 25], [1, 26], [1, 38]) })).toEqual([
    [20, 'tmdb', null, 25],
    [22, 'tmdb', null, 1, 13],
  ])
})

test('a relation also identifies a work whose episode numbers run on', async () => {
  expect(await told({ refs: tmdb(800), plays: played([2, 13], [2, 12]) })).toEqual([
    [61, 'tmdb', null, 1, 12],
  ])
})

test('without a season, numbers run through a series, without works that are not broadcast as part of it', async () => {
  expect(await told({ refs: tmdb(100), plays: played([undefined, 13], [undefined, 26]) })).toEqual([
    [2, 'tmdb', null, 1],
    [3, 'tmdb', null, 1],
  ])
})

test('a work after the second season is not in the first, and with stated seasons none is counted', async () => {
  expect(await told({ refs: tmdb(700), plays: played([1, 13]) })).toEqual([[51, 'tmdb', null, 1]])
  expect(await told({ refs: tmdb(700), plays: played([2, 1]) })).toEqual([[null, 'tmdb', 'several_works', 1]])
})

test("a series' episode count is not compared with that of one of its works", async () => {
  expect(await told({ refs: tmdb(100), plays: played([1, 1]), total: 37 })).toEqual([[1, 'tmdb', null, 1]])
})

test('a special is found by its address, and in doubt without one', async () => {
  expect(await told({ refs: tmdb(100), plays: played([0, 2], [0, 3]) })).toEqual([
    [4, 'tmdb', null, 1],
    [null, 'tmdb', 'several_works', 3],
  ])
})

test('what is said about a series with plays goes to its first work, its end to the last', async () => {
  const row = {
    status: 'stop_watching',
    note: '良い',
    startedOn: '2020-01-01',
    finishedOn: '2020-02-02',
  } as const
  const [first, last] = await known.match({ ...row, refs: tmdb(100), plays: played([3, 1], [1, 1]) })
  expect(first?.row).toMatchObject({ note: '良い', startedOn: '2020-01-01' })
  expect([first?.row.status, first?.row.finishedOn]).toEqual([undefined, undefined])
  expect(last?.row).toMatchObject({ status: 'stop_watching', finishedOn: '2020-02-02' })
  expect([last?.row.note, last?.row.startedOn]).toEqual([undefined, undefined])
})

test.each([
  ['a wish is about the first work', { refs: tmdb(100), status: 'wanna_watch' }, [[1, 'tmdb', null]]],
  ['a rating is about the first work', { refs: tmdb(100), rating: 'great' }, [[1, 'tmdb', null]]],
  ['a rating of a season is about that', { refs: tmdb(100, 3), rating: 'great' }, [[3, 'tmdb', null]]],
  ['a season that was seen', { refs: tmdb(100, 3), status: 'watched', progress: 'all' }, [[3, 'tmdb', null]]],
  [
    'a season that is two works',
    { refs: tmdb(700, 3), status: 'watched' },
    [
      [51, 'tmdb', null],
      [52, 'tmdb', null],
    ],
  ],
  [
    'a season that may be two works',
    { refs: tmdb(100, 1), status: 'watched' },
    [[null, 'tmdb', 'several_works']],
  ],
  [
    'a season of two works as long as it is',
    { refs: tmdb(100, 1), progress: 'all', total: 25 },
    [
      [1, 'tmdb', null],
      [2, 'tmdb', null],
    ],
  ],
  ['a season with years after it', { refs: tmdb(200, 1), status: 'watched' }, [[10, 'tmdb', null]]],
  ['a series of several works', { refs: tmdb(200), status: 'watched' }, [[null, 'tmdb', 'several_works']]],
  ['a series of one work', { refs: tmdb(400), status: 'watched', progress: 'all' }, [[30, 'tmdb', null]]],
] as const)('a row of a series without plays: %s', async (_, row, matches) => {
  expect(await told(row)).toEqual(matches.map((match) => [...match]))
})

test.each([
  ['its name', { title: '旅の記録' }, [[2, 'title', null, 1]]],
  ['its name and the year that it began', { title: '旅の記録', year: 2018 }, [[2, 'title', null, 1]]],
  ['the title of a later work, counted from there', { title: '旅の記録 2期' }, [[3, 'title', null, 13]]],
  ['another year', { title: '旅の記録', year: 2010, mayBeOther: true }, [[null, null, null, 13]]],
  ['a name of two series', { title: '双子の星' }, [[null, 'title', 'several_works', 13]]],
  ['a name of a series and an earlier work', { title: '空の絵' }, [[null, 'title', 'several_works', 13]]],
  ['a name of two series, and a year', { title: '双子の星', year: 2012 }, [[41, 'title', null, 13]]],
  ['a short name in Latin letters', { title: 'Monster' }, [[30, 'title', 'title_without_year', 13]]],
  ['a short name in Latin letters, and a year', { title: 'Monster', year: 2004 }, [[30, 'title', null, 13]]],
  ['no name of ours', { title: 'どこにもない' }, [[null, null, null, 13]]],
] as const)('a series of which no id is known is found by its name: %s', async (_, row, matches) => {
  const refs = [{ site: 'tvdb', id: '79525' }] as const
  expect(await told({ refs, plays: played([1, 13]), ...row })).toEqual(matches.map((match) => [...match]))
})

test('a series with a different id at TMDB is not matched by name', async () => {
  const row = { title: '旅の記録', refs: tmdb(999), plays: played([1, 1]), mayBeOther: true }
  expect(await told(row)).toEqual([[null, null, null, 1]])
})
