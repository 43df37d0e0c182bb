import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance, idsOf, query } from '../support/instance'
import { add } from '../support/seed'

const kiroku = await createInstance()
const { json, store } = kiroku
afterAll(kiroku.close)

const ids = async (params: Record<string, string>) => idsOf(await json(`/v1/works${query(params)}`))

test('GET /v1/works returns a work with all known fields', async () => {
  expect(await json('/v1/works?per_page=1')).toEqual({
    works: [
      {
        id: 1,
        title: '星降る庭',
        title_kana: 'ほしふるにわ',
        title_en: 'Garden of Falling Stars',
        media: 'tv',
        media_text: 'TV',
        season_name: '2021-spring',
        season_name_text: '2021年春',
        released_on: '2021-04-05',
        released_on_about: '2021年春',
        official_site_url: 'https://hoshi.example/',
        wikipedia_url: 'https://ja.wikipedia.example/hoshi',
        twitter_username: 'hoshi_anime',
        twitter_hashtag: 'hoshi',
        syobocal_tid: '9001',
        mal_anime_id: '40001',
        images: {
          facebook: { og_image_url: 'https://hoshi.example/og.png' },
          twitter: {
            mini_avatar_url: 'https://hoshi.example/mini.png',
            normal_avatar_url: 'https://hoshi.example/normal.png',
            bigger_avatar_url: 'https://hoshi.example/bigger.png',
            original_avatar_url: 'https://hoshi.example/original.png',
            image_url: 'https://hoshi.example/card.png',
          },
          recommended_url: 'https://hoshi.example/bigger.png',
          cover_url: expect.stringMatching(/^http:\/\/localhost:3000\/covers\/1\.svg\?v=[0-9a-z]+$/),
        },
        episodes_count: 4,
        watchers_count: 5,
        reviews_count: 2,
        no_episodes: false,
        estimated: false,
      },
    ],
    total_count: 9,
    next_page: 2,
    prev_page: null,
  })
})

test('media, seasons and unknown values have their own texts (D5, D23)', async () => {
  const fields = 'media_text,season_name,season_name_text,released_on,syobocal_tid,no_episodes'
  const { works } = await json(`/v1/works?filter_ids=2,3,4,7&fields=${fields}`)
  const rest = { released_on: '', syobocal_tid: '', no_episodes: false }
  expect(works).toEqual([
    { media_text: 'OVA', season_name: '2021-winter', season_name_text: '2021年冬', ...rest },
    { media_text: '映画', season_name: '2021-all', season_name_text: '2021年', ...rest, no_episodes: true },
    { media_text: 'Web', season_name: '', season_name_text: '', ...rest },
    { media_text: 'その他', season_name: '2022-summer', season_name_text: '2022年夏', ...rest },
  ])
})

const madeCover = /^http:\/\/localhost:3000\/covers\/2\.svg\?v=[0-9a-z]+$/

test('without a chosen image, the first known one is recommended, else none; a cover is always there (D24, D114)', async () => {
  const { works } = await json('/v1/works?filter_ids=2,4&fields=images.recommended_url,images.cover_url')
  expect(works).toEqual([
    { images: { recommended_url: '', cover_url: expect.stringMatching(madeCover) } },
    { images: { recommended_url: 'https://mudai.example/card.png', cover_url: expect.any(String) } },
  ])
  for (const { images } of works)
    expect((await kiroku.ask(images.cover_url.replace('http://localhost:3000', ''))).status).toBe(200)
})

test('a drawing is never recommended, even if a source chose one (D114)', async () => {
  const chosen = (recommended_url: string, og_image_url: string) => ({ recommended_url, og_image_url })
  const recommended = async (columns: object) => {
    await store.write((tx) => tx.updateTable('works').set(columns).where('id', '=', 2).execute())
    return (await json('/v1/works?filter_ids=2')).works[0].images.recommended_url
  }
  const drawings = [
    'https://a.example/logo.svg',
    'https://a.example/logo.SVGZ?v=1',
    'https://a.example/logo.svg#x',
  ]
  for (const drawing of drawings) {
    expect(await recommended(chosen(drawing, ''))).toBe('')
    expect(await recommended(chosen(drawing, 'https://a.example/svg.png'))).toBe('https://a.example/svg.png')
  }
  expect(await recommended(chosen('', ''))).toBe('')
})

test('a work may have no season, or neither a season nor a year', async () => {
  const unknown = { id: 101, title: 'いつか', media: 'tv' }
  await store.write((tx) => add(tx, 'works', [unknown, { ...unknown, id: 102, season_year: 2030 }]))
  const { works } = await json('/v1/works?filter_ids=101,102&fields=season_name')
  store.handle.run('delete from works where id > 100')
  expect(works).toEqual([{ season_name: '' }, { season_name: '2030-all' }])
})

