import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ListRow } from '../../../src/transfer/row'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue } from './catalogue'

let known: MatchedCatalogue
beforeAll(async () => {
  known = await matchedCatalogue([
    anime(1, '旅の記録', {
      ids: { mal: 1001, tmdb: 'tv/100' },
      title_en: 'Travel',
      ...estimated(12, '2018-04-01'),
    }),
    anime(2, '旅の記録 2期', { ids: { mal: 1002, tmdb: 'tv/100/season/2' }, ...estimated(12, '2022-04-01') }),
    anime(3, '空の絵', { ids: { tmdb: 'tv/300' }, ...estimated(12, '2010-04-01') }),
    anime(4, '森の映画', {
      media: 'movie',
      ids: { tmdb: 'movie/400' },
      released_on: '2015-07-01',
      season_name: '2015-summer',
    }),
    anime(5, '名もない年', { ids: { tmdb: 'tv/500' } }),
  ])
})
afterAll(() => known.close())

const series = (id: number) => [{ site: 'tmdb', id: `tv/${id}` }] as const
const played = { plays: [{ season: 1, episode: 1 }] }
const told = async (row: Partial<ListRow>) =>
  (await known.match(row)).map(({ workId, reason, proposals }) => [workId, reason, ...proposals])

test('a TMDB id that title and year both contradict is not believed: both works are proposed', async () => {
  const row = { refs: series(100), title: '空の絵', year: 2010, ...played }
  expect(await told(row)).toEqual([[null, 'title_differs', 3, 1, 2]])
  expect(await told({ ...row, title: 'Nobody knows this' })).toEqual([[null, 'title_differs', 1, 2]])
  const film = {
    refs: [{ site: 'tmdb', id: 'movie/400' }],
    media: 'movie',
    year: 2001,
    title: '空の絵',
  } as const
  expect(await told(film)).toEqual([[null, 'title_differs', 3, 4]])
  const mal = { refs: [{ site: 'mal', id: '1001' }], title: '空の絵', year: 2010, progress: 1 } as const
  expect(await told(mal)).toEqual([[null, 'title_differs', 3, 1]])
})

test('one of the two alone casts no doubt', async () => {
  for (const row of [
    { title: 'Rejsen', year: 2018 },
    { title: 'Rejsen', year: 2019 },
    { title: 'Rejsen', year: 2022 },
    { title: '旅の記録', year: 2001 },
    { title: 'TRAVEL', year: 2001 },
    { title: '旅の記録 第2期', year: 2001 },
    { title: 'Rejsen' },
    { year: 2001 },
  ])
    expect([row, await told({ refs: series(100), ...row, ...played })]).toEqual([row, [[1, null]]])
  const unknown = { refs: series(500), title: 'Rejsen', year: 2001, ...played }
  expect(await told(unknown)).toEqual([[5, null]])
})

test('a choice of the user is believed', async () => {
  const row = { refs: series(100), title: '空の絵', year: 2010, ...played }
  const chosen = new Map([['1', { workId: 1, episodeOffset: 0 }]])
  expect((await known.match(row, chosen)).map(({ workId }) => workId)).toEqual([1])
})
