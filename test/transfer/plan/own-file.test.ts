import { expect, test } from 'bun:test'
import type { ListRow, OwnEntry, OwnPlay, OwnReview, Play } from '../../../src/transfer/row'
import { catalogueStore } from '../../support/catalogue-store'
import { episodesOf, hereOf, now, plan, reviewOf } from '../../support/here-samples'
import { addUsers, applyList, applyPart, matchOf, planList } from '../../support/planned-lists'
import { add } from '../../support/seed'

const at = Date.UTC(2020, 0, 5, 3)

const ownPlay = (episode: number, more: Partial<OwnPlay> = {}, play: Partial<Play> = {}): Play => ({
  ...{ episode, watchedAt: at, ...play },
  own: {
    listed: { number: String(episode), sortNumber: episode * 10 },
    ...{ lap: 1, precision: 'time', createdAt: at, ...more },
  },
})

const ratings = {
  overall: undefined,
  animation: undefined,
  music: undefined,
  story: undefined,
  character: undefined,
}
const review: OwnReview = {
  body: '庭',
  ratings: { ...ratings, overall: 'great', music: 'bad' },
  createdAt: at + 1,
  modifiedAt: at + 2,
}
const own: OwnEntry = { reviews: [review], laps: [], skips: [] }

const row: Partial<ListRow> = {
  ...{ status: 'watched', rating: 'great', note: '庭', own },
  plays: [
    ownPlay(1, { points: 4.5, isModified: true }, { rating: 'great', comment: 'a' }),
    ownPlay(1, {}, { watchedAt: at + 60_000 }),
    ownPlay(1, { lap: 3, precision: 'month' }),
    ownPlay(2, { precision: 'none', createdAt: at + 5 }, { watchedAt: undefined }),
  ],
}

test("records of kiroku's own file are imported unchanged, and once", async () => {
  const store = await catalogueStore()
  await store.write(async (tx) => {
    await add(tx, 'works', [{ id: 1, title: '庭', media: 'tv' }])
    await add(
      tx,
      'episodes',
      [1, 2].map((n) => ({ work_id: 1, number: String(n), sort_number: n * 10 })),
    )
  })
  addUsers(store.handle, 1)
  const list = { matches: [matchOf(row)], source: 'kiroku', now } as const
  await applyList(store.write, list)
  expect(
    store.rows(
      'select comment, rating, rating_state, is_modified, lap, watched_at, watched_at_precision as known, created_at from records order by id',
    ),
  ).toEqual([
    {
      comment: 'a',
      rating: 4.5,
      rating_state: 'great',
      is_modified: 1,
      lap: 1,
      watched_at: at,
      known: 'time',
      created_at: at,
    },
    {
      comment: '',
      rating: null,
      rating_state: null,
      is_modified: 0,
      lap: 1,
      watched_at: at + 60_000,
      known: 'time',
      created_at: at,
    },
    {
      comment: '',
      rating: null,
      rating_state: null,
      is_modified: 0,
      lap: 3,
      watched_at: at,
      known: 'month',
      created_at: at,
    },
    {
      comment: '',
      rating: null,
      rating_state: null,
      is_modified: 0,
      lap: 1,
      watched_at: at + 5,
      known: 'none',
      created_at: at + 5,
    },
  ])
  expect(store.row('select rating_music_state, created_at, modified_at, version from reviews')).toEqual({
    ...{ rating_music_state: 'bad', created_at: at + 1, modified_at: at + 2, version: 1 },
  })
  expect(store.rows('select number from laps')).toEqual([{ number: 2 }, { number: 3 }])
  expect((await planList(store.read, { ...list, now: now + 9 })).map(({ state }) => state)).toEqual([
    'unchanged',
  ])
  store.close()
})

test('laps alone can be written in parts too', async () => {
  const store = await catalogueStore()
  await store.write((tx) => add(tx, 'works', [{ id: 1, title: '庭', media: 'tv' }]))
  addUsers(store.handle, 1)
  const laps = [2, 3, 4].map((number) => ({ number, startedAt: at }))
  const list = { matches: [matchOf({ own: { ...own, laps } })], source: 'kiroku', now } as const
  const parts = [await applyPart(store.write, list, 0, 2), await applyPart(store.write, list, 0, 2)]
  expect(parts).toEqual([false, true])
  expect(store.rows('select number from laps').length).toBe(3)
  store.close()
})

test('laps begin when the file says so, even without a record', () => {
  const laps = [
    { number: 2, startedAt: at - 5 },
    { number: 3, startedAt: at },
    { number: 1_000_000_000, startedAt: at },
  ]
  const { writes } = plan({ own: { ...own, laps }, plays: [ownPlay(1, { lap: 2 })] })
  expect(writes?.laps).toEqual([
    { number: 2, startedAt: at - 5 },
    { number: 3, startedAt: at },
  ])
  expect(plan({ own, plays: [ownPlay(1, { lap: 999_999_999 })] }).writes?.records[0]?.lap).toBe(1000)
})

