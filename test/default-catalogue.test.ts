import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { claimAnnictIds } from '../db/catalogue/annict-claims'
import { armFinder } from '../db/catalogue/arm'
import { broadcast } from '../db/catalogue/broadcast'
import { buildCatalogue } from '../db/catalogue/catalogue'
import { episodeCount } from '../db/catalogue/episode-count'
import { pack } from '../db/catalogue/pack'
import { plainText } from '../db/catalogue/plain-text'
import { releasedOn } from '../db/catalogue/released-on'
import { seasonName } from '../db/catalogue/season'
import { seriesName } from '../db/catalogue/series-name'
import { type Item, readSources } from '../db/catalogue/sources'
import { streams } from '../db/catalogue/streams'
import { otherTitles } from '../db/catalogue/titles'
import { withKeys } from '../db/catalogue/work-keys'

const sources = readSources()
const lines = buildCatalogue(sources)
const works = lines.filter((line) => line.type === 'work')
const packed = pack(lines)

const work = (title: string) => works.filter((one) => one.title === title)
const keysOf = (type: string) =>
  lines.flatMap((line) => (line.type === type && 'key' in line ? [line.key] : []))
const item = (fields: Partial<Item>): Item => ({
  title: '',
  titleTranslate: {},
  type: 'tv',
  officialSite: '',
  begin: '',
  end: '',
  sites: [],
  ...fields,
})

test('a newcomer gets 8,483 works, 7,522 of them under the ids Annict gives them', () => {
  expect(works).toHaveLength(8483)
  const annictIds = works.flatMap(({ ids }) => ids.annict ?? [])
  expect(annictIds).toHaveLength(7522)
  expect(new Set(annictIds).size).toBe(7522)
})

test('the pack is under a megabyte, and is the catalogue', () => {
  expect(packed.length).toBeLessThan(1_000_000)
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(packed))
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(JSON.parse(JSON.stringify(lines)))
})

test('the same packages make the same bytes', () => {
  expect(Buffer.compare(pack(buildCatalogue(readSources())), packed)).toBe(0)
})

test('no two lines of a kind have one key, and all that is referred to comes before', () => {
  for (const type of ['work', 'series', 'channel', 'channel_group']) {
    expect(keysOf(type).length).toBe(new Set(keysOf(type)).size)
  }
  const series = new Set(keysOf('series'))
  for (const key of works.flatMap((one) => one.series ?? [])) expect(series).toContain(key)
  const order = ['catalogue', 'channel_group', 'channel', 'series', 'work']
  const places = lines.map(({ type }) => order.indexOf(type))
  expect(places).toEqual(places.toSorted())
})

test('the first line names whom the data comes from, and no time', () => {
  expect(lines[0]).toMatchObject({ type: 'catalogue', version: 1, mode: 'upsert', preserve_ids: ['annict'] })
  expect(lines[0]).not.toHaveProperty('generated_at')
  expect(lines[0]).toHaveProperty(
    'sources',
    [
      { id: 'bangumi-data', license: 'CC-BY-4.0 (changed)', rev: '0.3.208' },
      { id: 'arm', license: 'MIT', rev: '0.225.0' },
      { id: 'bgmd', license: 'MIT (air dates only)', rev: '0.0.64' },
      { id: 'anime-sachedule-search-data', license: 'MIT (episode counts only)', rev: '0.1.554' },
    ].map((source) => expect.objectContaining(source)),
  )
})

test('a work carries its ids, titles, series and schedule', () => {
  expect(work('葬送のフリーレン')).toEqual([
    expect.objectContaining({
      key: 'annict:10079',
      ids: {
        annict: 10079,
        mal: 52991,
        anilist: 154587,
        anidb: 17617,
        syobocal: 6776,
        bangumi: 400602,
        tmdb: 'tv/209867',
      },
      title_en: "Frieren: Beyond the Journey's End",
      media: 'tv',
      official_site_url: 'https://frieren-anime.jp/',
      aliases: expect.arrayContaining(['葬送的芙莉莲', '葬送的芙莉蓮']),
      series: ['tmdb:tv/209867'],
      broadcast: { begin: '2023-09-29T14:00:00.000Z', end: '2024-03-22T15:15:00.000Z', interval: 'P7D' },
      streams: expect.arrayContaining([
        { site: 'danime', id: '26609', begin: '2023-09-29T15:00:00.000Z', interval: 'P7D' },
      ]),
    }),
  ])
})

