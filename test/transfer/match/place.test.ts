import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Choices } from '../../../src/transfer/match/choices'
import { place } from '../../../src/transfer/match/place'
import type { SaidPlay } from '../../../src/transfer/match/said-play'
import { indexTitles, type TitleIndex, titleKey } from '../../../src/transfer/match/title-index'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue } from './catalogue'

let known: MatchedCatalogue
let titles: TitleIndex
beforeAll(async () => {
  known = await matchedCatalogue([
    // Two works in the first season, as TMDB counts them; the third is its second.
    anime(1, '旅の記録', { ids: { mal: 1001, tmdb: 'tv/100' }, ...estimated(12, '2018-04-01') }),
    anime(2, '旅の記録 第2クール', { ids: { mal: 1002, tmdb: 'tv/100' }, ...estimated(13, '2018-10-01') }),
    anime(3, '旅の記録 帰り道', {
      ids: { mal: 1003, tmdb: 'tv/100/season/2' },
      ...estimated(12, '2021-04-01'),
    }),
    anime(4, '旅の記録 特別篇', { media: 'ova', ids: { tmdb: 'tv/100/season/0/episode/2' } }),
    anime(5, '旅の記録 外伝', {
      media: 'ova',
      ids: { tmdb: 'tv/100/season/0' },
      released_on: '2019-08-03',
      season_name: '2019-summer',
    }),
    // A long work and what follows it.
    anime(10, '長い物語', { ids: { mal: 1010, tmdb: 'tv/200' }, ...estimated(220, '2002-10-03') }),
    anime(11, '長い物語 疾風', {
      ids: { mal: 1011, tmdb: 'tv/200' },
      season_name: '2007-winter',
      released_on: '2007-02-15',
    }),
    anime(20, '同じ名前', { ids: { tmdb: 'tv/300' }, ...estimated(12, '2001-04-01') }),
    anime(21, '同じ名前', { ids: { tmdb: 'tv/301' }, ...estimated(12, '2020-04-01') }),
    anime(30, 'MONSTER', { ids: { tmdb: 'tv/400' }, ...estimated(74, '2004-04-07') }),
    anime(40, '一度に', { media: 'web', ids: { tmdb: 'tv/500' }, ...estimated(12, '2021-12-01') }),
    anime(41, '一度に 続き', { media: 'web', ids: { tmdb: 'tv/500' }, ...estimated(12, '2022-09-01') }),
    anime(50, '雨の映画', {
      media: 'movie',
      ids: { tmdb: 'movie/600' },
      released_on: '2016-08-26',
      season_name: '2016-summer',
    }),
    // The films cut from a series, which have its id, as 宇宙戦艦ヤマト2199 has in the default catalogue.
    anime(52, '星の海', { ids: { mal: 1052 }, ...estimated(26, '2013-04-07') }),
    anime(53, '星の海（映画）', {
      media: 'movie',
      ids: { mal: 1052 },
      released_on: '2012-04-07',
      season_name: '2012-spring',
    }),
    anime(51, '雪の映画', { media: 'movie', released_on: '2018-08-26', season_name: '2018-summer' }),
    // From the relations: 31240:26-38 is 39587:1-13, which TMDB has elsewhere here.
    anime(60, '繰り返す日々', { ids: { mal: 31240 }, ...estimated(25, '2016-04-03') }),
    // The first season can only be the first work, soon after which the second begins.
    anime(70, '夏の話', { ids: { tmdb: 'tv/700' }, ...estimated(12, '2008-07-03') }),
    anime(71, '夏の話 玄', { ids: { tmdb: 'tv/700/season/2' }, ...estimated(12, '2009-01-05') }),
    // Whether the third begins the third season, or goes on with it, nobody knows.
    anime(80, '冬の話', { ids: { tmdb: 'tv/800' }, ...estimated(12, '2008-07-03') }),
    anime(81, '冬の話 二', { ids: { tmdb: 'tv/800' }, ...estimated(12, '2010-01-05') }),
    anime(82, '冬の話 三', { ids: { tmdb: 'tv/800/season/2' }, ...estimated(12, '2010-07-05') }),
    anime(61, '繰り返す日々 二', { ids: { mal: 39587 }, ...estimated(13, '2020-07-08') }),
  ])
  titles = await indexTitles(known.read)
})
afterAll(() => known.close())

async function told(said: Partial<SaidPlay>, choices: Choices = new Map()): Promise<unknown> {
  const whole = { titles: [], refs: [], isMovie: false, episode: 1, ...said }
  const found = await place(known.read, { titles, choices }, whole)
  return 'work' in found
    ? [found.work.id, found.episode, found.rule]
    : [found.reason, ...found.proposals.map(({ id }) => id)]
}

