import { expect, test } from 'bun:test'
import { correctedPack } from '../../../db/catalogue/corrected'
import { needlessCorrections } from '../../../db/catalogue/needless'
import type { Fact } from '../../../src/catalogue/default/sources'
import { catalogueItem } from '../../support/built-catalogue'

const work = (number: number, more: object = {}) => ({
  ...{ type: 'work', key: `annict:${number}`, ids: { annict: number }, title: `Work ${number}`, media: 'tv' },
  ...more,
})
const head = { type: 'catalogue', name: 'bangumi-data' }

test('D98: what an instance corrected changes the pack where it still is what it was', () => {
  const built = [
    head,
    work(1, { aliases: ['Old', 'Known'], broadcast: { begin: '2026-07-01T15:00:00Z', interval: 'P7D' } }),
    work(2, { ids: { annict: 2, mal: 5 } }),
  ]
  const { lines, notes } = correctedPack(built, [
    {
      ...{ type: 'work', key: 'annict:1', ids: {}, title: 'Right', aliases: ['New'], reason: 'see the site' },
      ...{ broadcast: { interval: 'P14D' }, evidence: ['https://a.example/'] },
      was: { title: 'Work 1', aliases: ['Old'], broadcast: { interval: 'P7D' } },
    },
    {
      ...{
        type: 'work',
        key: 'other:2',
        ids: { annict: 2, mal: 6 },
        title: 'Work 2',
        minutes: 24,
        deleted: true,
      },
      was: { title: 'Wrong', minutes: 12, ids: { mal: 5 }, deleted: false },
    },
    { type: 'work', key: 'annict:3', title: 'Right', was: { title: 'Wrong' } },
  ])
  expect(lines).toEqual([
    head,
    work(1, {
      ...{ title: 'Right', aliases: ['Known', 'New'] },
      broadcast: { begin: '2026-07-01T15:00:00Z', interval: 'P14D' },
    }),
    work(2, { ids: { annict: 2, mal: 6 }, deleted: true }),
  ])
  expect(notes).toEqual([
    'work other:2: title is "Work 2" already',
    'work other:2: minutes is left, as it is null and was 12',
    'work annict:3: is not in the pack',
  ])
})

test('D98: a row made by hand is added with what it refers to, unless the pack has it by now', () => {
  const built = [head, work(1, { season_name: '2026-autumn' })]
  const made = (number: number, more: object) => ({
    ...work(number, more),
    key: `by-a-example:work/${number}`,
    ids: {},
  })
  const series = { type: 'series', key: 'by-a-example:series/1', name: 'Series' }
  const known = made(1, { season_name: '2026-autumn', title: 'WORK１' })
  const added = made(2, { series: [series.key] })
  const { lines, notes } = correctedPack<object>(built, [
    known,
    added,
    { ...series, reason: 'it is one' },
    { type: 'work', key: 'annict:1', merged_into: 'annict:2' },
  ])
  expect(lines).toEqual([head, series, work(1, { season_name: '2026-autumn' }), added])
  expect(notes).toEqual([
    'work by-a-example:work/1: is in the pack already',
    'work annict:1: is a row of its own in the pack',
  ])
})

test('a correction of the packages that changes nothing is told, one that is needed is not', () => {
  const item = (title: string, bangumi: string) =>
    catalogueItem({ title, begin: '2020-01-05T15:00:00.000Z', sites: [{ site: 'bangumi', id: bangumi }] })
  const fact = (annict: number, title: string): Fact => ({
    ...{ annict, title, media: 'tv', season: '2020-winter', mal: annict * 10, syobocal: undefined },
  })
  const corrections = [
    { bangumi: 1, annict: 1, reason: 'linked by its title' },
    { bangumi: 2, annict: 2, reason: 'needed: the titles differ' },
    { annict: 1, mal: 10, episodes: 12, reason: 'as the packages say' },
    { annict: 1, mal: 11, reason: 'needed: another id' },
    { annict: 1, episodes: null, reason: 'needed: another count' },
    { annict: 1, main: 12, reason: 'no specials' },
    { annict: 1, main: 11, reason: 'needed: a special' },
    { bangumi: 3, annict: null, reason: 'not linked anyway' },
  ]
  const needless = needlessCorrections({
    items: [item('極光の旅', '1'), item('Kyokko', '2'), item('別の旅', '3')],
    facts: [fact(1, '極光の旅'), fact(2, '極北の光')],
    corrections,
    ...{ armRows: [], relations: [], airDates: new Map(), aliases: new Map() },
    episodeCounts: new Map([['1', 12]]),
  })
  const needed = corrections.filter(({ reason }) => reason.startsWith('needed'))
  expect(needless).toEqual(corrections.filter((one) => !needed.includes(one)).map(({ reason }) => reason))
})
