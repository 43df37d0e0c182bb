import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { episodeCount } from '../../../src/catalogue/default/episode-count'
import { releasedOn } from '../../../src/catalogue/default/released-on'
import { seasonName } from '../../../src/catalogue/season'
import { catalogueItem as item, readPackagesOnce, work, works } from '../../support/built-catalogue'

test.each([
  ['君の名は。', '2016-08-26'],
  ['すずめの戸締まり', '2022-11-11'],
  ['THE FIRST SLAM DUNK', '2022-12-03'],
  ['千と千尋の神隠し', '2001-07-20'],
  ['となりのトトロ', '1988-04-16'],
  ['けいおん！', '2009-04-02'],
])('%s came out on %s, with or without a known air date', async (title, date) => {
  expect(work(title).map(({ released_on }) => released_on)).toEqual([date])
  const { items } = readPackagesOnce()
  const found = items.find((one) => one.title === title)
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

test('a date alone means midnight in China only in items that have both a comment and a broadcast', () => {
  const begin = '2023-04-01T16:00:00.000Z'
  expect(releasedOn({ begin, comment: '' }, undefined)).toBe('2023-04-01')
  expect(releasedOn({ begin, broadcast: '' }, undefined)).toBe('2023-04-01')
  expect(releasedOn({ begin, comment: '', broadcast: '' }, undefined)).toBe('2023-04-02')
})

const day = fc
  .date({ min: new Date('1917-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

test('whatever the begin and the air date say, the day is a real one or none', () => {
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
  ['tv', 12, 2001, null],
  ['tv', 12, 2000, 2000],
  ['movie', 1, 1, null],
  ['movie', 1, undefined, null],
  ['tv', 0, undefined, null],
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
  ['tv', 28, undefined, null],
  ['tv', 40, undefined, null],
  ['tv', 41, undefined, 38],
  ['tv', 60, undefined, 56],
  ['tv', 61, undefined, null],
  ['tv', 1400, undefined, null],
  ['web', 1, undefined, null],
  ['web', 1, 10, 10],
] as const)('%s over %d weeks, %p episodes known: %p', (type, weeks, known, count) => {
  const spanned = { type, begin: weeksLater(1), end: weeksLater(weeks) }
  expect(episodeCount(spanned, known)).toBe(count)
})

test('a last broadcast that is slightly longer or earlier still counts as a week', () => {
  const begin = '2023-01-01T12:00:00.000Z'
  expect(episodeCount({ type: 'tv', begin, end: '2023-03-19T12:30:00.000Z' }, undefined)).toBe(12)
  expect(episodeCount({ type: 'tv', begin, end: '2023-03-19T10:00:00.000Z' }, undefined)).toBe(12)
})

test('without a begin or an end there is no count', () => {
  expect(episodeCount({ type: 'tv', begin: weeksLater(1), end: '' }, undefined)).toBeNull()
  expect(episodeCount({ type: 'tv', begin: '', end: weeksLater(1) }, undefined)).toBeNull()
  expect(episodeCount({ type: 'tv', begin: weeksLater(1), end: '' }, 13)).toBe(13)
})

test('a count is never above 2,000, and above 56 only if somebody counted', () => {
  fc.assert(
    fc.property(day, day, fc.option(fc.integer(), { nil: undefined }), (begin, end, known) => {
      const count = episodeCount({ type: 'tv', begin, end }, known) ?? 1
      expect(count).toBeWithin(1, known === undefined || known < 1 ? 57 : 2001)
    }),
  )
  for (const { episodes_estimate } of works) expect(episodes_estimate ?? 1).toBeWithin(1, 2001)
})