const series = (id: number) => [{ site: 'tmdb', id: `tv/${id}` }] as const
const mal = (id: number) => [{ site: 'mal', id: String(id) }] as const

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['season and number', { season: 1, episode: 13 }, [2, 1, 'season']],
  ['a date that agrees', { season: 1, episode: 13, airDate: '2018-10-01' }, [2, 1, 'season']],
  ['a date that does not', { season: 1, episode: 1, airDate: '2018-10-01' }, [2, 1, 'air_date']],
  ['a season that runs on', { season: 2, episode: 27, airDate: '2021-04-08' }, [3, 2, 'air_date']],
  ['a day before its beginning', { season: 1, episode: 1, airDate: '2018-03-30' }, [1, 1, 'season']],
  ['three days before it', { season: 1, episode: 1, airDate: '2018-03-29' }, [1, 1, 'season']],
  ['four days before it', { season: 1, episode: 1, airDate: '2018-03-28' }, ['no_episode', 1, 2, 3]],
  ['two weeks off', { season: 1, episode: 3, airDate: '2018-05-01' }, [1, 3, 'season']],
  ['months off', { season: 1, episode: 3, airDate: '2018-09-01' }, ['no_episode', 1, 2, 3]],
  ['long before', { season: 1, episode: 3, airDate: '2011-09-01' }, ['no_episode', 1, 2, 3]],
  ['a number that no work has', { season: 2, episode: 40 }, ['no_episode', 1, 2, 3]],
  ['a season that no work is', { season: 7, episode: 1 }, ['several_works', 3, 1, 2]],
  ['a special by its address', { season: 0, episode: 2 }, [4, 1, 'special']],
  ['a special by its day', { season: 0, episode: 9, airDate: '2019-08-01' }, [5, 1, 'special']],
  ['a special of another day', { season: 0, episode: 9, airDate: '2019-09-01' }, ['special', 1, 2, 3]],
  ['a special without a day', { season: 0, episode: 9 }, ['special', 1, 2, 3]],
])('an episode of a TMDB series: %s', async (_, said, expected) => {
  expect(await told({ refs: series(100), ...said })).toEqual([...expected])
})

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['soon after the only one before it', { refs: series(700), season: 2, episode: 3 }, [71, 3, 'season']],
  ['the one before it', { refs: series(700), season: 1, episode: 12 }, [70, 12, 'season']],
  ['soon after one of two', { refs: series(800), season: 2, episode: 3 }, ['several_works', 80, 81, 82]],
])('a season that is stated: %s', async (_, said, expected) => {
  expect(await told(said)).toEqual([...expected])
})

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['its own number', { refs: mal(1001), episode: 12 }, [1, 12, 'work_id']],
  ['no number of its', { refs: mal(1001), season: 1, episode: 14 }, [2, 2, 'work_id']],
  ['the first id, a later season', { refs: mal(1001), season: 2, episode: 3 }, [3, 3, 'season']],
  ['a relation to where it goes on', { refs: mal(31240), episode: 27 }, [61, 2, 'work_id']],
  ['nobody’s', { refs: mal(4), episode: 1 }, ['no_work']],
  ['no number at all', { refs: mal(1003), episode: 90 }, ['no_episode', 3, 1, 2]],
])('an episode by the id of a work: %s', async (_, said, expected) => {
  expect(await told(said)).toEqual([...expected])
})

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['the series’ name', { titles: ['旅の記録'], season: 1, episode: 25 }, [2, 13, 'season']],
  ['a name with the year', { titles: ['旅の記録 (2018)'], season: 1, episode: 25 }, [2, 13, 'season']],
  ['a second name', { titles: ['Rejsen', '旅の記録'], season: 1 }, [1, 1, 'season']],
  ['a later work’s title', { titles: ['旅の記録 帰り道'], season: 1, episode: 5 }, [3, 5, 'own_title']],
  ['the same, by its season', { titles: ['旅の記録 帰り道'], season: 2, episode: 5 }, [3, 5, 'own_title']],
  ['no season', { titles: ['旅の記録'], episode: 14 }, [2, 2, 'own_title']],
  ['two series', { titles: ['同じ名前'], season: 1 }, ['several_works', 20, 21]],
  ['two series and a year', { titles: ['同じ名前'], season: 1, year: 2020 }, [21, 1, 'season']],
  ['two series and a day', { titles: ['同じ名前'], season: 1, airDate: '2001-04-01' }, [20, 1, 'season']],
  ['two series, no season', { titles: ['同じ名前'] }, ['several_works', 20, 21]],
  ['another year', { titles: ['旅の記録'], season: 1, year: 2030 }, ['no_work', 1, 2]],
  ['a common name', { titles: ['Monster'], season: 1 }, ['title_only', 30]],
  ['its exact title', { titles: ['MONSTER'], season: 1 }, [30, 1, 'season']],
  ['a common name and a year', { titles: ['Monster'], season: 1, year: 2004 }, [30, 1, 'season']],
  ['no name', { titles: [] }, ['no_work']],
  ['nobody’s name', { titles: ['どこにもない'], season: 1 }, ['no_work']],
])('an episode by name: %s', async (_, said, expected) => {
  const found = await told(said)
  expect(expected[0] === 'no_work' ? [found].flat().slice(0, expected.length) : found).toEqual([...expected])
})

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['a season within it', { season: 2, episode: 1 }, ['numbering', 10, 11]],
  ['the same with its day', { season: 5, episode: 100, airDate: '2004-09-01' }, [10, 100, 'air_date']],
  ['an eighth of its weeks off', { season: 5, episode: 105, airDate: '2005-01-13' }, [10, 105, 'air_date']],
  ['more than that off', { season: 5, episode: 104, airDate: '2005-01-13' }, ['numbering', 11, 10]],
  ['a number of the first season', { season: 1, episode: 130, airDate: '2005-04-01' }, [10, 130, 'season']],
  ['a day that fits no number', { season: 4, episode: 1, airDate: '2005-04-01' }, ['numbering', 11, 10]],
  [
    'a number of the later one',
    { titles: ['長い物語 疾風'], refs: [], season: 1, episode: 400 },
    [11, 400, 'own_title'],
  ],
])('seasons inside a long work say nothing by themselves: %s', async (_, said, expected) => {
  expect(await told({ refs: series(200), ...said })).toEqual([...expected])
})

