import { expect, test } from 'bun:test'
import { kodi } from '../../src/scrobble/players/kodi'

const played = (body: object) => {
  const report = kodi({ event: 'end', title: '題名', progress: { time: 1420, percent: 100 }, ...body }, '')
  return 'ignored' in report ? report.ignored : report.plays.map(({ airDate, year }) => [airDate, year])
}
const episode = { mediaType: 'episode', tvShowTitle: '終わりのセラフ', season: 1, episode: 1, year: 2015 }

test('Kodi’s add-ons say when an episode was first aired, and when a film opened', () => {
  const [[aired] = []] = played({ ...episode, premiered: '2015-04-04' })
  expect(played({ ...episode, firstAired: '2015-04-04' })).toEqual([[aired, expect.anything()]])
  expect(aired).toBeDefined()
  expect(played({ ...episode, firstAired: '', premiered: '2015-04-04' })).toEqual([
    [aired, expect.anything()],
  ])
  const film = { mediaType: 'movie', title: '君の名は。', year: 2016, premiered: '2016-08-26' }
  expect(played(film)).toEqual([[expect.anything(), 2016]])
  expect(played({ ...episode, event: 'start' })).toBe('event')
})

test('what Kodi’s add-on HTTP Scrobbler sends again after a failure was watched when it was', () => {
  const timestamp = '2026-06-12T20:16:35.185714+02:00'
  const report = kodi({ event: 'end', timestamp, ...episode, firstAired: '2015-04-04' }, '')
  if ('ignored' in report) throw new Error(report.ignored)
  expect(report.plays.map(({ watchedAt }) => watchedAt)).toEqual([Date.UTC(2026, 5, 12, 18, 16, 35, 185)])
})
