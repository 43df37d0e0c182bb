import { expect, test } from 'bun:test'
import { occurrence } from '../../src/catalogue/estimate/interval'
import { type Airing, plannedEpisodes } from '../../src/catalogue/estimate/planned-episodes'
import { plannedPrograms } from '../../src/catalogue/estimate/planned-programs'

const day = 24 * 60 * 60 * 1000
const week = 7 * day
const begin = Date.parse('2024-01-05T15:00:00Z')
const airing = (more: Partial<Airing>): Airing => ({
  episodesEstimate: null,
  broadcastBegin: begin,
  broadcastEnd: null,
  broadcastInterval: 'P7D',
  ...more,
})

test('nothing is planned for a work that nothing is known of, or that begins in months', () => {
  expect(plannedEpisodes(airing({ broadcastBegin: null }), begin)).toBe(0)
  expect(plannedEpisodes(airing({ episodesEstimate: 0 }), begin)).toBe(0)
  expect(plannedEpisodes(airing({}), begin - 10 * week)).toBe(0)
})

test('the number a source gives is taken, but never more than 60', () => {
  expect(plannedEpisodes(airing({ episodesEstimate: 24 }), begin)).toBe(24)
  expect(plannedEpisodes(airing({ episodesEstimate: 99 }), begin)).toBe(60)
})

test('without an end there are those up to four weeks ahead, at most 13', () => {
  const weeks = [-4, -1, 0, 1, 7, 8, 9, 500]
  const planned = weeks.map((n) => plannedEpisodes(airing({}), begin + n * week))
  expect(planned).toEqual([1, 4, 5, 6, 12, 13, 13, 13])
})

test('with an end the span counts, as long as it is weekly and short enough to be trusted', () => {
  const spans = [1, 12, 14, 15, 27, 28, 110]
  const planned = spans.map((n) =>
    plannedEpisodes(airing({ broadcastEnd: begin + (n - 1) * week + 1000 }), begin),
  )
  expect(planned).toEqual([1, 12, 14, 14, 26, 0, 0])
  expect(plannedEpisodes(airing({ broadcastEnd: begin + week, broadcastInterval: '' }), begin)).toBe(0)
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

test('programs of other months and of shelves are not planned', () => {
  const showing = { channel: 1, begin, interval: 'P7D' }
  expect(plannedPrograms([showing], begin, [7, 8], begin - 61 * day)).toEqual([])
  expect(plannedPrograms([showing], begin, [7, 8], begin + 200 * day)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin + 31 * day }], begin, [7], begin)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin - 15 * day }], begin, [7], begin)).toEqual([])
})

test('the k-th episode starts k intervals after the first', () => {
  expect(plannedPrograms([{ channel: 1, begin, interval: 'P7D' }], begin, [7, 8], begin)).toEqual([
    { channel: 1, episode: 7, startedAt: begin },
    { channel: 1, episode: 8, startedAt: begin + week },
  ])
  expect(plannedPrograms([{ channel: 1, begin, interval: '' }], null, [7, 8], begin)).toEqual([
    { channel: 1, episode: 7, startedAt: begin },
  ])
})