test('an id that title and time contradict is not believed, and both works are proposed', async () => {
  const said = { refs: series(100), titles: ['MONSTER'], season: 1, episode: 2 }
  expect(await told({ ...said, airDate: '2004-04-14' })).toEqual(['contradiction', 30, 1, 2, 3])
  expect(await told({ ...said, year: 2004 })).toEqual(['contradiction', 30, 1, 2, 3])
  expect(await told({ ...said, refs: mal(1001), airDate: '2004-04-14' })).toEqual(['contradiction', 30, 1])
  expect(await told({ ...said, airDate: '2018-04-08' })).toEqual([1, 2, 'season'])
  expect(await told(said)).toEqual([1, 2, 'season'])
  expect(await told({ ...said, titles: ['旅の記録'], year: 2004 })).toEqual([1, 2, 'season'])
})

test('an id is contradicted by a day two weeks before its first work, or two months after its last', async () => {
  const first = async (airDate: string) =>
    [await told({ refs: series(100), titles: ['MONSTER'], season: 1, episode: 2, airDate })].flat()[0]
  expect([await first('2018-03-17'), await first('2018-03-18')]).toEqual(['contradiction', 'no_episode'])
  expect([await first('2021-08-23'), await first('2021-08-24')]).toEqual(['no_episode', 'contradiction'])
})

test('of a series and the films cut from it that share an id, an episode is of the series', async () => {
  expect(await told({ refs: mal(1052), season: 1, episode: 26 })).toEqual([52, 26, 'work_id'])
  expect(await told({ refs: mal(1052), season: 1, episode: 1 })).toEqual([52, 1, 'work_id'])
  expect(await told({ refs: mal(1052), isMovie: true, episode: 0 })).toEqual([53, null, 'work_id'])
})

test('a film has one episode at most', async () => {
  const film = [{ site: 'tmdb', id: 'movie/600' }] as const
  expect(await told({ refs: film, season: 1, episode: 1 })).toEqual([50, null, 'work_id'])
  expect(await told({ refs: film, season: 1, episode: 2 })).toEqual(['no_episode', 50])
})

test('where all episodes came at once, the number decides', async () => {
  const said = { refs: series(500), season: 2, airDate: '2022-09-01' }
  expect(await told({ ...said, episode: 12 })).toEqual([41, 12, 'season'])
  expect(await told({ ...said, airDate: '2022-10-20', episode: 1 })).toEqual(['no_episode', 40, 41])
})

test.each<[string, Partial<SaidPlay>, readonly unknown[]]>([
  ['its id', { refs: [{ site: 'tmdb', id: 'movie/600' }] }, [50, null, 'work_id']],
  ['its title and year', { titles: ['雪の映画'], year: 2018 }, [51, null, 'title']],
  ['its title and day', { titles: ['雪の映画'], airDate: '2018-08-26' }, [51, null, 'title']],
  ['its title alone', { titles: ['雪の映画'] }, ['title_only', 51]],
  ['another year', { titles: ['雪の映画'], year: 2010 }, ['no_work', 51]],
  ['a series’ title', { titles: ['旅の記録'], year: 2018 }, ['no_work']],
])('a film: %s', async (_, said, expected) => {
  expect(await told({ isMovie: true, ...said })).toEqual([...expected])
})

test('what the person chose for a season of a series goes before everything else', async () => {
  const byId: Choices = new Map([['tmdb:200/season/2', { workId: 10, episodeOffset: 32 }]])
  expect(await told({ refs: series(200), season: 2, episode: 1 }, byId)).toEqual([10, 33, 'taught'])
  expect(await told({ refs: series(200), season: 3, episode: 1 }, byId)).toEqual(['numbering', 11, 10])
  const byTitle: Choices = new Map([
    [`title:${titleKey('長い物語')}/season/2`, { workId: 10, episodeOffset: 32 }],
  ])
  expect(await told({ titles: ['長い物語'], season: 2, episode: 1 }, byTitle)).toEqual([10, 33, 'taught'])
  const other = { titles: ['長い物語'], refs: series(999), season: 2, episode: 1 }
  expect(await told(other, byTitle)).toEqual(['no_work'])
})
