import { afterAll, beforeAll, expect, test } from 'bun:test'
import { anime, estimated, type MatchedCatalogue, matchedCatalogue, told } from './catalogue'

let known: MatchedCatalogue
beforeAll(async () => {
  known = await matchedCatalogue([
    anime(1, '六花の勇者', { ids: { mal: 28497, anilist: 20955 }, ...estimated(12, '2015-04-05') }),
    anime(2, '進撃の巨人 前編', { media: 'movie', ids: { mal: 23775, tmdb: 'movie/313032' } }),
    anime(3, '襲撃編', { ids: { mal: 54857 }, ...estimated(8, '2024-10-02') }),
    anime(4, '反撃編', { ids: { mal: 54857 }, ...estimated(8, '2025-02-05') }),
    anime(5, 'ふたつある作品', { ids: { mal: 500 }, ...estimated(12, '2010-04-01') }),
    anime(6, 'ふたつある作品 特別篇', { ids: { mal: 500 }, media: 'ova', ...estimated(1, '2011-04-01') }),
    anime(7, '名探偵', { ids: { mal: 235 }, season_name: '1996-winter' }),
    anime(8, '全部わかる作品', { ids: { mal: 800 }, released_on: '2001-01-05' }),
    ...Array.from({ length: 7 }, (_, n) =>
      anime(20 + n, `銀河 第${n + 1}章`, { media: 'movie', ids: { mal: 900 } }),
    ),
    ...Array.from({ length: 10 }, (_, n) => ({
      type: 'episode',
      key: `e:${n}`,
      work: 'annict:8',
      number: String(n + 1),
      sort_number: (n + 1) * 10,
    })),
  ])
})
afterAll(() => known.close())

const mal = (id: number) => [{ site: 'mal', id: String(id) }] as const

test('a row matches the work of its first known id', async () => {
  const refs = [{ site: 'mal', id: '999' }, { site: 'anilist', id: '20955' }, ...mal(23775)] as const
  expect((await known.match({ refs })).map(told)).toEqual([[1, 'anilist', null, null]])
  const movie = [{ site: 'tmdb', id: 'movie/313032' }] as const
  expect((await known.match({ refs: movie, progress: 1, total: 1 })).map(told)).toEqual([
    [2, 'tmdb', null, null],
  ])
})

test("an id of this instance counts only with its work's title", async () => {
  const refs = [{ site: 'work', id: '1' }] as const
  expect((await known.match({ refs, title: '六花の勇者！' })).map(told)).toEqual([[1, 'work', null, null]])
  expect((await known.match({ refs, title: '別の作品' })).map(told)).toEqual([[null, null, null, null]])
})

test.each([
  ['as many as there are', { progress: 12, total: 12 }, [1, 'mal', null, null]],
  ['fewer', { progress: 3, total: 11 }, [1, 'mal', null, null]],
  ['a few more, of which none was seen', { progress: 3, total: 14 }, [1, 'mal', null, null]],
  ['a few more', { progress: 14, total: 14 }, [1, 'mal', null, 14]],
  ['a few more, all seen', { progress: 'all', total: 13 }, [1, 'mal', null, 13]],
  ['too many', { progress: 15, total: 15 }, [1, 'mal', 'episode_count_differs', null]],
  ['too many of which few were seen', { progress: 1, total: 24 }, [1, 'mal', 'episode_count_differs', null]],
  ['no total, too many plays', { plays: [{ episode: 30 }] }, [1, 'mal', 'episode_count_differs', null]],
  ['no total, one play more', { plays: [{ episode: 13 }] }, [1, 'mal', null, 13]],
  ['no total, one more ticked', { watched: [1, 13] }, [1, 'mal', null, 13]],
] as const)(
  'a list that nobody listed grows by a few, a larger difference is in doubt: %s',
  async (_, row, match) => {
    expect((await known.match({ refs: mal(28497), ...row })).map(told)).toEqual([[...match]])
  },
)

test('a list with a listed end does not grow', async () => {
  const refs = mal(800)
  expect((await known.match({ refs, progress: 10, total: 10 })).map(told)).toEqual([[8, 'mal', null, null]])
  expect((await known.match({ refs, progress: 11, total: 11 })).map(told)).toEqual([
    [8, 'mal', 'episode_count_differs', null],
  ])
})

