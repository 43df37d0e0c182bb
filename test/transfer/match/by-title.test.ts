import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ListRow } from '../../../src/transfer/row'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue, told } from './catalogue'

let known: MatchedCatalogue
beforeAll(async () => {
  known = await matchedCatalogue([
    anime(1, 'けいおん！', { ids: { mal: 5680 }, ...estimated(14, '2009-04-03') }),
    anime(2, 'けいおん!!', { ids: { mal: 7791 }, ...estimated(26, '2010-04-07') }),
    anime(3, 'アルスラーン戦記', { media: 'ova', season_name: '1991-summer' }),
    anime(4, 'アルスラーン戦記', { ...estimated(25, '2015-04-05') }),
    anime(5, '闇芝居 三期', { media: 'web', season_name: '2016-winter', aliases: ['Yamishibai 3'] }),
    anime(6, '双子の話', { season_name: '2020-winter' }),
    anime(7, '双子の話', { season_name: '2021-winter' }),
    anime(10, '湯けむり', {
      media: 'ova',
      season_name: '2012-summer',
      ids: { tmdb: 'tv/950/season/0/episode/1' },
    }),
    anime(8, 'CANAAN', { season_name: '2009-summer' }),
    anime(9, '四二八', { season_name: '2009-summer', aliases: ['Canaan'] }),
  ])
})
afterAll(() => known.close())

const matching: readonly [string, Partial<ListRow>, readonly unknown[]][] = [
  [
    'its title, year and media',
    { title: 'アルスラーン戦記', year: 2015, media: 'tv' },
    [4, 'title', null, null],
  ],
  ['the other medium and year', { title: 'アルスラーン戦記', year: 1991 }, [3, 'title', null, null]],
  ['the year beside it, in other words', { title: '闇芝居(第3期)', year: 2015 }, [5, 'title', null, null]],
  ['another of its names', { title: 'yamishibai 3rd season', year: 2016 }, [5, 'title', null, null]],
  ['its marks, where years are close', { title: 'けいおん！！', year: 2010 }, [2, 'title', null, null]],
  ['its title, which is another name of another', { title: 'Canaan', year: 2009 }, [8, 'title', null, null]],
  ['no year', { title: '闇芝居 3期' }, [5, 'title', 'title_without_year', null]],
  [
    'no year, and several of other media',
    { title: 'アルスラーン戦記' },
    [null, 'title', 'several_works', null],
  ],
  ['another year', { title: '闇芝居 三期', year: 2019 }, [5, 'title', 'title_differs', null]],
  ['two of one name', { title: '双子の話', year: 2020 }, [null, 'title', 'several_works', null]],
  ['another medium', { title: '闇芝居 三期', year: 2016, media: 'movie' }, [null, null, null, null]],
  ['another season', { title: '闇芝居 2期', year: 2016 }, [null, null, null, null]],
  ['no title', { year: 2016 }, [null, null, null, null]],
]

test.each(matching)('a title matches one work of about the same year: %s', async (_, row, match) => {
  expect((await known.match(row)).map(told)).toEqual([match])
})

test('an id of a site at which the work has another one is in doubt', async () => {
  const row = { title: 'けいおん！', year: 2009, media: 'tv' } as const
  const unknown = [{ site: 'mal', id: '99999' }] as const
  expect((await known.match(row)).map(told)).toEqual([[1, 'title', null, null]])
  expect((await known.match({ ...row, refs: unknown })).map(told)).toEqual([
    [1, 'title', 'title_differs', null],
  ])
})

test.each([
  ['the same series', 'tv/950', 10],
  ['another series', 'tv/95', null],
  ['a film, while it has no id of one', 'movie/951', 10],
  ['nobody knows whether a film or a series', '951', 10],
])('what TMDB has under another id is not meant: %s', async (_, id, work) => {
  const row = { title: '湯けむり', year: 2012, refs: [{ site: 'tmdb', id }], mayBeOther: true } as const
  expect((await known.match(row)).map(({ workId }) => workId)).toEqual([work])
})

test('a list that also has other things than anime skips rows with a different year', async () => {
  const row = { title: '闇芝居 三期', year: 2019, mayBeOther: true }
  expect((await known.match(row)).map(told)).toEqual([[null, null, null, null]])
})

test('works of other seasons, or with a similar title, are proposed if none matches', async () => {
  expect((await known.match({ title: '闇芝居 2期' }))[0]?.proposals).toEqual([5])
  expect((await known.match({ title: 'アルスラーン戦記 風塵乱舞' }))[0]?.proposals).toContain(4)
  expect((await known.match({ title: 'どこにもない' }))[0]?.proposals).toEqual([])
})
