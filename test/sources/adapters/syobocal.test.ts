import { afterAll, expect, test } from 'bun:test'
import { syobocal } from '../../../src/sources/adapters/syobocal'
import type { Known } from '../../../src/sources/known'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { ShapeError, type SourceState } from '../../../src/sources/source'
import { catalogueStore, work } from '../../support/catalogue-store'
import { answerBody, expectedLines, fixture, knownOf, runAdapter } from '../../support/source-run'

const [programs, titles, channels, groups, nothing] = await Promise.all(
  ['ProgLookup', 'TitleLookup', 'ChLookup', 'ChGroupLookup', 'not-found'].map((name) =>
    fixture(`syobocal/${name}.xml`),
  ),
)
const expected = await expectedLines('syobocal')
const store = await catalogueStore()
afterAll(() => store.close())

const at = (query: string) => `https://cal.syoboi.jp/db.php?Command=${query}`
const range = at('ProgLookup&Range=20261117_000000-20261202_000000&JOIN=SubTitles')
const site = {
  [range]: programs,
  [at('TitleLookup&TID=99001')]: titles,
  [at('ChLookup')]: channels,
  [at('ChGroupLookup')]: groups,
}

const runSite = (known: Known = knownOf([])) => runAdapter(syobocal, site, { known })

test('the broadcasts of fifteen days, their titles and channels yield the expected lines', async () => {
  const { lines, asked, state } = await runSite()
  expect(lines.map((line) => JSON.stringify(line))).toEqual(expected.map((line) => JSON.stringify(line)))
  expect(asked).toEqual(Object.keys(site))
  expect(state).toEqual({ titles: { 99001: '2026-11-22' }, month: '2026-11', channels: [9901] })
})

test('the lines are imported without problems, and change nothing the second time', async () => {
  const [header = { type: '' }, ...rows] = (await runSite()).lines
  const report = await store.load(header, rows)
  expect(report).toMatchObject({ problems: [], warnings: [] })
  expect(report.counts).toMatchObject({ work: { created: 1 }, program: { created: 4 }, cast: { created: 4 } })
  // The same site once more, with what is known now.
  const again = await runSite(knownFromDatabase(store.handle))
  for (const lines of [rows, again.lines.slice(1)]) {
    const second = await store.load(header, lines)
    for (const counts of Object.values(second.counts))
      expect(counts).toMatchObject({ created: 0, updated: 0, deleted: 0, unresolved: 0 })
  }
  expect(store.rows('select key from import_rows').length).toBe(expected.length - 1)
})

test('known titles are requested for changes, and channels once a month or when there is a new one', async () => {
  const { state } = await runSite()
  const changed = at('TitleLookup&TID=99001&LastUpdate=20261121_000000-')
  const next = { today: '2026-11-23' }
  const range = at('ProgLookup&Range=20261118_000000-20261203_000000&JOIN=SubTitles')
  const answers = { [range]: programs, [changed]: nothing }
  const second = await runAdapter(syobocal, answers, { state, scope: next, known: knownOf([here]) })
  expect(second.asked).toEqual([range, changed])
  expect(second.state).toMatchObject({ titles: { 99001: '2026-11-23' } })
  // Its broadcasts imply the same episodes as the title did.
  const told = second.lines.map((line) => JSON.stringify(line))
  for (const line of told.slice(1)) expect(expected.map((one) => JSON.stringify(one))).toContain(line)
  expect(second.lines.map(({ type }) => type)).toEqual([
    'catalogue',
    ...['episode', 'episode', 'program', 'program', 'program', 'program', 'program'],
  ])
  const asking = async (state: SourceState) => (await runAdapter(syobocal, site2, { state })).asked
  const site2 = { ...site, [at('TitleLookup&TID=99001&LastUpdate=20261121_000000-')]: nothing }
  expect(await asking({ ...state, month: '2026-10' })).toContain(at('ChLookup'))
  expect(await asking({ ...state, channels: [1] })).toContain(at('ChLookup'))
  expect(await asking(state)).not.toContain(at('ChLookup'))
})

