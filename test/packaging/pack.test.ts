import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../../db/catalogue/pack'
import { differenceOf, differenceText } from '../../scripts/pack/difference'
import { guardRails, lastSeason } from '../../scripts/pack/guard-rails'
import { packOf, readPack } from '../../scripts/pack/packs'
import { farSeasons, unreviewedSeasons } from '../../scripts/pack/season-review'
import { makeKeys, readKey } from '../../scripts/pack/sign'
import { nextVersion, writePack } from '../../scripts/pack/write'
import { kirokuPack } from '../../src/sources/adapters/kiroku'
import { catalogueItem, joinOnce, lines, readPackagesOnce } from '../support/built-catalogue'
import { runAdapter } from '../support/source-run'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const work = (id: number, more: object = {}) => ({
  type: 'work',
  key: `annict:${id}`,
  ids: { annict: id, mal: id + 1000 },
  title: `Work ${id}`,
  season_name: '2026-autumn',
  ...more,
})
const hundred = Array.from({ length: 100 }, (_, n) => work(n + 1))
const today = '2026-11-23'

test('a written and signed pack is accepted by the source, and by the next build as the last one', async () => {
  const keyFile = join(folder, 'private')
  const publicKey = await makeKeys(keyFile)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(makeKeys(keyFile)).rejects.toThrow('EEXIST')
  const [packed, key] = [pack(lines), await readKey(keyFile)]
  const out = join(folder, 'signed')
  const written = await writePack(out, { lines, packed, date: today, lastVersion: undefined, key })
  expect(written.toSorted()).toEqual(readdirSync(out).toSorted())
  const answers = Object.fromEntries(written.map((name) => [name, readFileSync(join(out, name))]))
  const taken = await runAdapter(kirokuPack([publicKey]), answers, { location: out })
  expect(taken.lines).toEqual(JSON.parse(JSON.stringify(lines)))
  expect(taken.state).toMatchObject({ version: '2026.11.23' })
  expect(runAdapter(kirokuPack([]), answers)).rejects.toThrow('not signed by a key')
  const last = await readPack(out)
  expect(last.version).toBe('2026.11.23')
  expect(differenceText(last, packOf(lines))).toBe('17994 works, 17994 in the last pack\n')
  expect(JSON.parse(String(answers['catalogue.json'])).sources).toHaveLength(7)
  expect(String(answers.NOTICE)).toInclude('CC BY 4.0')
  expect(String(answers.NOTICE)).not.toMatch(/wikidata|swagger/i)
})

test('without a key there is no manifest', async () => {
  const out = join(folder, 'unsigned')
  const packed = pack(hundred)
  await writePack(out, { lines: hundred, packed, date: today, lastVersion: undefined, key: undefined })
  expect(readdirSync(out).toSorted()).toEqual(['NOTICE', 'catalogue-2026-11-23.jsonl.zst'])
  expect((await readPack(join(out, 'catalogue-2026-11-23.jsonl.zst'))).works.size).toBe(100)
  expect(readPack(out)).rejects.toThrow('has no catalogue.json')
})

test.each([
  ['2026-11-23', undefined, '2026.11.23'],
  ['2026-09-05', '2026.8.29', '2026.9.5'],
  ['2026-11-23', '2026.11.23', '2026.11.23.1'],
  ['2026-11-23', '2026.11.23.9', '2026.11.23.10'],
])('on %s after %p the version is %s', (date, last, version) => {
  expect(nextVersion(date, last)).toBe(version)
})

test('a version is never lower than the last one', () => {
  expect(() => nextVersion('2026-11-23', '2026.11.24')).toThrow('2026.11.24, is newer')
})

test('the difference lists works by season, titles, ids and counts', () => {
  const last = packOf([
    ...hundred,
    work(200, { title: 'Old' }),
    work(201, { ids: { annict: 201, mal: 7 } }),
    work(202, { episodes_estimate: 12 }),
    work(203, { episodes_estimate: 12 }),
    work(204),
  ])
  const next = packOf([
    ...hundred,
    work(200, { title: 'New' }),
    work(201, { ids: { annict: 201, mal: 8 } }),
    work(202, { episodes_estimate: 24 }),
    work(203, { episodes_estimate: 13 }),
    work(205, { season_name: '2027-winter', ids: { annict: 205, mal: 7 } }),
    work(206, { season_name: undefined }),
  ])
  const difference = differenceOf(last, next)
  expect(difference.moved).toEqual(['mal:7: annict:201 → annict:205', 'annict:201: mal 7 → 8'])
  expect(differenceText(last, next)).toBe(`106 works, 105 in the last pack

Works added
2027-winter: 1
  Work 205 (annict:205)
no season: 1
  Work 206 (annict:206)

Works gone
  Work 204 (annict:204)

Titles changed
  annict:200: Old → New

Ids moved
  mal:7: annict:201 → annict:205
  annict:201: mal 7 → 8

Counts that jumped
  annict:202 Work 202: 12 → 24
`)
})

test('a guard rail stops a pack that is halved, retitled, too large, older, or without the season', () => {
  const last = packOf(hundred)
  const stopped = (rows: readonly object[], bytes = 1000, day = today) =>
    guardRails(last, packOf(rows), bytes, day)
  expect(stopped(hundred)).toEqual([])
  expect(guardRails(undefined, last, 1000, today)).toEqual([])
  expect(stopped(hundred.slice(0, 50))).toEqual([])
  expect(stopped(hundred.slice(0, 49))).toEqual(['49 works are less than half of the 100 before'])
  const retitled = (count: number) => hundred.map((one, at) => (at < count ? { ...one, title: 'x' } : one))
  expect(stopped(retitled(2))).toEqual([])
  expect(stopped(retitled(3))).toEqual(['3 titles of 100 change, which is more than 2 %'])
  expect(stopped(hundred, 1_500_001)).toEqual(['the file has 1500001 bytes, 1500000 are allowed'])
  expect(stopped(hundred, 1000, '2027-01-01')).toEqual(['no work is of 2027-winter, which has begun'])
  const earlier = hundred.map((one) => ({ ...one, season_name: '2026-summer' }))
  expect(stopped(earlier, 1000, '2026-09-30')).toEqual([
    'the pack ends with 2026-summer, the last one with 2026-autumn',
  ])
  expect(
    lastSeason(packOf([work(1, { season_name: '2028-all' }), work(2, { season_name: '2027-spring' })])),
  ).toBe('2027-spring')
})

test('a season far from the first broadcast is reported, unless somebody has checked it', async () => {
  const far = farSeasons(joinOnce(), readPackagesOnce())
  expect(far.length).toBeGreaterThan(50)
  expect(unreviewedSeasons(far)).toEqual([])
  const fact = {
    annict: 1,
    media: 'tv',
    season: '2020-spring',
    mal: undefined,
    syobocal: undefined,
    title: 'x',
  } as const
  const begun = (day: string) => catalogueItem({ begin: `${day}T12:00:00.000Z`, end: `${day}T12:00:00.000Z` })
  const told = (day: string) =>
    farSeasons({ facts: new Map([[begun(day), fact]]), contradictions: [] }, { airDates: new Map() })
  expect(told('2020-04-05')).toEqual([])
  expect(told('2020-07-05')).toEqual([])
  expect(unreviewedSeasons(told('2020-10-05'))).toEqual(['1\t2020-spring\t2020-autumn\t\tx'])
})