test('every field keeps what an importer asks of it', () => {
  const sites = new Set(lines.flatMap((line) => (line.type === 'channel' ? [line.ids.site] : [])))
  expect(sites.size).toBe(10)
  for (const one of works) {
    expect(one.title).toMatch(/^\S(.*\S)?$/u)
    if (one.official_site_url) expect(new URL(one.official_site_url).protocol).toMatch(/^https?:$/)
    expect(one.season_name).toBe(seasonName(one.released_on ?? ''))
    expect(one.no_episodes).toBe(one.media === 'movie' ? true : undefined)
    for (const stream of one.streams ?? []) expect(sites).toContain(stream.site)
    for (const alias of one.aliases ?? []) expect([one.title, one.title_en]).not.toContain(alias)
  }
})

test('works that ended before 2024 carry no schedule, works without an end do', () => {
  expect(work('けいおん！')[0]).not.toHaveProperty('broadcast')
  expect(work('けいおん！')[0]?.streams).toBeUndefined()
  expect(work('ちいかわ')[0]?.broadcast).toEqual({
    begin: '2022-04-03T20:40:00.000Z',
    end: undefined,
    interval: undefined,
  })
  expect(work('ちいかわ')[0]?.episodes_estimate).toBeUndefined()
})

test.each([
  ['君の名は。', '2016-08-26'],
  ['すずめの戸締まり', '2022-11-11'],
  ['THE FIRST SLAM DUNK', '2022-12-03'],
  ['千と千尋の神隠し', '2001-07-20'],
  ['となりのトトロ', '1988-04-16'],
  ['けいおん！', '2009-04-02'],
])('%s came out on %s, with or without a known air date', (title, date) => {
  expect(work(title).map(({ released_on }) => released_on)).toEqual([date])
  const found = sources.items.find((one) => one.title === title)
  expect(releasedOn(found ?? item({}), undefined)).toBe(date)
})

test.each([
  ['', undefined, null],
  ['2023-13-45T99:00:00.000Z', undefined, null],
  ['2023-13-45T99:00:00.000Z', '2023-02-30', null],
  ['', '2023', null],
  ['', '2023-02-28', '2023-02-28'],
  ['2023-04-01T12:00:00.000Z', '2023-02-30', '2023-04-01'],
  ['2023-04-01T12:00:00.000Z', '2023-04-03', '2023-04-03'],
  ['2023-04-01T12:00:00.000Z', '2023-05-01', '2023-05-01'],
  ['2023-04-01T12:00:00.000Z', '2023-05-02', '2023-04-01'],
  ['2023-04-01T12:00:00.000Z', '2023-01-01', '2023-04-01'],
  ['2023-04-01T19:59:00.000Z', undefined, '2023-04-01'],
  ['2023-04-01T20:00:00.000Z', undefined, '2023-04-02'],
  ['2023-12-31T20:00:00.000Z', undefined, '2024-01-01'],
  ['2023-04-01T16:00:00.000Z', undefined, '2023-04-01'],
])('begun %p, aired %p: released on %p', (begin, airDate, date) => {
  expect(releasedOn({ begin }, airDate)).toBe(date)
})

test('a day alone is a Chinese midnight only in items that have both a comment and a broadcast', () => {
  const begin = '2023-04-01T16:00:00.000Z'
  expect(releasedOn({ begin, comment: '' }, undefined)).toBe('2023-04-01')
  expect(releasedOn({ begin, broadcast: '' }, undefined)).toBe('2023-04-01')
  expect(releasedOn({ begin, comment: '', broadcast: '' }, undefined)).toBe('2023-04-02')
})

