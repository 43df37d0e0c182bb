import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readCorrections } from '../../../db/catalogue/corrections'
import { readFacts } from '../../../db/catalogue/facts'
import { readRelations } from '../../../db/catalogue/relations'
import { type Evidence, isSame } from '../../../src/catalogue/default/evidence'
import { relatedCounts } from '../../../src/catalogue/default/relations'
import { seasonOf } from '../../../src/catalogue/season'
import { titleText } from '../../../src/catalogue/title-key'
import { joinOnce, lines, work, workOf, works } from '../../support/built-catalogue'

test.each([
  ['闇芝居(第3期)', '闇芝居 三期'],
  ['狼と香辛料Ⅱ', '狼と香辛料 2'],
  ['百姓貴族 2nd Season', '百姓貴族 第2期'],
  ['Dr.STONE NEW WORLD(第2クール)', 'Dr.STONE NEW WORLD 第２クール'],
  ['GANTZ 〜the 2nd stage〜', 'GANTZ ～the 2nd stage～'],
  ['デリシャスパーティ♡プリキュア', 'デリシャスパーティプリキュア'],
  ['ゔぁるきりー', 'ヴァルキリー'],
  ['劇場版 けいおん！', '映画 けいおん!'],
  ['×××HOLiC', 'xxxHOLiC'],
  ['魔法少女(2ndクール)', '魔法少女 第2クール'],
])('%s and %s are one title', (one, other) => {
  expect(titleText(one)).toBe(titleText(other))
})

test.each([
  ['進撃の巨人 The Final Season Part.2', '進撃の巨人 The Final Season Part.1'],
  ['あはれ！名作くん (第6期)', 'あはれ！名作くん'],
  ['策謀 第3章', '策謀 第一章'],
  ['劇場版2.0', '劇場版2'],
])('%s and %s are two', (one, other) => {
  expect(titleText(one)).not.toBe(titleText(other))
})

test('spaces around a title do not matter', () => {
  fc.assert(fc.property(fc.string(), (title) => expect(titleText(`  ${title}\u3000`)).toBe(titleText(title))))
})

const evidence = (more: Partial<Evidence>): Evidence => ({
  mal: false,
  arm: false,
  syobocal: false,
  title: 'other',
  numbers: false,
  bare: false,
  media: 'same',
  distance: 0,
  ...more,
})

test('an id alone joins nothing if medium or season contradict; a title alone needs both to match', () => {
  expect(isSame(evidence({ mal: true, arm: true, distance: 5 }))).toBe(false)
  expect(isSame(evidence({ mal: true, arm: true, media: 'other' }))).toBe(false)
  expect(isSame(evidence({ syobocal: true }))).toBe(false)
  expect(isSame(evidence({ title: 'same', distance: 2 }))).toBe(false)
  expect(isSame(evidence({ title: 'same', media: 'other' }))).toBe(false)
  expect(isSame(evidence({ title: 'name', distance: 1 }))).toBe(false)
  expect(isSame(evidence({ title: 'name', distance: null }))).toBe(false)
  expect(isSame(evidence({ title: 'name', distance: 5, mal: true, arm: true }))).toBe(false)
  expect(isSame(evidence({ title: 'name', distance: 5, mal: true, numbers: true }))).toBe(false)
  expect(isSame(evidence({ title: 'name', distance: 5, mal: true, arm: true, numbers: true }))).toBe(true)
  expect(isSame(evidence({ mal: true }))).toBe(true)
  expect(isSame(evidence({ title: 'same', distance: 1 }))).toBe(true)
  expect(isSame(evidence({ title: 'same', mal: true, distance: 4 }))).toBe(true)
  expect(isSame(evidence({ title: 'exact', distance: 4 }))).toBe(true)
  expect(isSame(evidence({ title: 'same', media: 'near', mal: true, distance: 8 }))).toBe(true)
  expect(isSame(evidence({ title: 'name' }))).toBe(true)
})

test.each([
  [6779, 285666, 40028, '2020-autumn'],
  [8451, 331752, 48583, '2022-winter'],
  [8307, 332261, 48661, '2022-winter'],
  [9482, 375913, 51367, '2022-autumn'],
  [4451, 130250, 30544, '2015-autumn'],
  [4666, 147613, 31737, '2016-spring'],
  [501, 9304, 2043, '1983-summer'],
])('Annict %d is bangumi %d and MyAnimeList %d, of %s', (annict, bangumi, mal, season) => {
  expect(workOf(annict)).toMatchObject({ ids: { bangumi, mal }, season_name: season })
})

test('a work listed only by Annict has its title, medium and season, and no dates', () => {
  expect(workOf(15540)).toMatchObject({
    key: 'annict:15540',
    title: '劇場版 ご注文はうさぎですか？ ～We Are Family!～',
    media: 'movie',
    season_name: '2026-winter',
    no_episodes: true,
  })
  expect(workOf(15540)?.ids.bangumi).toBeUndefined()
  expect(workOf(15540)?.released_on).toBeUndefined()
})

test('D58: the current season is included, and so are announced ones', () => {
  const onTelevision = (season: string) =>
    works.filter((one) => one.media === 'tv' && one.season_name === season && one.ids.annict).length
  expect(onTelevision('2026-summer')).toBe(85)
  expect(onTelevision('2026-autumn')).toBe(75)
  expect(onTelevision('2027-winter')).toBe(36)
})

