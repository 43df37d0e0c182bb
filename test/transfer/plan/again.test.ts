import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ratingStates } from '../../../src/library/ratings'
import { statusKinds } from '../../../src/library/statuses'
import type { Here } from '../../../src/transfer/plan/here'
import { hereAfter } from '../../../src/transfer/plan/here-after'
import { conflictPolicies, type PlannedRow, type Writes } from '../../../src/transfer/plan/planned-row'
import type { ListRow, Play } from '../../../src/transfer/row'
import { episodesOf, film, hereOf, now, plan } from '../../support/here-samples'

const hour = 3_600_000
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const day = fc.constantFrom(
  '2019-12-30',
  '2020-01-05',
  '2020-01-06',
  '2026-04-01',
  '2030-01-01',
  '1949-05-05',
)
const date = fc.oneof(day, fc.constantFrom('2016', '2020-03'))
const time = fc.integer({ min: 0, max: 100 }).map((hours) => Date.UTC(2020, 0, 5) + hours * 5 * hour)
const comment = optional(fc.constantFrom('', 'a', 'b'))

const play: fc.Arbitrary<Play> = fc.record({
  episode: fc.integer({ min: 1, max: 3 }),
  watchedAt: optional(fc.oneof(time, day, fc.constant('2020-01-07T21:00:00'))),
  rating: optional(fc.constantFrom(...ratingStates)),
  comment,
})

const row: fc.Arbitrary<Partial<ListRow>> = fc.record({
  status: optional(fc.constantFrom(...statusKinds)),
  progress: optional(fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant('all' as const))),
  watched: optional(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 })),
  rating: optional(fc.constantFrom(...ratingStates)),
  startedOn: optional(date),
  finishedOn: optional(date),
  rewatches: optional(fc.integer({ min: 0, max: 3 })),
  note: comment,
  updatedAt: optional(fc.integer({ min: now - 10, max: now + 10 })),
  plays: optional(fc.array(play, { maxLength: 8 })),
})

const blank = fc.constantFrom(
  hereOf({ episodes: episodesOf(4) }),
  hereOf({ episodes: episodesOf(2), mayGrow: true }),
  film(),
)
const input = fc.record({
  options: fc.record({ conflict: fc.constantFrom(...conflictPolicies) }),
  source: fc.constantFrom('mal', 'trakt'),
  match: fc.record({ growsTo: fc.constantFrom(null, 5) }),
})

/** What a user has after other lists. */
const known = fc
  .tuple(blank, fc.array(fc.tuple(row, input), { maxLength: 3 }))
  .map(([here, lists]) =>
    lists.reduce((before, [one, how]) => after(before, plan(one, { ...how, here: before })), here),
  )

const after = (here: Here, { writes }: PlannedRow, at = now): Here =>
  writes === null ? here : hereAfter(here, writes, at)

const countOf = (writes: Writes | null) =>
  (writes?.records.length ?? 0) + (writes?.reviews.length ?? 0) + (writes?.laps.length ?? 0)

const recordsIn = (here: Here) =>
  here.episodes
    .flatMap(({ records }, index) =>
      records.map(({ watchedAt, precision, lap, isCommented }) =>
        [index, lap, precision, precision === 'none' ? 0 : watchedAt, isCommented].join(' '),
      ),
    )
    .toSorted()

test('planned again after it was applied, a row writes nothing', () => {
  fc.assert(
    fc.property(known, row, input, (here, one, how) => {
      const first = plan(one, { ...how, here })
      const later = { ...how, here: after(here, first), now: now + 5 }
      const again = plan(one, later)
      expect([
        again.writes && countOf(again.writes),
        again.writes?.status ?? null,
        again.writes?.growsTo ?? null,
      ]).toEqual([again.writes && 0, null, null])
      if (first.state === 'new') expect(again.state).toBe('unchanged')
      if (first.state === 'conflict') expect(['unchanged', 'conflict']).toContain(again.state)
    }),
    { numRuns: 2000 },
  )
})

test('two services with the same list add up to one set of records', () => {
  fc.assert(
    fc.property(known, row, input, input, (here, one, how, other) => {
      const match = { growsTo: how.match.growsTo }
      const before = after(here, plan(one, { ...how, here }))
      const second = plan(one, { ...other, match, here: before, options: { conflict: 'keep' }, now: now + 5 })
      expect(countOf(second.writes)).toBe(0)
    }),
    { numRuns: 1000 },
  )
})

test('a partly written row ends with the same records', () => {
  fc.assert(
    fc.property(known, row, input, fc.nat({ max: 10 }), (here, one, how, part) => {
      const { writes } = plan(one, { ...how, here })
      if (writes === null) return
      const some = { ...writes, records: writes.records.slice(0, part), status: null, reviews: [] }
      const half = hereAfter(here, some, now)
      const rest = plan(one, { ...how, here: half })
      expect(recordsIn(after(half, rest))).toEqual(recordsIn(hereAfter(here, writes, now)))
      expect(after(half, rest).lap).toBe(hereAfter(here, writes, now).lap)
    }),
    { numRuns: 2000 },
  )
})

test('with keep, neither an existing status nor a text nor a rating changes', () => {
  fc.assert(
    fc.property(known, row, input, (here, one, how) => {
      const next = after(here, plan(one, { ...how, here, options: { conflict: 'keep' } }))
      if (here.status !== null) expect(next.status?.kind).toBe(here.status.kind)
      for (const [index, { body, rating_overall_state }] of here.reviews.entries()) {
        if (body !== '') expect(next.reviews[index]?.body).toBe(body)
        if (rating_overall_state !== null)
          expect(next.reviews[index]?.rating_overall_state).toBe(rating_overall_state)
      }
      expect(next.status?.rewatches ?? 0).toBeGreaterThanOrEqual(here.status?.rewatches ?? 0)
    }),
    { numRuns: 1000 },
  )
})

test('no time is in the future or before 1950, and each lap has a row', () => {
  fc.assert(
    fc.property(known, row, input, (here, one, how) => {
      const { writes } = plan(one, { ...how, here })
      for (const { watchedAt, precision, createdAt, lap } of writes?.records ?? []) {
        expect(watchedAt).toBeWithin(Date.UTC(1950, 0), now + 1)
        expect(createdAt).toBe(precision === 'none' ? now : watchedAt)
        expect(lap).toBeLessThanOrEqual(
          Math.max(here.lap, ...(writes?.laps ?? []).map(({ number }) => number)),
        )
      }
      expect(writes?.laps.map(({ number }) => number) ?? []).toEqual(
        Array.from({ length: writes?.laps.length ?? 0 }, (_, at) => here.lap + 1 + at),
      )
    }),
    { numRuns: 1000 },
  )
})