const day = fc
  .date({ min: new Date('1917-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

test('whatever a begin and an air date say, the day is a real one or none', () => {
  const texts = fc.oneof(day, fc.string())
  fc.assert(
    fc.property(texts, fc.option(texts, { nil: undefined }), fc.boolean(), (begin, airDate, isNew) => {
      const date = releasedOn(
        isNew ? { begin, comment: '', broadcast: '' } : { begin },
        airDate?.slice(0, 10),
      )
      if (date !== null) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
    }),
  )
})

test('the season is the quarter of the day', () => {
  expect(seasonName('2023-03-31')).toBe('2023-winter')
  expect(seasonName('2023-04-01')).toBe('2023-spring')
  expect(seasonName('2023-09-30')).toBe('2023-summer')
  expect(seasonName('2023-10-01')).toBe('2023-autumn')
  fc.assert(
    fc.property(day, (date) => {
      const [year, season = ''] = seasonName(date.slice(0, 10)).split('-')
      expect(year).toBe(date.slice(0, 4))
      expect(['winter', 'spring', 'summer', 'autumn'].indexOf(season)).toBe(
        Math.floor(new Date(date).getUTCMonth() / 3),
      )
    }),
  )
})

const weeksLater = (weeks: number) => new Date(Date.UTC(2023, 0, 1) + (weeks - 1) * 604_800_000).toISOString()

test.each([
  ['tv', 12, 61, null],
  ['tv', 12, 1787, null],
  ['movie', 1, 1, null],
  ['movie', 1, undefined, null],
  ['tv', 0, undefined, null],
  ['tv', 28, undefined, null],
  ['tv', 120, undefined, null],
  ['ova', 2, undefined, null],
  ['ova', 12, undefined, null],
  ['tv', 12, 60, 60],
  ['tv', 120, 24, 24],
  ['ova', 12, 4, 4],
  ['tv', 12, 0, 12],
  ['tv', 1, undefined, 1],
  ['ova', 1, undefined, 1],
  ['web', 12, undefined, 12],
  ['tv', 14, undefined, 14],
  ['tv', 15, undefined, 14],
  ['tv', 27, undefined, 26],
] as const)('%s over %d weeks, %p episodes known: %p', (type, weeks, known, count) => {
  const spanned = { type, begin: weeksLater(1), end: weeksLater(weeks) }
  expect(episodeCount(spanned, known)).toBe(count)
})

test('a last broadcast that is a little longer or earlier counts as a week all the same', () => {
  const begin = '2023-01-01T12:00:00.000Z'
  expect(episodeCount({ type: 'tv', begin, end: '2023-03-19T12:30:00.000Z' }, undefined)).toBe(12)
  expect(episodeCount({ type: 'tv', begin, end: '2023-03-19T10:00:00.000Z' }, undefined)).toBe(12)
})

test('no end, or no begin, is no count', () => {
  expect(episodeCount({ type: 'tv', begin: weeksLater(1), end: '' }, undefined)).toBeNull()
  expect(episodeCount({ type: 'tv', begin: '', end: weeksLater(1) }, undefined)).toBeNull()
  expect(episodeCount({ type: 'tv', begin: weeksLater(1), end: '' }, 13)).toBe(13)
})

test('a count is never above 60', () => {
  fc.assert(
    fc.property(day, day, fc.option(fc.integer(), { nil: undefined }), (begin, end, known) => {
      const count = episodeCount({ type: 'tv', begin, end }, known) ?? 1
      expect(count).toBeWithin(1, 61)
    }),
  )
  for (const { episodes_estimate = 1 } of works) expect(episodes_estimate).toBeWithin(1, 61)
})

test.each([
  ['nicovideo', '2022-12-17T12:00:00.000Z', 0],
  ['nicovideo', '2023-01-31T12:01:00.000Z', 0],
  ['bilibili', '2023-01-01T12:00:00.000Z', 0],
  ['broadcast', '2023-01-01T12:00:00.000Z', 0],
  ['nicovideo', '', 0],
  ['nicovideo', 'soon', 0],
  ['nicovideo', '2022-12-18T12:00:00.000Z', 1],
  ['nicovideo', '2023-01-31T12:00:00.000Z', 1],
])('a work of 1 January on %s from %p: %d streams', (site, begin, count) => {
  const sites = [{ site, id: 'x', begin }]
  expect(streams({ begin: '2023-01-01T12:00:00.000Z', sites })).toHaveLength(count)
  expect(streams({ begin: '', sites })).toEqual([])
})

test('a broadcast needs an hour, a rule, or an end still to come', () => {
  const begin = '2025-01-05T16:00:00.000Z'
  const end = '2025-03-23T16:00:00.000Z'
  expect(broadcast(item({ begin, end }))).toBeNull()
  expect(broadcast(item({ end }))).toBeNull()
  expect(broadcast(item({ type: 'movie', begin: '2025-01-05T12:00:00.000Z' }))).toBeNull()
  expect(broadcast(item({ type: 'ova', begin: '2025-01-05T12:00:00.000Z' }))).toBeNull()
  expect(broadcast(item({ begin }))).toEqual({ begin })
  expect(broadcast(item({ begin, end, broadcast: `R/${begin}/P0D` }))).toEqual({ begin, end })
  expect(broadcast(item({ begin, end, broadcast: `R/${begin}/P7D` }))).toEqual({
    begin,
    end,
    interval: 'P7D',
  })
})

test('a long runner is on air in the slot it moved to', () => {
  const begin = '1996-01-08T10:30:00.000Z'
  const moved = '2009-04-04T09:00:00.000Z'
  expect(broadcast(item({ begin, broadcast: `R/${moved}/P7D` }))?.begin).toBe(moved)
  expect(
    broadcast(item({ begin, end: '1997-01-01T10:30:00.000Z', broadcast: `R/${moved}/P7D` }))?.begin,
  ).toBe(begin)
})

test.each([
  [['けいおん！', 'けいおん！！'], 'けいおん！'],
  [['TRIGUN STAMPEDE', 'TRIGUN STARGAZE'], 'TRIGUN'],
  [['おしえて！ギャル子ちゃん', 'おしえて! ギャル子ちゃん OAD'], 'おしえて！ギャル子ちゃん'],
  [['ピアノの森(TVシリーズ)', 'ピアノの森(TVシリーズ 第2シリーズ)'], 'ピアノの森'],
  [['DARKER THAN BLACK -黒の契約者-', 'DARKER THAN BLACK -流星の双子-'], 'DARKER THAN BLACK'],
  [['るろうに剣心 -浪漫譚-(2023)', 'るろうに剣心 -浪漫譚- 京都動乱'], 'るろうに剣心 -浪漫譚-'],
  [['ドルアーガの塔 ～the Aegis～', 'ドルアーガの塔 ～the Sword～'], 'ドルアーガの塔'],
  [['GANTZ ～the first stage～', 'GANTZ 〜the 2nd stage〜'], 'GANTZ'],
  [['スマーフ シーズン2', 'スマーフ シーズン3'], 'スマーフ'],
  [["銀魂'", '銀魂 THE FINAL'], "銀魂'"],
  [['Re:ゼロ', 'Re:プチ'], 'Re:ゼロ'],
])('%p are the series %p', (titles, name) => {
  expect(seriesName(titles.map((title) => ({ type: 'tv', title })))).toBe(name)
})

test('a series without a shared name is called after its first work on television', () => {
  const parts = [
    { type: 'movie', title: '序章' },
    { type: 'tv', title: '本編' },
  ] as const
  expect(seriesName([...parts])).toBe('本編')
})

test('other titles leave out what differs only in width or case', () => {
  const titleTranslate = {
    en: ['K-ON!', 'Keion'],
    'zh-Hans': ['轻音少女', 'ｋ-on!', ''],
    'zh-Hant': ['輕音部'],
  }
  expect(otherTitles(item({ title: 'けいおん！', titleTranslate }))).toEqual({
    english: 'K-ON!',
    aliases: ['Keion', '輕音部', '轻音少女'],
  })
  expect(otherTitles(item({ title: 'MOON' }))).toEqual({ english: undefined, aliases: [] })
})

test('titles are plain text', () => {
  expect(plainText(' TIGER &amp; BUNNY\ufeff &lt;2&gt;\t')).toBe('TIGER & BUNNY <2>')
  expect(plainText('A & B &c;')).toBe('A & B &c;')
  expect(work('TIGER & BUNNY 2')).toHaveLength(1)
})

test('an Annict id that several parts of a work ask for goes to the one that is most like the whole', () => {
  const keptBy = (annictId: number) =>
    works.filter(({ ids }) => ids.annict === annictId).map(({ title }) => title)
  expect(keptBy(2457)).toEqual(['ONE PIECE'])
  expect(keptBy(9514)).toEqual(['進撃の巨人 The Final Season 完結編 前編'])
  expect(keptBy(10985)).toEqual(['Fate/strange Fake(TVシリーズ)'])
  expect(keptBy(13894)).toEqual(['Re:ゼロから始める異世界生活 3rd season'])
  expect(keptBy(9283)).toEqual(['ヤマトよ永遠に REBEL3199 第一章 黒の侵略'])
})

test('who keeps an Annict id does not depend on the order of the items', () => {
  const find = armFinder(sources.armRows)
  const kept = claimAnnictIds(sources.items, find)
  const reversed = claimAnnictIds(sources.items.toReversed(), find)
  expect(reversed.size).toBe(kept.size)
  for (const [one, annictId] of kept) expect(reversed.get(one)).toBe(annictId)
})

test('a key is the Annict id, else an id no other work has, else the title', () => {
  const keys = withKeys([
    { item: { title: 'A' }, ids: { annict: 1, bangumi: 5 } },
    { item: { title: 'B' }, ids: { bangumi: 5, mal: 7 } },
    { item: { title: 'C' }, ids: { bangumi: 6, mal: 8 } },
    { item: { title: 'D' }, ids: { bangumi: 5 } },
    { item: { title: 'D' }, ids: {} },
  ]).map(({ key }) => key)
  expect(keys).toEqual(['annict:1', 'mal:7', 'bangumi:6', 'title:D', 'title:D (2)'])
})
