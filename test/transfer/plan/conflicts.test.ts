import { expect, test } from 'bun:test'
import type { ImportOptions } from '../../../src/transfer/plan/planned-row'
import type { ListRow } from '../../../src/transfer/row'
import { episodesOf, hereOf, now, plan, reviewOf, statusOf } from '../../support/here-samples'

const policies = ['keep', 'file', 'newer'] as const
const day = 86_400_000

const here = hereOf({
  episodes: episodesOf(12, { 0: [{}] }),
  status: statusOf('on_hold', { changed_at: now - 10 * day }),
  reviews: [
    reviewOf({ id: 6, body: 'older' }),
    reviewOf({ id: 7, body: '庭が好き', rating_overall_state: 'good', created_at: now - 10 * day }),
  ],
})

const planned = (row: Partial<ListRow>, conflict: ImportOptions['conflict']) => {
  const { state, writes } = plan(row, { here, options: { conflict } })
  return { state, status: writes?.status, reviews: writes?.reviews, added: writes?.records.length }
}

test.each(policies)('a different status, rating or note is a conflict, which shows both: %s', (conflict) => {
  for (const row of [{ status: 'watched' }, { rating: 'bad' }, { note: 'x' }] as const)
    expect(planned(row, conflict).state).toBe('conflict')
  const { shown } = plan({ status: 'watched', rating: 'bad', note: 'x' }, { here, options: { conflict } })
  expect([shown.status, shown.rating, shown.reviewBody]).toEqual(['watched', 'bad', 'x'])
  expect(shown.here).toEqual({
    status: 'on_hold',
    episodes: 1,
    rating: 'good',
    score: null,
    reviewBody: '庭が好き',
    hasPrivateNote: false,
  })
})

test('with keep, nothing existing changes, but missing episodes are added', () => {
  const row = { status: 'watched', rating: 'bad', note: 'x', progress: 12 } as const
  expect(planned(row, 'keep')).toEqual({ state: 'conflict', status: null, reviews: [], added: 11 })
})

test('under the policy file, the newest review is changed in place, and the status with its time', () => {
  const updatedAt = now - 100 * day
  const { status, reviews } = planned({ status: 'watched', rating: 'bad', note: 'x', updatedAt }, 'file')
  expect(status).toMatchObject({ kind: 'watched', changed_at: updatedAt })
  expect(reviews).toEqual([
    { id: 7, body: 'x', ratingState: 'bad', score: null, watchedAt: null, precision: null },
  ])
  expect(planned({ status: 'watched' }, 'file').status?.changed_at).toBe(now)
  expect(planned({ status: 'watched', updatedAt: now + day }, 'file').status?.changed_at).toBe(now)
})

test('an empty note or rating in the file erases nothing', () => {
  const { reviews } = planned({ status: 'on_hold', rating: 'bad', note: ' ' }, 'file')
  expect(reviews).toMatchObject([{ body: '庭が好き', ratingState: 'bad', score: null }])
  expect(planned({ note: 'x', status: 'on_hold' }, 'file').reviews).toMatchObject([
    { ratingState: 'good', score: null },
  ])
})

test.each([
  [undefined, false],
  [now - 11 * day, false],
  [now - 10 * day, false],
  [now - 9 * day, true],
])('under the policy newer, the file wins if it was changed later: %p', (updatedAt, wins) => {
  const { state, status, reviews } = planned({ status: 'watched', rating: 'bad', updatedAt }, 'newer')
  expect([state, status?.kind === 'watched', reviews?.length]).toEqual(['conflict', wins, wins ? 1 : 0])
})

test('existing blanks are filled in', () => {
  const blank = hereOf({ reviews: [reviewOf({ rating_overall_state: 'good' })], status: statusOf('watched') })
  const { state, writes } = plan({ status: 'watched', rating: 'good', note: 'x' }, { here: blank })
  expect([state, writes?.reviews]).toEqual([
    'new',
    [{ id: 7, body: 'x', ratingState: 'good', score: null, watchedAt: null, precision: null }],
  ])
})

const dated = (more: object, row: Partial<ListRow>, conflict: ImportOptions['conflict'] = 'keep') => {
  const status = statusOf('watched', more)
  const { state, writes } = plan(row, { here: hereOf({ status }), options: { conflict } })
  const { started_on, finished_on, rewatches } = writes?.status ?? {}
  return [state, started_on, finished_on, rewatches]
}

test('dates neither set nor known from records are added to the status', () => {
  expect(dated({}, { startedOn: '2016', finishedOn: '2016-03' })).toEqual(['new', '2016', '2016-03', null])
  const told = hereOf({
    status: statusOf('watched'),
    episodes: episodesOf(1, { 0: [{ precision: 'year' }] }),
  })
  expect(plan({ startedOn: '2016' }, { here: told }).state).toBe('unchanged')
})

test('a date different from the one set is a conflict, and replaces it only under the policy file', () => {
  const said = { started_on: '2015', finished_on: null }
  expect(dated(said, { startedOn: '2016' })).toEqual(['conflict', undefined, undefined, undefined])
  expect(dated(said, { startedOn: '2016' }, 'file')).toEqual(['conflict', '2016', null, null])
  expect(dated(said, { finishedOn: '2014-05' })).toEqual(['unchanged', undefined, undefined, undefined])
})

test('rewatches only increase', () => {
  expect(dated({}, { status: 'watched', rewatches: 2 })).toEqual(['new', null, null, 2])
  expect(dated({ rewatches: 1 }, { status: 'watched', rewatches: 2 })).toEqual(['new', null, null, 2])
  for (const conflict of policies)
    expect(dated({ rewatches: 3 }, { status: 'watched', rewatches: 2 }, conflict)[0]).toBe('unchanged')
  expect(plan({ status: 'watched', rewatches: 0 }).writes?.status?.rewatches).toBeNull()
})

test('a status derived from a history does not change an existing one', () => {
  const wanted = hereOf({ status: statusOf('wanna_watch') })
  const { state, writes } = plan(
    { plays: [{ episode: 1 }] },
    { here: wanted, source: 'trakt', options: { conflict: 'file' } },
  )
  expect([state, writes?.status]).toEqual(['new', null])
})

test('a long note is cut, and contains no characters that cannot be stored', () => {
  const { shown } = plan({ note: ` ${'😀'.repeat(10_001)}` })
  expect([[...shown.reviewBody].length, shown.warnings]).toEqual([
    10_000,
    ['the note is cut to 10000 characters'],
  ])
  expect(plan({ note: 'a\0b\ud800' }).shown.reviewBody).toBe('ab\ufffd')
})
