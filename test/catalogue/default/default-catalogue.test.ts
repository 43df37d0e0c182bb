import { beforeAll, describe, expect, test } from 'bun:test'
import { readReadings } from '../../../db/catalogue/readings'
import { buildLines, keysOf, lines, packed, work, works } from '../../support/built-catalogue'

test('a new instance has 17,994 works: all 17,560 that Annict lists, under its ids, and 434 others', () => {
  expect(works).toHaveLength(17994)
  const annictIds = works.flatMap(({ ids }) => ids.annict ?? [])
  expect(annictIds).toHaveLength(17560)
  expect(new Set(annictIds).size).toBe(17560)
})

test('the pack is smaller than a megabyte and a quarter, at the highest compression level', () => {
  expect(packed.length).toBeLessThan(1_250_000)
})

describe('the same packages yield in this process what they yielded in the build:', () => {
  let built: typeof lines
  beforeAll(async () => {
    const readingOf = await readReadings()
    // For a tenth of the titles, the dictionary takes as long as everything else.
    built = buildLines((title) => (Bun.hash(title) % 10n === 0n ? readingOf(title) : undefined))
  })

  test('the same lines', () => {
    const [here, there] = [built, lines].map((all) =>
      all.map((line) => textOf(withoutReadings(line))).join(''),
    )
    expect(here === there).toBe(true)
  })

  test('the same readings of every tenth title', () => {
    const readings = built.flatMap((line, at) => readingsOf(line).map((reading) => ({ reading, at })))
    expect(readings.length).toBeGreaterThan(1000)
    const all = lines.map(readingsOf)
    expect(readings.filter(({ reading, at }) => all[at]?.includes(reading) !== true)).toEqual([])
  })
})

const textOf = (line: object) => `${JSON.stringify(line)}\n`

function withoutReadings({ ...line }: (typeof lines)[number]) {
  if ('search_readings' in line) delete line.search_readings
  return line
}

const readingsOf = (line: (typeof lines)[number]): readonly string[] =>
  'search_readings' in line ? (line.search_readings ?? []) : []

test('no two lines of a kind have the same key, and everything referred to comes before', () => {
  for (const type of ['work', 'series', 'channel', 'channel_group']) {
    expect(keysOf(type).length).toBe(new Set(keysOf(type)).size)
  }
  const series = new Set(keysOf('series'))
  for (const key of works.flatMap((one) => one.series ?? [])) expect(series).toContain(key)
  const order = ['catalogue', 'channel_group', 'channel', 'series', 'work', 'episode']
  const places = lines.map(({ type }) => order.indexOf(type))
  expect(places).toEqual(places.toSorted())
})

test('the first line names the sources of the data, and no time', () => {
  expect(lines[0]).toMatchObject({ type: 'catalogue', version: 1, mode: 'upsert', preserve_ids: ['annict'] })
  expect(lines[0]).not.toHaveProperty('generated_at')
  expect(lines[0]).toHaveProperty(
    'sources',
    [
      { id: 'bangumi-data', license: 'CC-BY-4.0 (changed)', rev: '0.3.208' },
      { id: 'arm', license: 'MIT', rev: '0.225.0' },
      { id: 'bgmd', license: 'MIT (air dates and names only)', rev: '0.0.64' },
      { id: 'anime-sachedule-search-data', license: 'MIT (episode counts only)', rev: '0.1.554' },
      { id: 'kuromoji', rev: '0.1.2' },
      { id: 'arm-supplementary', rev: '2026-08-22' },
      { id: 'anime-relations', license: 'CC0 (episode counts only)', rev: '2026-08-03' },
    ].map((source) => expect.objectContaining(source)),
  )
})

test('a work has its ids, titles, series and schedule', () => {
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

test('every field meets the importer’s rules', () => {
  const sites = new Set(lines.flatMap((line) => (line.type === 'channel' ? [line.ids.site] : [])))
  expect(sites.size).toBe(10)
  for (const one of works) {
    expect(one.title).toMatch(/^\S(.*\S)?$/u)
    if (one.official_site_url) expect(new URL(one.official_site_url).protocol).toMatch(/^https?:$/)
    expect(one.season_name ?? '2000-all').toMatch(/^\d{4}-(winter|spring|summer|autumn|all)$/)
    expect(one.no_episodes).toBe(one.media === 'movie' ? true : undefined)
    for (const stream of one.streams ?? []) expect(sites).toContain(stream.site)
    for (const alias of one.aliases ?? []) expect([one.title, one.title_en]).not.toContain(alias)
  }
})

test('works that ended before 2024 have no schedule, works without an end do', () => {
  expect(work('けいおん！')[0]).not.toHaveProperty('broadcast')
  expect(work('けいおん！')[0]?.streams).toBeUndefined()
  expect(work('ちいかわ')[0]?.broadcast).toEqual({
    begin: '2022-04-03T20:40:00.000Z',
    end: undefined,
    interval: undefined,
  })
  expect(work('ちいかわ')[0]?.episodes_estimate).toBeNull()
})

test('a work has what only the search reads: other names, readings with spaces between words, and how well-known it is', () => {
  const [frieren] = work('葬送のフリーレン')
  expect(frieren?.search_readings).toEqual(['そうそう の ふりー れん'])
  expect(work('劇場版 呪術廻戦 0')[0]?.search_readings).toEqual(['げきじょう ばん じゅじゅつ かいせん 0'])
  expect(frieren?.search_names).toContain('Sousou no Frieren')
  const shown = [frieren?.title, frieren?.title_en, ...(frieren?.aliases ?? [])]
  for (const name of frieren?.search_names ?? []) expect(shown).not.toContain(name)
  expect(work('MONSTER').map((one) => one.search_readings)).toEqual([undefined])
  const [famous, obscure] = [work('鋼の錬金術師 FULLMETAL ALCHEMIST')[0], work('くもとちゅうりっぷ')[0]]
  expect(famous?.popularity).toBeGreaterThan(obscure?.popularity ?? 0)
  for (const { popularity = 1 } of works) expect(Number.isInteger(popularity) && popularity > 0).toBe(true)
})
