import { expect, test } from 'bun:test'
import { hereOf, plan, reviewOf } from '../../support/here-samples'

const rated = (...[row, ...more]: Parameters<typeof plan>) => {
  const { rating, hasUnknownScale } = plan(row, ...more).shown
  return hasUnknownScale ? '?' : rating
}

test.each([
  [10, [1, 4, 4.5, 5, 6.5, 7, 8.5, 9, 10], 'bad bad bad average average good good great great'],
  [100, [1, 40, 49, 50, 69, 70, 89, 90, 100], 'bad bad bad average average good good great great'],
  [5, [0.5, 2, 3, 3.5, 4, 4.5, 5], 'bad bad average good good great great'],
  [3, [1, 2, 3], 'bad average great'],
] as const)('a score of %d at most becomes a rating', (scale, values, ratings) => {
  expect(values.map((value) => rated({ score: { value, scale } })).join(' ')).toBe(ratings)
})

test('a score of zero is none, and a rating in the file takes precedence over a score', () => {
  expect(rated({ score: { value: 0, scale: 10 }, status: 'watched' })).toBeNull()
  expect(rated({ score: { value: Number.NaN, scale: 10 }, status: 'watched' })).toBeNull()
  expect(rated({ score: { value: 1, scale: 10 }, rating: 'great' })).toBe('great')
})

test("the scale is the file's, otherwise the chosen one, otherwise implied by the largest score, otherwise asked for", () => {
  const score = { value: 3 }
  expect(
    rated({ score: { value: 3, scale: 5 } }, { largestScore: 90, options: { scoreFormat: 'POINT_3' } }),
  ).toBe('average')
  expect(rated({ score }, { largestScore: 90, options: { scoreFormat: 'POINT_3' } })).toBe('great')
  expect(rated({ score: { value: 70 } }, { largestScore: 90 })).toBe('good')
  expect(rated({ score: { value: 5 } }, { largestScore: 6 })).toBe('average')
  expect(rated({ score }, { largestScore: 5 })).toBe('?')
})

test('while the scale is asked for, no rating is written, but the row counts as adding something', () => {
  const row = { score: { value: 3 } }
  const asked = plan(row)
  expect([asked.state, asked.shown.rating, asked.writes?.reviews]).toEqual(['new', null, []])
  const here = hereOf({ reviews: [reviewOf({ rating_overall_state: 'good' })] })
  expect(plan(row, { here }).state).toBe('unchanged')
})

test.each([
  [10, [0.05, 1, 4.5, 7, 8.5, 10], [1, 10, 45, 70, 85, 100]],
  [100, [1, 37, 50, 100], [1, 37, 50, 100]],
  [5, [0.5, 3, 3.75, 5], [10, 60, 75, 100]],
  [3, [1, 2, 3], [35, 60, 85]],
] as const)('a score of %d at most is kept as a number from 1 to 100 (D87)', (scale, values, scores) => {
  const planned = values.map((value) => plan({ score: { value, scale } }))
  expect(planned.map(({ shown }) => shown.score)).toEqual([...scores])
  expect(planned.map(({ writes }) => writes?.reviews[0]?.score)).toEqual([...scores])
})

const policies = ['keep', 'file', 'newer'] as const
const ratedHere = (rating_overall_state: 'good' | 'great' | null, score: number | null = null) =>
  hereOf({ reviews: [reviewOf({ rating_overall_state, score, created_at: 0 })] })
const eight = { score: { value: 8, scale: 10 } } as const

test.each(policies)('the number of a word that an earlier import kept is filled in: %s (D87)', (conflict) => {
  const { state, shown, writes } = plan(eight, { here: ratedHere('good'), options: { conflict } })
  expect([state, shown.score, shown.here.score]).toEqual(['new', 80, null])
  expect(writes?.reviews).toMatchObject([{ id: 7, ratingState: 'good', score: 80 }])
  const healed = plan(eight, { here: ratedHere('good', 80), options: { conflict } })
  expect([healed.state, healed.writes]).toEqual(['unchanged', null])
})

test.each(policies)('two numbers that differ are a conflict: %s (D87)', (conflict) => {
  const row = { ...eight, updatedAt: 1 }
  const { state, shown, writes } = plan(row, { here: ratedHere('good', 85), options: { conflict } })
  expect([state, shown.score, shown.here.score]).toEqual(['conflict', 80, 85])
  const kept = conflict === 'keep' ? [] : [{ ratingState: 'good', score: 80 }]
  expect(writes?.reviews).toMatchObject(kept)
})

test('a word that is another takes no number from the file, unless the file wins, which brings both (D87)', () => {
  expect(plan(eight, { here: ratedHere('great') }).writes?.reviews).toEqual([])
  const { writes } = plan(eight, { here: ratedHere('great', 95), options: { conflict: 'file' } })
  expect(writes?.reviews).toMatchObject([{ ratingState: 'good', score: 80 }])
  const word = plan({ rating: 'bad' }, { here: ratedHere('great', 95), options: { conflict: 'file' } })
  expect(word.writes?.reviews).toMatchObject([{ ratingState: 'bad', score: null }])
  const same = plan({ rating: 'great' }, { here: ratedHere('great', 95), options: { conflict: 'file' } })
  expect(same.state).toBe('unchanged')
})

test('a number without a word here is a rating too: it is neither replaced nor given a word (D87)', () => {
  const { state, writes } = plan(eight, { here: ratedHere(null, 40) })
  expect([state, writes?.reviews]).toEqual(['conflict', []])
})
