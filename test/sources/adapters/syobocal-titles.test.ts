import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { readComment } from '../../../src/sources/adapters/syobocal/comment'
import { linesOf } from '../../../src/sources/adapters/syobocal/lines'
import { knownOf } from '../../support/source-run'

test('credits are parsed by the grammar of comments', () => {
  const comment = readComment(
    [
      '前書き:これは:項目ではない',
      '*リンク',
      '-[[公式Twitter https://twitter.example/a]]',
      "[['03夏 公式 archive://http://gone.example/]]",
      '*スタッフ',
      ':監督・演出（第1期）:井硲清高(A、B)、青井 凪（C）',
      ':原作:きら「まっすぐに、いこう。」',
      ':掲載誌:コーラス',
      ':音響制作:HALF H・P STUDIO',
      ':空:',
      '-:項目:ではない',
      '*キャスト',
      ':シロ、風間くん(幼少期／少年):真柴摩利(～2018/6/29)、小林由美子 (2018/7/6～)',
      '**小見出し',
      ':カンタム・ロボ:大滝進矢',
      '*エンディングテーマ',
      ':歌:誰か',
      '*キャスト',
      ':後から:来た人)どこか)',
    ].join('\r\n'),
  )
  expect(comment).toEqual({
    officialSite: undefined,
    staff: [
      { roles: ['監督', '演出'], names: ['井硲清高', '青井 凪'] },
      { roles: ['原作'], names: ['きら'] },
      { roles: ['音響制作'], names: ['HALF H・P STUDIO'] },
    ],
    casts: [
      { characters: ['シロ', '風間くん(幼少期／少年)'], names: ['真柴摩利', '小林由美子'] },
      { characters: ['カンタム・ロボ'], names: ['大滝進矢'] },
      { characters: ['後から'], names: ['来た人'] },
    ],
  })
  const siteOf = (link: string) =>
    readComment(`*リンク\n-[[架空テレビ https://a.example/]]\n${link}`).officialSite
  expect(siteOf('-[[公式 https://b.example/ ]]')).toBeUndefined()
  expect(siteOf('-[[アニメ公式サイト https://b.example/]] [[公式 https://c.example/]]')).toBe(
    'https://b.example/',
  )
  expect(siteOf('-[[公式 javascript:alert(1)]]')).toBeUndefined()
})

test('whatever a comment says, names are short texts without brackets', () => {
  const line = fc.string({
    unit: fc.constantFrom(...'*:-[]()（）「」・／、\n\r 公式スタッフキャスト監督あaB'),
    maxLength: 60,
  })
  const any = fc
    .array(fc.oneof(line, fc.constantFrom('*スタッフ', '*キャスト', '*リンク', ':監督:青井凪(灯)')))
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(any, (text) => {
      const { staff, casts } = readComment(text)
      for (const name of [...staff, ...casts].flatMap(({ names }) => names))
        expect(name).toMatch(/^[^()（）\s][^()（）]*$/)
      for (const role of staff.flatMap(({ roles }) => roles)) expect(role).not.toMatch(/・|^$/)
      for (const name of casts.flatMap(({ characters }) => characters)) expect(name.trim()).toBe(name)
    }),
    { numRuns: 2000 },
  )
})

const titleOf = (more: object) => ({
  ...{ tid: 5, title: 'T', shortTitle: '', kana: '', english: '', comment: '', category: 1 },
  ...{ firstYear: undefined, firstMonth: undefined, keywords: '', subtitles: '', ...more },
})
const programOf = (more: object) => ({
  ...{ pid: 1, tid: 5, chid: 3, startedAt: Date.parse('2026-09-29T23:30:00+09:00'), count: 1, subtitle: '' },
  ...{ listedSubtitle: '', flag: 0, isDeleted: false, ...more },
})
const linesFor = (
  title: object,
  programs: readonly object[] = [],
  works: Parameters<typeof knownOf>[0] = [],
) => [
  ...linesOf(
    [
      { as: 'TitleLookup', titles: [titleOf(title)] },
      { as: 'ProgLookup', programs: programs.map(programOf) },
    ],
    knownOf(works),
  ),
]
const workIn = (lines: ReturnType<typeof linesFor>) => lines.find(({ type }) => type === 'work')

test("the season is that of the first broadcast, otherwise that of the title's first month or year", () => {
  const seasonOf = (title: object, programs: readonly object[] = []) =>
    workIn(linesFor(title, programs))?.season_name
  // In the last week of a quarter, a series counts towards the next (D59), a film does not.
  expect(seasonOf({}, [{}])).toBe('2026-autumn')
  expect(seasonOf({ category: 8 }, [{}])).toBe('2026-summer')
  expect(seasonOf({ category: 7 }, [{ startedAt: Date.parse('2026-10-01T04:59:00+09:00') }])).toBe(
    '2026-summer',
  )
  expect(seasonOf({ firstYear: 2026, firstMonth: 7 }, [{ count: 12 }])).toBe('2026-summer')
  expect(seasonOf({ firstYear: 2026, firstMonth: 7 }, [{ flag: 8 }])).toBe('2026-summer')
  expect(seasonOf({ firstYear: 2011, firstMonth: 1 }, [{}])).toBe('2011-winter')
  expect(seasonOf({ firstYear: 2011 })).toBe('2011-all')
  expect(seasonOf({ firstYear: 0, firstMonth: 13 })).toBeUndefined()
})