test('a list of unknown length grows to what was watched, up to 2,000', async () => {
  const refs = mal(235)
  expect((await known.match({ refs, progress: 1100 })).map(told)).toEqual([[7, 'mal', null, 1100]])
  expect((await known.match({ refs, progress: 2001 })).map(told)).toEqual([
    [7, 'mal', 'episode_count_differs', null],
  ])
})

test('a row runs through several works of one id if they have as many episodes', async () => {
  const refs = mal(54857)
  const own = { reviews: [], laps: [{ number: 2, startedAt: 1 }], skips: [] }
  const said = { note: '面白い', startedOn: '2024-10-02', own, rating: 'great' } as const
  const row = { refs, total: 16, progress: 11, status: 'watching', ...said } as const
  const [first, second, ...others] = await known.match(row)
  expect(others).toEqual([])
  expect(first).toMatchObject({ workId: 3, matchedBy: 'mal', reason: null })
  expect(first?.row).toMatchObject({ progress: 8, total: 8, status: 'watched', ...said })
  expect(second).toMatchObject({ workId: 4, matchedBy: 'mal', reason: null })
  expect(second?.row).toMatchObject({ progress: 3, total: 8, status: 'watching' })
  const { note, startedOn, own: ownOfSecond, rating } = second?.row ?? {}
  expect([note, startedOn, ownOfSecond, rating]).toEqual([undefined, undefined, undefined, undefined])
})

test('a work that a row does not reach is left out, unless the row is about all of them', async () => {
  const row = { refs: mal(54857), total: 16 }
  const statuses = async (more: object): Promise<readonly (readonly unknown[])[]> =>
    (await known.match({ ...row, ...more })).map(({ workId, row: { status, progress } }) => [
      workId,
      status,
      progress,
    ])
  expect(await statuses({ progress: 5, status: 'on_hold' })).toEqual([[3, 'on_hold', 5]])
  expect(await statuses({ rating: 'great' })).toEqual([[3, undefined, undefined]])
  for (const status of ['watched', 'wanna_watch'])
    expect(await statuses({ status })).toEqual([
      [3, status, undefined],
      [4, status, undefined],
    ])
})

test('films that share an id count as one episode each', async () => {
  const films = await known.match({ refs: mal(900), total: 7, progress: 2, status: 'stop_watching' })
  expect(films.map(({ workId, row: { status } }) => [workId, status])).toEqual([
    [20, 'watched'],
    [21, 'stop_watching'],
  ])
  const [match] = await known.match({ refs: mal(900), total: 1 })
  expect(match?.proposals).toEqual([20, 21, 22, 23, 24])
})

test.each([
  ['another total', { total: 12, progress: 12 }],
  ['no total', { progress: 12 }],
])('several works of one id are in doubt otherwise: %s', async (_, row) => {
  const [match, ...others] = await known.match({ refs: mal(54857), ...row })
  expect(others).toEqual([])
  expect(match).toMatchObject({ workId: null, reason: 'several_works', proposals: [3, 4] })
})

test('of several works of one id, the one with the title and enough episodes is matched', async () => {
  const refs = mal(500)
  const row = { refs, title: 'ふたつある作品', progress: 12 }
  expect((await known.match({ ...row, total: 12 })).map(told)).toEqual([[5, 'mal', null, null]])
  expect((await known.match(row)).map(told)).toEqual([[null, 'mal', 'several_works', null]])
  expect((await known.match({ ...row, total: 24 })).map(told)).toEqual([[null, 'mal', 'several_works', null]])
})

test('a row that could not be read or is not anime is not looked up', async () => {
  const refs = mal(28497)
  for (const row of [
    { error: 'episode must be a number' },
    { skipped: 'not_anime' },
    { skipped: 'list' },
  ] as const)
    expect((await known.match({ refs, ...row })).map(told)).toEqual([[null, null, null, null]])
  for (const skipped of ['private', 'duplicate_in_file', 'nothing_to_import'] as const)
    expect((await known.match({ refs, skipped })).map(told)).toEqual([[1, 'mal', null, null]])
})
