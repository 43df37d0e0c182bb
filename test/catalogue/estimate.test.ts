import { expect, test } from 'bun:test'
import { occurrence } from '../../src/catalogue/estimate/broadcast-rule'
import { type BroadcastFacts, plannedEpisodes } from '../../src/catalogue/estimate/estimate-episodes'
import { plannedPrograms } from '../../src/catalogue/estimate/estimate-programs'

const day = 24 * 60 * 60 * 1000
const week = 7 * day
const begin = Date.parse('2024-01-05T15:00:00Z')
const airing = (more: Partial<BroadcastFacts>): BroadcastFacts => ({
  media: 'web',
  begunOn: '',
  releasedOn: '',
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
  const onTelevision = (begunOn: string, more: Partial<BroadcastFacts> = {}) =>
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

test('without an end, there are episodes up to four weeks ahead, at most 13, and at least 50 after two years', () => {
  const weeks = [-4, -1, 0, 1, 7, 8, 9, 103, 104, 500]
  const planned = weeks.map((n) => plannedEpisodes(airing({}), begin + n * week))
  expect(planned).toEqual([1, 4, 5, 6, 12, 13, 13, 13, 50, 50])
})

test('with an end, weeks tell a count up to 27 and from 41 to 60; else the list begins with 12, or 50', () => {
  const spans = [1, 12, 14, 15, 27, 28, 40, 41, 60, 61, 1000]
  const planned = (broadcastInterval: string) =>
    spans.map((n) =>
      plannedEpisodes(airing({ broadcastInterval, broadcastEnd: begin + (n - 1) * week + 1000 }), begin),
    )
  expect(planned('P7D')).toEqual([1, 12, 14, 14, 26, 12, 12, 38, 56, 50, 50])
  expect(planned('')).toEqual(planned('P7D'))
  expect(planned('P1D')).toEqual(spans.map(() => 0))
  expect(plannedEpisodes(airing({ broadcastEnd: begin - week }), begin)).toBe(0)
})

test('a series that moved to another slot is as long as it is since its first day', () => {
  const moved = airing({ begunOn: '1999-10-20', releasedOn: '1999-10-20' })
  expect(plannedEpisodes(moved, begin + week)).toBe(50)
  expect(plannedEpisodes({ ...moved, broadcastEnd: begin + week }, begin)).toBe(50)
  const spanOnly = { ...moved, broadcastBegin: null, broadcastEnd: Date.parse('2000-06-07') }
  expect(plannedEpisodes(spanOnly, begin)).toBe(12)
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

const showing = { channel: 1, begin, interval: 'P7D' }
const shown = {
  broadcast_begin: begin,
  broadcast_end: null,
  broadcast_interval: 'P7D',
  released_on: '2024-01-05',
  is_counted: 1,
}

test('programs outside the weeks around now are not planned', () => {
  expect(plannedPrograms([showing], shown, [7, 8], begin - 61 * day)).toEqual([])
  expect(plannedPrograms([showing], shown, [7, 8], begin + 200 * day)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin + 31 * day }], shown, [7], begin)).toEqual([])
  expect(plannedPrograms([{ ...showing, begin: begin - 15 * day }], shown, [7], begin)).toEqual([])
})

const fifty = Array.from({ length: 50 }, (_, k) => 101 + k)

test('a broadcast whose end nobody knows is told for thirteen weeks, each with its episode', () => {
  const open = { ...shown, is_counted: 0 }
  const planned = (weeks: number) => plannedPrograms([showing], open, fifty, begin + weeks * week)
  expect(planned(9).map(({ startedAt }) => (startedAt - begin) / week)).toEqual([...Array(13).keys()])
  expect(planned(12).at(-1)).toEqual({ channel: 1, episode: 113, startedAt: begin + 12 * week })
  expect(planned(30)).toEqual([])
  expect(plannedPrograms([showing], shown, fifty, begin + 30 * week).length).toBeGreaterThan(20)
})

test('nothing is planned past the end; a stream that began later ends later', () => {
  const ended = { ...shown, broadcast_end: begin + 2 * week }
  const late = { channel: 2, begin: begin + 3 * day, interval: 'P7D' }
  const planned = plannedPrograms([showing, late], ended, fifty, begin + week)
  expect(planned.map(({ channel, startedAt }) => [channel, (startedAt - begin) / day])).toEqual([
    [1, 0],
    [1, 7],
    [1, 14],
    [2, 3],
    [2, 10],
    [2, 17],
  ])
})

test('a later slot of a series says nothing about which episode is on', () => {
  expect(plannedPrograms([showing], { ...shown, released_on: '1999-10-20' }, fifty, begin)).toEqual([])
  expect(plannedPrograms([showing], { ...shown, released_on: '' }, [7], begin)).toHaveLength(1)
})

test('the k-th episode starts k intervals after the first', () => {
  expect(plannedPrograms([showing], shown, [7, 8], begin)).toEqual([
    { channel: 1, episode: 7, startedAt: begin },
    { channel: 1, episode: 8, startedAt: begin + week },
  ])
  expect(
    plannedPrograms([{ ...showing, interval: '' }], { ...shown, broadcast_begin: null }, [7, 8], begin),
  ).toEqual([{ channel: 1, episode: 7, startedAt: begin }])
})