describe('filter_season (D10)', () => {
  test.each(['2021', '21-spring', '2021-fall', '2021-Spring', 'spring-2021', '2021-spring,2021-winter'])(
    '%s is no season',
    async (filter_season) => {
      const refused = await kiroku.get(`/v1/works${query({ filter_season })}`)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(await refused.json())).toContain('filter_season must be <year>-<season>')
    },
  )

  test.each([
    ['2021-spring', [1]],
    ['2021-winter', [2]],
    ['2021-all', [1, 2, 3, 8]],
    ['2020-autumn', [5, 6]],
    ['2020-all', [5, 6]],
    ['2022-all', [7]],
    ['2021-autumn', []],
    ['0000-all', []],
    ['9999-winter', []],
  ])('%s finds %j', async (filter_season, found) => {
    expect(await ids({ filter_season })).toEqual(found)
  })
})

describe('filter_title (D17)', () => {
  test.each([
    ['a part of the title', '降る', [1]],
    ['one character', '恋', [5, 6]],
    ['two characters', 'の恋', [5, 6]],
    ['the whole title', 'ガラスの汽車', [2]],
    ['the reading', 'ふるに', [1]],
    ['the English title, whatever its case', 'fALLING', [1]],
    ['an alias', '別名の', [1]],
    ['an alias, whatever its width', 'star', [1]],
    ['letters of the other width', 'abc', [3]],
    ['full-width letters', 'ｓｔａｒｓ', [1]],
    ['half-width katakana', 'ｶﾞﾗｽ', [2]],
    ['hiragana for katakana', 'がらすの汽車', [2]],
    ['katakana for hiragana', 'ホシフル', [1]],
    ['katakana within a title of both kinds', '海ノ', [3]],
    ['a percent sign, as no letter', '100%', [5, 6]],
    ['a percent sign alone', '%', [5]],
    ['an underscore, as no letter', 'a_b', [3, 7]],
    ['an underscore alone', '_', [7]],
    ['quotes', '"', [10]],
    ['what looks like JSON', '{"a":1}', [10]],
    ['what looks like a tag', '<SCRIPT>', [10]],
    ['what spans two texts of one work', '庭ほし', []],
    ['a hidden work', '消えた', []],
    ['an alias of a hidden work', 'ひみつ', []],
    ['what nobody has', '存在しない', []],
    ['words of a query language', 'a OR b', []],
    ['a star alone', '*', []],
    ['a lone letter of many titles', 'a', [1, 2, 3, 7, 8, 10]],
  ])('finds %s', async (_, filter_title, found) => {
    expect(await ids({ filter_title })).toEqual(found)
  })

  test('finds nothing for a text longer than any title', async () => {
    for (const length of [1001, 20_000]) expect(await ids({ filter_title: '星'.repeat(length) })).toEqual([])
  })

  test('follows changes of a title', async () => {
    const { reindexRow } = await import('../../src/catalogue/search/index-row')
    store.handle.run("update works set title = '新しい名' where id = 4")
    reindexRow(store.handle, 'works', 4)
    expect([await ids({ filter_title: '新しい' }), await ids({ filter_title: '無題' })]).toEqual([[4], []])
    expect((await json('/v1/works?filter_ids=4&fields=title')).works).toEqual([{ title: '新しい名' }])
  })
})

describe('sorts', () => {
  test.each([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8, 10]],
    [{ sort_id: 'desc' }, [10, 8, 7, 6, 5, 4, 3, 2, 1]],
    [{ sort_season: 'asc' }, [5, 6, 2, 1, 8, 3, 7, 4, 10]],
    [{ sort_season: 'desc' }, [7, 3, 8, 1, 2, 5, 6, 4, 10]],
    [{ sort_watchers_count: 'desc' }, [6, 1, 2, 8, 7, 3, 4, 5, 10]],
    [{ sort_watchers_count: 'asc' }, [3, 4, 5, 10, 7, 1, 2, 8, 6]],
    [{ sort_watchers_count: 'desc', sort_season: 'asc' }, [6, 5, 2, 1, 8, 3, 7, 4, 10]],
    [{ sort_season: 'asc', sort_id: 'desc' }, [10, 8, 7, 6, 5, 4, 3, 2, 1]],
  ])('%j', async (sorts: Record<string, string>, order) => {
    expect(await ids(sorts)).toEqual(order)
  })
})

test('filters can be combined', async () => {
  expect(
    await ids({ filter_season: '2021-all', filter_title: 'a', filter_ids: '1,3,7', sort_id: 'desc' }),
  ).toEqual([3, 1])
  const body = await json('/v1/works?filter_season=2021-all&per_page=1&page=2')
  expect([idsOf(body), body.total_count, body.next_page, body.prev_page]).toEqual([[2], 4, 3, 1])
})
