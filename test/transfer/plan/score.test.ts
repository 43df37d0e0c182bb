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