const here = {
  ...{ id: 1, title: '星屑ポストマン', media: 'tv', seasonYear: 2026 },
  ids: new Map([['syobocal', ['99001']]]),
}

test('a season is requested in ranges, changes since a day by their time, and all titles in blocks', async () => {
  const asked = async (scope: object, ids: readonly number[] = []) => {
    const asking = syobocal.requests({ ...usual, ...scope }, {}, knownOf([]), { location: undefined })
    const urls: string[] = []
    for (let step = asking.next(); step.done !== true; ) {
      urls.push(step.value.url.slice(at('').length))
      step = asking.next(step.value.as === 'TitleIds' ? { as: 'TitleIds', ids } : { as: '' })
    }
    return urls
  }
  const season = await asked({ seasons: ['2026-autumn'], hasOwnSeasons: true })
  expect(season[0]).toBe('ProgLookup&Range=20261001_000000-20261016_000000&JOIN=SubTitles')
  expect(season.slice(0, -2).at(-1)).toBe('ProgLookup&Range=20261230_000000-20270101_000000&JOIN=SubTitles')
  expect(await asked({ since: '2026-11-20' }, [5, 7])).toEqual([
    'ProgLookup&LastUpdate=20261120_000000-20261123_000000&JOIN=SubTitles',
    'TitleLookup&TID=*&LastUpdate=20261120_000000-&Fields=TID',
    'TitleLookup&TID=7,5',
    ...['ChLookup', 'ChGroupLookup'],
  ])
  const all = Array.from({ length: 700 }, (_, n) => n + 1)
  const full = await asked({ isFull: true }, all)
  expect(full[1]).toBe('TitleLookup&TID=*&Fields=TID')
  const blocks = full.slice(2, -2).map((url) => url.slice('TitleLookup&TID='.length).split(',').map(Number))
  expect(blocks.map((block) => block.length)).toEqual([300, 300, 100])
  expect(blocks.flat()).toEqual(all.toReversed())
  expect((await asked({ isFull: true, limit: 2 }, all))[2]).toBe('TitleLookup&TID=700,699')
})

const usual = {
  ...{ today: '2026-11-22', seasons: ['2026-spring'], since: undefined, isFull: false, limit: undefined },
}

test('an answer of maximum length is requested again in halves, and nothing comes twice', async () => {
  const full = {
    as: 'ProgLookup',
    programs: Array.from({ length: 5000 }, (_, n) => ({ pid: n, tid: 1, chid: 1 })),
  }
  const asking = syobocal.requests(usual, {}, knownOf([]), { location: undefined })
  const asked = [asking.next(), asking.next(full), asking.next({ as: '' })].map(({ value }) =>
    'url' in value ? String(value.url).match(/Range=[\d_-]+/)?.[0] : '',
  )
  expect(asked).toEqual([
    'Range=20261117_000000-20261202_000000',
    'Range=20261117_000000-20261124_120000',
    'Range=20261124_120000-20261202_000000',
  ])
  const twice = [await read('ProgLookup', programs), await read('ProgLookup', programs)]
  const others = [await read('TitleLookup', titles)]
  const lines = await Array.fromAsync(syobocal.lines([...twice, ...others], knownOf([]), usual))
  expect(lines.filter(({ type }) => type === 'program').length).toBe(5)
})

const read = (as: string, xml = '') => syobocal.read(as, answerBody(xml), { location: undefined })