test('records left by another source are not duplicated', () => {
  const here = hereOf({
    episodes: episodesOf(12, { 0: [{}], 1: [{ watchedAt: at + 9, precision: 'time' }] }),
  })
  const plays = [
    ownPlay(1),
    ownPlay(1, {}, { watchedAt: at + 1 }),
    ownPlay(2),
    ownPlay(2, {}, { comment: 'a' }),
  ]
  const { writes } = plan({ own, plays }, { here })
  expect(writes?.records.map(({ index, watchedAt, comment }) => [index, watchedAt, comment])).toEqual([
    [0, at + 1, ''],
    [1, at, 'a'],
  ])
})

test('existing reviews are found by creation time or by text; none is changed', () => {
  const reviews = (...here: Parameters<typeof reviewOf>) =>
    plan(
      { own, rating: 'great', note: '庭' },
      { here: hereOf({ reviews: [reviewOf(...here)] }), options: { conflict: 'file' } },
    )
  expect(reviews({ created_at: at + 1, body: 'edited' }).state).toBe('unchanged')
  expect(reviews({ body: '庭', rating_overall_state: 'great' }).state).toBe('unchanged')
  expect(reviews({ body: 'another' }).writes?.reviews).toMatchObject([{ id: null, body: '庭' }])
})

test('a record was created when it was watched, unless the file says otherwise', () => {
  const plays = [ownPlay(1, { createdAt: undefined, precision: 'year' }), ownPlay(2, { createdAt: now + 99 })]
  expect(plan({ own, plays }).writes?.records.map(({ createdAt }) => createdAt)).toEqual([at, now])
})

test('an episode without a whole number is found by position', () => {
  const listed = { number: '1.5', sortNumber: 20 }
  expect(plan({ own, plays: [ownPlay(2, { listed })] }).writes?.records).toMatchObject([{ index: 1 }])
  expect(plan({ own, plays: [ownPlay(0, { listed })] }).shown.warnings).toEqual(['there is no episode 0'])
})

test('of two with one number, an episode is the one at the same position in the list', () => {
  const [first, second, ...more] = episodesOf(12)
  if (first === undefined || second === undefined) throw new RangeError()
  const here = hereOf({ episodes: [first, { ...first, id: 7, sortNumber: 15 }, second, ...more] })
  const placed = (sortNumber: number) =>
    plan({ own, plays: [ownPlay(1, { listed: { number: '1', sortNumber } })] }, { here }).writes?.records
  expect([10, 15, 99].map((sortNumber) => placed(sortNumber)?.map(({ index }) => index))).toEqual([
    [0],
    [1],
    [0],
  ])
})

test('reviews with the same text are distinguished by creation time', () => {
  const reviews = [review, { ...review, createdAt: at + 9 }]
  const here = hereOf({
    reviews: [reviewOf({ created_at: at + 9, body: '庭', rating_overall_state: 'great' })],
  })
  const { writes } = plan({ own: { ...own, reviews } }, { here })
  expect(writes?.reviews.map(({ own: made }) => made?.createdAt)).toEqual([at + 1])
})

test('an episode is skipped once per lap, which begins with that if necessary', () => {
  const skips = [
    { episode: 1, lap: 1, skippedAt: at },
    { episode: 2, lap: 2, skippedAt: now + 99 },
    { episode: 2, lap: 2, skippedAt: at },
    { episode: 13, lap: 1, skippedAt: at },
    { episode: 3, lap: 0, skippedAt: at },
  ]
  const [first, ...more] = episodesOf(12)
  const here = hereOf({ episodes: first === undefined ? [] : [{ ...first, skips: [1] }, ...more] })
  const { writes } = plan({ own: { ...own, reviews: [], skips } }, { here })
  expect(writes).toMatchObject({
    skips: [{ index: 1, lap: 2, skippedAt: now }],
    laps: [{ number: 2, startedAt: now }],
  })
})

test.each([
  ['none', 'keep', 'new', { text: '内緒', updated_at: at }],
  ['内緒', 'file', 'unchanged', undefined],
  ['another', 'keep', 'conflict', null],
  ['another', 'newer', 'conflict', null],
  ['another', 'file', 'conflict', { text: '内緒', updated_at: at }],
] as const)('a private note where there is %s, under %s: %s', (text, conflict, state, note) => {
  const here = hereOf({ note: text === 'none' ? null : { text, updated_at: at - 9 } })
  const row = { own: { ...own, reviews: [], note: { text: '内緒', updatedAt: at } } }
  const planned = plan({ ...row, updatedAt: now }, { here, options: { conflict } })
  expect([planned.state, planned.writes?.note]).toEqual([state, note])
  const later = plan(row, { here, options: { conflict }, earlier: 'work' })
  expect(later.writes?.note ?? null).toEqual(text === 'none' ? { text: '内緒', updated_at: at } : null)
})