test('a work listed twice becomes one, with the other titles as aliases', () => {
  expect(work('命运石之门 0')).toEqual([])
  expect(work('シュタインズ・ゲート ゼロ')).toEqual([])
  expect(workOf(5548)?.aliases).toEqual(expect.arrayContaining(['シュタインズ・ゲート ゼロ', '命运石之门 0']))
  const likeness = Map.groupBy(works, (one) =>
    [titleText(one.title), one.media, one.season_name, one.ids.tmdb].join(),
  )
  const twins = [...likeness.values()].filter(
    (some) => some.length > 1 && some.some((one) => !one.ids.annict),
  )
  expect(twins).toEqual([])
})

test('D58: an id that belongs to another work is left out and reported', async () => {
  const [{ contradictions }, facts] = [joinOnce(), readFacts()]
  const told = contradictions.map(({ item, fact }) => [item.title, fact.annict])
  expect(told).toContainEqual(['北斗の拳 拳王軍ザコたちの挽歌', 15540])
  expect(told).toContainEqual(['ジョジョの奇妙な冒険 ストーンオーシャン', 9482])
  expect(workOf(16539)?.ids.mal).toBe(facts.find(({ annict }) => annict === 16539)?.mal)
  const foreign = works.filter(({ ids }) => ids.annict === undefined && ids.mal !== undefined)
  const listed = new Set(facts.map(({ mal }) => mal))
  expect(foreign.filter(({ ids }) => listed.has(ids.mal))).toEqual([])
}, 60_000)

test('every correction is about a work of the pack', () => {
  for (const { annict, bangumi, episodes, main, reason } of readCorrections()) {
    const found = works.find(({ ids }) => (annict ? ids.annict === annict : ids.bangumi === bangumi))
    expect(found, reason).toBeDefined()
    expect(found?.ids.bangumi ?? bangumi, reason).toBe(bangumi ?? found?.ids.bangumi)
    if (episodes !== undefined) expect(found?.episodes_estimate, reason).toBe(episodes)
    const specials = lines.filter((line) => line.type === 'episode' && line.work === found?.key)
    expect(specials, reason).toHaveLength(main === undefined ? 0 : Number(found?.episodes_estimate) - main)
  }
})

test.each([
  [10079, 28],
  // A film in bangumi-data, a television special at Annict.
  [656, 1],
  [1352, 54],
  [1856, 12],
  [1493, 220],
  [2218, 74],
  [1593, 148],
  [9820, 24],
  [1745, 64],
  // A rule continues it from a number in jest.
  [16, 26],
  // A rule continues it in what is no work of its own.
  [2121, 49],
  // As many numbers of the first part continue in it.
  [10351, 13],
  [9186, 13],
  [9327, 23],
  [12840, 24],
  [9293, 43],
  [4111, 26],
  // Interrupted.
  [8631, 13],
  [9216, 12],
  [10403, 12],
  [9202, 12],
  // Nobody knows, and the weeks do not tell: ワンピース, BORUTO, ポケットモンスター; a season on the web in one day.
  [2457, null],
  [5084, null],
  [6961, null],
  [7610, null],
  [7691, null],
])('Annict %d has %p episodes', (annict, count) => {
  expect(workOf(annict)?.episodes_estimate).toBe(count)
})

test('a special says so', () => {
  expect(lines.filter((line) => line.type === 'episode' && line.work === 'annict:669')).toEqual(
    [25, 26].map((number) => ({
      type: 'episode',
      key: `annict:669#${number}`,
      work: 'annict:669',
      number: String(number),
      number_text: '番外編',
      sort_number: number * 10,
      estimated: true,
    })),
  )
})

const rules = `
- 41380|43367|116242:13-24 -> 44881|43883|127366:1-12!
- 41380|43367|116242:25 -> 5|?|?:1
- 9|?|?:14-26 -> ~|~|~:1-13
- 8|?|8:1 -> 7|?|7:1
- 6|?|6:13-? -> ?|?|?:1-?
- 3|?|?:21-49 -> 1563|?|?:1-29!`

test('a rule that continues the numbers in another work implies a count; one that renumbers the same work does not', () => {
  const count = relatedCounts(readRelations(rules), [{ mal: 44881 }])
  const before = (mal: number) => count({ mal }).before
  expect([41380, 9, 8, 6].map(before)).toEqual([12, undefined, undefined, 12])
  expect(count({ anilist: 116242 }).before).toBe(12)
})

test('a long continuation that is no work here says nothing of what it continues; a few specials do', () => {
  const relations = readRelations(rules)
  expect(relatedCounts(relations, [])({ mal: 3 }).before).toBeUndefined()
  expect(relatedCounts(relations, [{ mal: 1563 }])({ mal: 3 }).before).toBe(20)
  expect(relatedCounts(relations, [])({ mal: 41380 }).before).toBe(24)
})

test('a rule says how many numbers continue in a work', () => {
  const count = relatedCounts(readRelations(rules), [])
  expect([44881, 5, 1563, 6].map((mal) => count({ mal }).ranges)).toEqual([[12], [1], [29], []])
})

test('a weekly series that begins in the last week of a quarter belongs to the next one (D59)', () => {
  const weekly = { type: 'tv', broadcast: 'R/2023-09-29T14:00:00.000Z/P7D' } as const
  expect(seasonOf(weekly, '2023-09-29', 12)).toBe('2023-autumn')
  expect(seasonOf(weekly, '2023-09-23', 12)).toBe('2023-summer')
  expect(seasonOf(weekly, '2023-09-29', 7)).toBe('2023-summer')
  expect(seasonOf(weekly, '2014-09-29', 12)).toBe('2014-summer')
  expect(seasonOf({ type: 'web' }, '2023-09-29', 12)).toBe('2023-summer')
})
