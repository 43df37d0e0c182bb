import { expect, test } from 'bun:test'
import type { ReviewHere } from '../../../src/transfer/plan/here'
import type { ListRow } from '../../../src/transfer/row'
import { film, now, plan, reviewOf, statusOf } from '../../support/here-samples'

const noon = Date.UTC(2023, 7, 13, 3)
const viewed = (at: number, more: Partial<ReviewHere> = {}) =>
  reviewOf({ watched_at: at, watched_at_precision: 'time', ...more })

const written = (row: Partial<ListRow>, reviews: readonly ReviewHere[] = []) =>
  plan(row, { here: film({ reviews }) }).writes?.reviews ?? []

test('a watched film has only the status, unless there is a date, a rating or a note', () => {
  const { writes } = plan({ status: 'watched', progress: 1 }, { here: film() })
  expect([writes?.status?.kind, writes?.records, writes?.reviews]).toEqual(['watched', [], []])
  const blank = { id: null, body: '', ratingState: null, score: null }
  expect(written({ status: 'watched', finishedOn: '2023-08-13' })).toEqual([
    { ...blank, watchedAt: noon, precision: 'day' },
  ])
  expect(written({ status: 'watched', note: '泣いた' })).toEqual([
    { ...blank, body: '泣いた', watchedAt: now, precision: 'none' },
  ])
  expect(written({ status: 'watched', rating: 'good', finishedOn: '2023-08-13' })).toEqual([
    { ...blank, ratingState: 'good', score: null, watchedAt: noon, precision: 'day' },
  ])
})

test('a film on a watchlist, or only rated, was not watched', () => {
  for (const row of [{ status: 'wanna_watch', rating: 'good' }, { rating: 'good' }] as const)
    expect(written(row)).toEqual([
      { id: null, body: '', ratingState: 'good', score: null, watchedAt: null, precision: null },
    ])
})

test('the date of a list adds no viewing to an existing one, and is given to one without', () => {
  const row = { status: 'watched', finishedOn: '2023-08-13' } as const
  expect(written(row, [viewed(noon + 9e8)])).toEqual([])
  const undated = reviewOf({ id: 8, body: '泣いた', rating_overall_state: 'great' })
  expect(written(row, [undated])).toEqual([
    { id: 8, body: '泣いた', ratingState: 'great', score: null, watchedAt: noon, precision: 'day' },
  ])
  expect(written(row, [reviewOf({ watched_at: now, watched_at_precision: 'none' })]).length).toBe(1)
})

test('each play is a viewing; the last one has the rating and the note', () => {
  const plays = [noon + 9e8, noon, noon + 3_600_000].map((watchedAt) => ({ episode: 0, watchedAt }))
  const { shown, writes } = plan({ plays, rating: 'good' }, { here: film(), source: 'trakt' })
  expect(writes?.reviews).toMatchObject([
    { watchedAt: noon, ratingState: null, score: null },
    { watchedAt: noon + 9e8, ratingState: 'good', score: null, precision: 'time' },
  ])
  expect([shown.status, shown.finishedOn, shown.records]).toEqual(['watched', '2023-08-23', []])
})

test('existing plays are found, the others are added', () => {
  const plays = [noon, noon + 9e8].map((watchedAt) => ({ episode: 1, watchedAt }))
  expect(written({ plays }, [viewed(noon + 3_600_000)])).toMatchObject([{ id: null, watchedAt: noon + 9e8 }])
  expect(written({ plays: [{ episode: 1 }] }, [viewed(noon)])).toEqual([])
  expect(written({ plays: [{ episode: 1 }, { episode: 1 }] }, [viewed(noon)])).toMatchObject([
    { id: null, precision: 'none' },
  ])
})

test('a rating goes to the review that has something, not to a later bare viewing', () => {
  const reviews = [viewed(noon, { id: 8, body: '泣いた' }), viewed(noon + 9e8, { id: 9 })]
  expect(written({ status: 'watched', rating: 'good' }, reviews)).toMatchObject([
    { id: 8, ratingState: 'good', score: null },
  ])
  const { shown } = plan({ status: 'watched' }, { here: film({ reviews }) })
  expect(shown.here.reviewBody).toBe('泣いた')
})

test('the finish date is not added to a status with a viewing that implies it', () => {
  const here = film({ status: statusOf('watched'), reviews: [viewed(noon)] })
  expect(plan({ status: 'watched', finishedOn: '2023-08-12' }, { here }).state).toBe('unchanged')
})

test('the rating of a row with one play belongs to that viewing; a list does not say which of several', () => {
  const reviews = [viewed(noon, { id: 8, rating_overall_state: 'great' })]
  const row = { plays: [{ episode: 0, watchedAt: '2024-01-02' }], rating: 'good', note: '二度目' } as const
  const { state, writes } = plan(row, { here: film({ status: statusOf('watched'), reviews }) })
  const second = {
    watchedAt: Date.UTC(2024, 0, 2, 3),
    ratingState: 'good',
    score: null,
    body: '二度目',
  } as const
  expect([state, writes?.reviews]).toMatchObject(['new', [{ id: null, ...second, precision: 'day' }]])
  const both = [...reviews, viewed(second.watchedAt, { id: 9, rating_overall_state: 'good', body: '二度目' })]
  const again = (said: Partial<ListRow>) =>
    plan(said, { here: film({ status: statusOf('watched'), reviews: both }) }).state
  expect(again(row)).toBe('unchanged')
  expect(again({ ...row, rating: 'great' })).toBe('conflict')
  expect(again({ plays: [{ episode: 0, watchedAt: '2023-08-13' }], rating: 'great' })).toBe('unchanged')
  expect(again({ status: 'watched', rating: 'good', finishedOn: '2023-08-13' })).toBe('unchanged')
})
