import { expect, test } from 'bun:test'
import { occurrence } from '../../src/catalogue/estimate/interval'
import { type Airing, plannedEpisodes } from '../../src/catalogue/estimate/planned-episodes'
import { plannedPrograms } from '../../src/catalogue/estimate/planned-programs'

const day = 24 * 60 * 60 * 1000
const week = 7 * day
const begin = Date.parse('2024-01-05T15:00:00Z')
const airing = (more: Partial<Airing>): Airing => ({
  media: 'web',
  begunOn: '',
  episodesEstimate: null,
  broadcastBegin: begin,
  broadcastEnd: null,
  broadcastInterval: 'P7D',
  ...more,
})

test('nothing is planned for a work without data, or for one that begins in months', () => {
  expect(plannedEpisodes(airing({ broadcastBegin: null }), begin)).toBe(0)
  expect(plannedEpisodes(airing({ episodesEstimate: 0 }), begin)).toBe(0)
  expect(plannedEpisodes(airing({}), begin - 10 * week)).toBe(0)
  expect(plannedEpisodes(airing({ media: 'tv', broadcastBegin: null }), begin)).toBe(0)
})

test('a television series that has begun has a first episode, whatever else is known', () => {
  const onTelevision = (begunOn: string, more: Partial<Airing> = {}) =>
    airing({ media: 'tv', broadcastBegin: null, begunOn, ...more })
  expect(plannedEpisodes(onTelevision('2024-01-05'), begin)).toBe(1)
  expect(plannedEpisodes(onTelevision('2024-01-06'), begin)).toBe(0)
  expect(plannedEpisodes(onTelevision('2024-01-05', { media: 'web' }), begin)).toBe(0)
  const once = { broadcastBegin: begin, broadcastEnd: begin - week, broadcastInterval: 'P1D' }
  expect(plannedEpisodes(onTelevision('', once), begin)).toBe(1)
  expect(plannedEpisodes(onTelevision('', once), begin - 1)).toBe(0)
})

test('the number given by a source is used, but never more than 2,000', () => {
  expect(plannedEpisodes(airing({ episodesEstimate: 24 }), begin)).toBe(24)
  expect(plannedEpisodes(airing({ episodesEstimate: 2001 }), begin)).toBe(2000)
})

test('without an end, there are episodes up to four weeks ahead, at most 13, for up to two years', () => {
  const weeks = [-4, -1, 0, 1, 7, 8, 9, 103, 104, 500]
  const planned = weeks.map((n) => plannedEpisodes(airing({}), begin + n * week))
  expect(planned).toEqual([1, 4, 5, 6, 12, 13, 13, 13, 100, 100])
})

test('with an end, the weeks of the span count, minus those without an episode, at most 100', () => {
  const spans = [1, 12, 14, 15, 27, 28, 66, 107, 108, 110]
  const planned = (broadcastInterval: string) =>
    spans.map((n) =>
      plannedEpisodes(airing({ broadcastInterval, broadcastEnd: begin + (n - 1) * week + 1000 }), begin),
    )
  expect(planned('P7D')).toEqual([1, 12, 14, 14, 26, 26, 61, 99, 100, 100])
  expect(planned('')).toEqual(planned('P7D'))
  expect(planned('P1D')).toEqual(spans.map(() => 0))
  expect(plannedEpisodes(airing({ broadcastEnd: begin - week }), begin)).toBe(0)
})

test('an interval leads from one start to the next', () => {
  const at = (interval: string, k: number) => {
    const time = occurrence(begin, interval, k)
    return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10)
  }
  expect(at('', 1)).toBeUndefined()
  expect(at('weekly', 1)).toBeUndefined()
  expect(at('', 0)).toBe('2024-01-05')
  expect(at('P7D', 2)).toBe('2024-01-19')
  expect(at('P2W', 1)).toBe('2024-01-19')
  expect(at('P1M', 3)).toBe('2024-04-05')
  expect(at('P0D', 9)).toBe('2024-01-05')
})

test('programs outside the weeks around now are not planned', () => {
  const showing = { channel: 1, begin, interval: 'P7D', isOpen: 0 }
  expect(plannedPrograms([showing], begin, [7, 8], begin - 61 * day)).toEqual([])
  expect(plannedPrograms([showing], begin, [7, 8], begin + 200 * day)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin + 31 * day }], begin, [7], begin)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin - 15 * day }], begin, [7], begin)).toEqual([])
})

test('a series that continues beyond its list has times for the coming weeks, without episodes', () => {
  const showing = { channel: 1, begin, interval: 'P7D', isOpen: 1 }
  const planned = plannedPrograms([showing], begin, [7, 8], begin + 20 * week + day)
  expect(planned.slice(0, 2)).toEqual([
    { channel: 1, episode: null, startedAt: begin + 21 * week },
    { channel: 1, episode: null, startedAt: begin + 22 * week },
  ])
  expect(planned).toHaveLength(8)
  expect(plannedPrograms([showing], begin, [7, 8], begin + 50 * week)).toHaveLength(3)
  expect(plannedPrograms([showing], begin, [7, 8], begin + 53 * week)).toEqual([])
  expect(plannedPrograms([showing], begin, Array(50).fill(7), begin + 90 * week)).toHaveLength(9)
  expect(plannedPrograms([{ ...showing, interval: '' }], begin, [7], begin + week)).toHaveLength(1)
  expect(plannedPrograms([{ ...showing, interval: 'P0D' }], begin, [7], begin + day)).toHaveLength(1)
})

test('the k-th episode starts k intervals after the first', () => {
  expect(plannedPrograms([{ channel: 1, begin, interval: 'P7D', isOpen: 0 }], begin, [7, 8], begin)).toEqual([
    { channel: 1, episode: 7, startedAt: begin },
    { channel: 1, episode: 8, startedAt: begin + week },
  ])
  expect(plannedPrograms([{ channel: 1, begin, interval: '', isOpen: 0 }], null, [7, 8], begin)).toEqual([
    { channel: 1, episode: 7, startedAt: begin },
  ])
})
