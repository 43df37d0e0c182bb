import { expect, test } from 'bun:test'
import { placesIn } from '../../src/transfer/file/json'
import { isPart } from '../../src/transfer/part'
import {
  compactDayIn,
  dayIn,
  entryOf,
  fuzzyDayIn,
  partialDateIn,
  secondsIn,
} from '../../src/transfer/readers/fields'

test('a status named like a property of every object is none', () => {
  const statuses = { watching: 1 }
  expect(entryOf(statuses, 'watching')).toBe(1)
  for (const name of ['constructor', '__proto__', 'toString']) expect(entryOf(statuses, name)).toBeUndefined()
})

test.each([
  [1_683_372_896, 1_683_372_896_000],
  ['1683372896', 1_683_372_896_000],
  [0, undefined],
  ['soon', undefined],
  [123_456_789_012, undefined],
])('seconds are an instant: %s', (value, instant) => {
  expect(secondsIn(value)).toBe(instant)
})

test.each([
  [{ data: { MediaListCollection: { hasNextChunk: true } } }, true],
  [{ data: { MediaListCollection: { hasNextChunk: false } } }, false],
  [[true, false].map((hasNextChunk) => ({ data: { list: { hasNextChunk } } })), false],
  [{ data: [], links: { next: 'https://kitsu.app/api/edge/library-entries?page' } }, true],
  [{ data: [], paging: {} }, false],
])('a page of a list is told from the whole: %j', async (answer, expected) => {
  const bytes = async function* () {
    yield new TextEncoder().encode(JSON.stringify(answer))
  }
  const file = { name: 'list', bytes }
  expect(await isPart({ file, places: await placesIn(file) })).toBe(expected)
})

test('consecutive pages of a list are complete if the last one is the end', async () => {
  const [first, last] = [
    { links: { next: 'https://kitsu.app/api/edge/library-entries?page' } },
    { links: {} },
  ]
  const bytes = async function* () {
    yield new TextEncoder().encode(JSON.stringify(first) + JSON.stringify(last))
  }
  const file = { name: 'list', bytes }
  expect(await isPart({ file, places: await placesIn(file) })).toBe(false)
})

test('an impossible date is kept, for a warning; an unknown one is not', () => {
  expect([dayIn('2016-02-30 12:00'), partialDateIn('2016-13')]).toEqual(['2016-02-30', '2016-13'])
  expect(compactDayIn(20160230)).toBe('2016-02-30')
  expect(fuzzyDayIn({ year: 2016, month: 2, day: 30 })).toBe('2016-02-30')
  for (const blank of ['0000-00-00', '2016-03-00', '2016-00-05', '0000', '2016-00', '', '0', 'soon'])
    expect([blank, dayIn(blank), partialDateIn(blank)]).toEqual([blank, undefined, undefined])
  expect(fuzzyDayIn({ year: 2016, month: null, day: null })).toBeUndefined()
})