test('categories 1, 7, 8 and 10 become works; an existing work is enriched, whatever its category', () => {
  const mediaOf = (category: number) => workIn(linesFor({ category }))?.media
  expect([1, 10, 7, 8].map(mediaOf)).toEqual(['tv', 'tv', 'ova', 'movie'])
  expect([0, 2, 3, 4, 5, 6, 9].map((category) => workIn(linesFor({ category })))).toEqual(
    Array(7).fill(undefined),
  )
  const here = (id: number) => ({
    id,
    title: 'W',
    media: 'web',
    seasonYear: 2026,
    ids: new Map([['syobocal', ['5']]]),
  })
  expect(workIn(linesFor({ category: 4 }, [], [here(1)]))).toEqual({
    ...{ type: 'work', key: 'syobocal:5', ids: { syobocal: 5 }, title: 'T' },
  })
  // The work keeps its medium: with another one, the line would be taken for another work.
  expect(workIn(linesFor({ category: 1 }, [], [here(1)]))).not.toHaveProperty('media')
  // Two works share the id, so a broadcast may be of either.
  expect(linesFor({}, [{}], [here(1), here(2)]).map(({ type }) => type)).toEqual(['catalogue'])
})

test('subtitles become episodes, and broadcasts add further ones', () => {
  const subtitles = '*01*一\n**番外\n*1.5* 幕間 \nmemo\n*0514*五\n*x*y'
  const programs = [
    { count: 2, listedSubtitle: '二' },
    { pid: 2, count: 3, isDeleted: true },
    { pid: 3, count: 0 },
  ]
  const episodes = linesFor({ subtitles }, programs).filter(({ type }) => type === 'episode')
  expect(episodes.map(({ key, number, sort_number, title }) => [key, number, sort_number, title])).toEqual([
    ['syobocal:5#01', '1', 10, '一'],
    ['syobocal:5#1.5', '1.5', 15, '幕間'],
    ['syobocal:5#02', '2', 20, '二'],
    ['syobocal:5#514', '514', 5140, '五'],
  ])
})

test('a broadcast of two episodes belongs to the first; the report mentions the second', async () => {
  const { syobocal } = await import('../../../src/sources/adapters/syobocal')
  const two = { count: undefined, subtitle: '#1～#2' }
  const lines = linesFor({}, [two])
  expect(lines.find(({ type }) => type === 'program')).toMatchObject({ episode: 'syobocal:5#01' })
  expect(lines.filter(({ type }) => type === 'episode').map(({ key }) => key)).toEqual([
    'syobocal:5#01',
    'syobocal:5#02',
  ])
  const answers = [{ as: 'ProgLookup', programs: [programOf(two), programOf({ pid: 2 })] }]
  expect([...(syobocal.notes?.(answers) ?? [])]).toEqual([
    'program 1 of title 5 is of the episodes 1, 2: it is listed with the first',
  ])
})

test('channels that Annict has too get its numbers, and broadcasts on unknown channels are left out', () => {
  const lines = [
    ...linesOf(
      [
        { as: 'ChLookup', channels: [234, 9901].map((chid) => ({ chid, name: `C${chid}`, gid: undefined })) },
        { as: 'TitleLookup', titles: [titleOf({})] },
        { as: 'ProgLookup', programs: [programOf({}), programOf({ pid: 2, chid: 234 })] },
      ],
      knownOf([]),
    ),
  ]
  expect(lines[0]).toMatchObject({ preserve_ids: ['annict'] })
  expect(lines.filter(({ type }) => type === 'channel').map(({ ids }) => ids)).toEqual([
    { annict: 241, syobocal: 234 },
    { syobocal: 9901 },
  ])
  expect(lines.filter(({ type }) => type === 'program').map(({ key }) => key)).toEqual(['syobocal:2'])
})

const real = (tid: number) => `../shared/catalogue/syobocal/title-${tid}.json`

test.skipIf(!existsSync(real(2077)))('real titles are read whole', async () => {
  const linesOfReal = async (tid: number) => {
    const title = await Bun.file(real(tid)).json()
    const { short_title, title_yomi, title_en, first_year, first_month, sub_titles } = title
    return linesFor({
      ...{
        tid,
        title: title.title,
        shortTitle: short_title ?? '',
        kana: title_yomi,
        english: title_en ?? '',
      },
      ...{ comment: title.comment, category: title.cat, firstYear: first_year, firstMonth: first_month },
      ...{ keywords: title.keywords ?? '', subtitles: sub_titles },
    })
  }
  const madoka = await linesOfReal(2077)
  const of = (type: string) => madoka.filter((line) => line.type === type)
  expect(workIn(madoka)).toMatchObject({
    title_kana: 'まほうしょうじょまどかまぎか',
    season_name: '2011-winter',
    official_site_url: 'http://www.madoka-magica.com/tv/',
  })
  expect(of('episode').length).toBe(12)
  expect(of('cast').length).toBe(12)
  expect(of('cast').filter(({ person }) => person === 'syobocal:person:水橋かおり')).toMatchObject([
    { character: 'syobocal:2077:巴マミ' },
    { character: 'syobocal:2077:鹿目タツヤ' },
  ])
  const rolesOf = (name: string) => of('staff').filter(({ person }) => person === `syobocal:person:${name}`)
  expect(rolesOf('虚淵玄').map(({ role }) => role)).toEqual(['series_composition', 'script'])
  expect(of('organization').map(({ name }) => name)).toEqual([
    '楽音舎',
    'アニプレックス',
    'SHAFT',
    'Magica Partners',
    '毎日放送',
  ])
  expect(workIn(await linesOfReal(116))).toMatchObject({
    official_site_url: 'http://www.ytv.co.jp/massugu03/',
  })
  const shinchan = await linesOfReal(91)
  expect(shinchan.filter(({ character }) => character === 'syobocal:91:しんのすけ').length).toBe(2)
  expect(shinchan.find(({ key }) => key === 'syobocal:person:七緒はるひ')).toBeDefined()
  expect(shinchan.filter(({ key }) => String(key).endsWith(':ゴゥ')).length).toBe(1)
})