test("code 404 is an answer without items; anything but the command's answer has an unknown shape", async () => {
  expect(await read('ProgLookup', nothing)).toEqual({ as: 'ProgLookup', programs: [] })
  const item = programs?.match(/<ProgItem [\s\S]*?<\/ProgItem>/)?.[0] ?? ''
  const answerOf = (content: string, code = '200') =>
    `<R><Result><Code>${code}</Code><Message></Message></Result><Items>${content}</Items></R>`
  expect(await read('ProgLookup', answerOf(item))).toMatchObject({ programs: [{ pid: 9700001 }] })
  const wrong = {
    'Result.Code must be 200 or 404': answerOf(item, '500'),
    'the answer must be XML, not an HTML page': '<!DOCTYPE html><html><body>busy</body></html>',
    'the answer must have no document type': `<!DOCTYPE r [<!ENTITY a "b">]>${answerOf(item)}`,
    'the answer must have an end': answerOf(item).slice(0, -20),
    'TitleItem must be ProgItem': titles ?? '',
    'ProgItem[0].TID must be a whole number': answerOf(item.replace('<TID>99001', '<TID>x')),
    'ProgItem[0].PID must be a whole number': answerOf(item.replace(/<PID>\d+<\/PID>/, '')),
    'ProgItem[0].StTime must be a time such as 2026-11-15 00:30:00': answerOf(
      item.replace('2026-11-15 00:30:00', '2026-02-30 00:30:00'),
    ),
    'the answer must have no text of more than a million characters': answerOf(
      item.replace('<SubTitle>', `<SubTitle>${'a'.repeat(2 ** 20 + 1)}`),
    ),
    'the answer must not be nested so deeply': '<a>'.repeat(9),
  }
  for (const [message, xml] of Object.entries(wrong)) {
    const failure = await read('ProgLookup', xml).catch((cause: unknown) => cause)
    expect(failure).toBeInstanceOf(ShapeError)
    expect(String(failure)).toContain(message)
  }
  for (const xml of ['', 'Too many requests', '{"error":"busy"}'])
    expect(await read('ProgLookup', xml).catch((cause) => cause)).toBeInstanceOf(ShapeError)
  expect(await read('RankLookup', nothing).catch((cause) => cause)).toBeInstanceOf(ShapeError)
})

test('credits are imported only if no better source has some, and refer to existing people', async () => {
  const own = await catalogueStore()
  await own.load('annict', [
    work('annict:1', { ids: { annict: 1, syobocal: 99001 }, season_name: '2026-autumn' }),
    { type: 'person', key: 'annict:9', name: '水瀬ヒカリ' },
  ])
  const known = knownFromDatabase(own.handle)
  const people = (lines: readonly { type: string }[]) => lines.filter(({ type }) => type === 'cast')
  const first = (await runSite(known)).lines
  expect(people(first)[0]).toMatchObject({ character: 'syobocal:99001:トワ', person: 'annict:9' })
  expect(first.filter(({ key }) => key === 'syobocal:person:水瀬ひかり')).toEqual([])
  // Annict's season stays, and so does its medium.
  expect(first.find(({ type }) => type === 'work')).toMatchObject({ key: 'syobocal:99001', media: 'tv' })
  expect(first.find(({ type }) => type === 'work')).not.toHaveProperty('season_name')
  await own.load('annict', [{ type: 'staff', work: 'annict:1', person: 'annict:9', role: 'director' }])
  expect(people((await runSite(known)).lines)).toEqual([])
  own.close()
})

test('a work without an id here is matched by title, year and medium', async () => {
  const own = await catalogueStore()
  await own.load('bangumi-data', [work('bangumi:1', { title: '星屑ポストマン', season_name: '2026-all' })])
  const { lines } = await runSite(knownFromDatabase(own.handle))
  const report = await own.load(lines[0] ?? '', lines.slice(1), { matchTitles: syobocal.matchTitles })
  expect(report.counts.work).toMatchObject({ created: 0, updated: 1 })
  expect(own.row('select title_kana, syobocal_tid from works')).toEqual({
    title_kana: 'ほしくずぽすとまん',
    syobocal_tid: '99001',
  })
  own.close()
})
