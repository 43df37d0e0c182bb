import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { KnownWork } from '../../../src/transfer/match/known-work'
import { lengthOf, spread } from '../../../src/transfer/match/spread'
import type { ListRow, Play } from '../../../src/transfer/row'
import { anime, estimated, matchedCatalogue, rowOf } from './catalogue'

const work = (id: number, count: number | null, isWhole: boolean): KnownWork => ({
  ...{ id, title: `作品${id}`, media: 'tv', years: [], begins: '', ids: [], isEstimated: true },
  ...{ isWhole, count, listed: count ?? 0 },
})

const works = fc
  .array(fc.tuple(fc.option(fc.integer({ min: 1, max: 30 })), fc.boolean()), { minLength: 1, maxLength: 6 })
  .map((all) => all.map(([count, isWhole], at) => work(at + 1, count, isWhole)))

/** A play is identified by its time. */
const plays = fc
  .array(fc.integer({ min: 0, max: 200 }), { maxLength: 40 })
  .map((all) => all.map((episode, watchedAt): Play => ({ episode, watchedAt })))

const rows = fc.record({
  progress: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
  watched: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 200 })), { nil: undefined }),
  status: fc.constantFrom(undefined, 'watching', 'watched', 'on_hold', 'stop_watching', 'wanna_watch'),
  plays,
})

const timesOf = (all: readonly ListRow[]) =>
  all.flatMap((row) => row.plays ?? []).map((play) => play.watchedAt)
const inOrder = (numbers: readonly unknown[]) => numbers.toSorted((one, other) => Number(one) - Number(other))

test('what is divided among works adds up to the whole', () => {
  fc.assert(
    fc.property(works, rows, (among, fields) => {
      const row = rowOf(fields)
      const shares = spread(row, among)
      const begins = new Map(
        among.map(({ id }, at) => [id, among.slice(0, at).reduce((sum, one) => sum + lengthOf(one), 0)]),
      )
      const back = (id: number, number: number) => number + (begins.get(id) ?? 0)
      const watched = shares.flatMap(
        ({ work: { id }, row: part }) => part.watched?.map((n) => back(id, n)) ?? [],
      )
      const episodes = shares.flatMap(({ work: { id }, row: part }) =>
        (part.plays ?? []).map(({ episode, watchedAt }) => [watchedAt, back(id, episode)]),
      )
      const progress = shares.reduce((sum, share) => sum + Number(share.row.progress ?? 0), 0)
      expect(inOrder(watched)).toEqual(inOrder(row.watched ?? []))
      expect(new Map(episodes as [number, number][])).toEqual(
        new Map((row.plays ?? []).map((play) => [Number(play.watchedAt), play.episode])),
      )
      expect(episodes).toHaveLength(row.plays?.length ?? 0)
      expect(progress).toBe(row.progress === 'all' ? 0 : (row.progress ?? 0))
    }),
  )
})

test('no play of a series is lost or duplicated', async () => {
  const known = await matchedCatalogue([
    anime(1, '町', { ids: { mal: 31240, tmdb: 'tv/200' }, ...estimated(12, '2010-04-01') }),
    anime(2, '町 続', { ids: { mal: 39587, tmdb: 'tv/200' }, ...estimated(12, '2014-04-01') }),
    anime(3, '町 完', { ids: { tmdb: 'tv/200/season/3' }, ...estimated(12, '2014-08-01') }),
    anime(4, '町 外伝', { media: 'ova', ids: { tmdb: 'tv/200/season/0/episode/1' } }),
  ])
  const season = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
  const seasons = fc.array(season, { minLength: 40, maxLength: 40 })
  const refs = [{ site: 'tmdb', id: 'tv/200' }] as const
  await fc.assert(
    fc.asyncProperty(plays, seasons, fc.boolean(), async (all, of, isChosen) => {
      const row = { refs, plays: all.map((play, at) => ({ ...play, season: of[at] })) }
      const choices = new Map(isChosen ? [['1/season/4', { workId: 3, episodeOffset: -1 }]] : [])
      const matches = await known.match(row, choices)
      expect(inOrder(timesOf(matches.map((match) => match.row)))).toEqual(inOrder(timesOf([rowOf(row)])))
      const taken = matches.flatMap(({ workId }) => workId ?? [])
      expect(new Set(taken).size).toBe(taken.length)
    }),
    { numRuns: 50 },
  )
  await known.close()
})

test('no row matches a work that is hidden or was merged into another', async () => {
  const ids = Array.from({ length: 12 }, (_, at) => at + 1)
  const known = await matchedCatalogue(
    ids.map((id) =>
      anime(id, `町 ${1 + (id % 3)}期`, {
        ids: { mal: 100 + (id % 4), tmdb: `tv/${id % 2}` },
        ...estimated(12, `20${10 + id}-04-01`),
      }),
    ),
  )
  const isGone = new Set<number>()
  const change = async (id: number, into: number | undefined) => {
    const line =
      into === undefined || into === id || isGone.has(into)
        ? { deleted: true }
        : { merged_into: `annict:${into}` }
    if (!isGone.has(id)) await known.store.load('annict', [{ type: 'work', key: `annict:${id}`, ...line }])
    isGone.add(id)
  }
  const number = fc.integer({ min: 1, max: ids.length })
  await fc.assert(
    fc.asyncProperty(number, fc.option(number, { nil: undefined }), number, async (id, into, other) => {
      if (isGone.size < ids.length - 2) await change(id, into)
      const asked: readonly Partial<ListRow>[] = [
        { refs: [{ site: 'mal', id: String(100 + (other % 4)) }], progress: 20, total: 24 },
        { refs: [{ site: 'tmdb', id: `tv/${other % 2}` }], plays: [{ season: 1, episode: other }] },
        { refs: [{ site: 'work', id: String(other) }], title: `町 ${1 + (other % 3)}期` },
        { refs: [{ site: 'annict', id: String(other) }] },
        { title: `町 ${1 + (other % 3)}期`, year: 2010 + other },
        { title: '町のどこか' },
      ]
      const chosen = new Map([['1', { workId: other, episodeOffset: 0 }]])
      const all = [
        ...(await Promise.all(asked.map((row) => known.match(row)))),
        ...(await Promise.all(asked.map((row) => known.match(row, chosen)))),
      ].flat()
      const named = all.flatMap(({ workId, proposals }) => [
        ...(workId === null ? [] : [workId]),
        ...proposals,
      ])
      expect(named.filter((one) => isGone.has(one))).toEqual([])
      expect(all.every(({ proposals }) => proposals.length <= 5)).toBe(true)
    }),
    { numRuns: 40 },
  )
  expect(isGone.size).toBeGreaterThan(3)
  await known.close()
}, 60_000)
