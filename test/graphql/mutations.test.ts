import { afterAll, beforeEach, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance, types, withToken } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, idOf } from './support'

let kiroku: Instance
let ask: ReturnType<typeof asking>
const opened: Instance[] = []
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  opened.push(kiroku)
  ask = asking(kiroku)
})
afterAll(() => Promise.all(opened.map(({ close }) => close())))

const mutate = (name: string, input: string, payload: string) =>
  `mutation { ${name}(input: {${input}}) { ${payload} } }`

/** Everything that users write, and the counters. */
function written({ store: { handle } }: Instance): Body {
  const rows = (sql: string) => handle.query(sql).all()
  return {
    records: rows('select * from records'),
    reviews: rows('select * from reviews'),
    statuses: rows('select * from statuses'),
    activities: rows('select * from activities'),
    works: rows('select id, watchers_count, reviews_count from works'),
    episodes: rows('select id, records_count, record_comments_count from episodes'),
    users: rows('select id, records_count, watching_count, watched_count, wanna_watch_count from users'),
  }
}

const episode = idOf('Episode', 1)
const work = idOf('Work', 1)

test.each([
  ['createRecord', `episodeId: "${idOf('Episode', 99)}"`, 'record { id }', /not found/],
  ['createRecord', `episodeId: "${idOf('Episode', 5)}"`, 'record { id }', /not found/],
  ['createRecord', `episodeId: "${work}"`, 'record { id }', /not found/],
  ['createRecord', 'episodeId: "1"', 'record { id }', /not found/],
  [
    'createRecord',
    `episodeId: "${episode}", comment: "${'あ'.repeat(10_001)}"`,
    'record { id }',
    /comment must be at most 10000/,
  ],
  ['updateRecord', `recordId: "${idOf('Record', 2)}"`, 'record { id }', /not found/],
  ['deleteRecord', `recordId: "${idOf('Record', 2)}"`, 'episode { id }', /not found/],
  ['deleteRecord', `recordId: "${idOf('Review', 1)}"`, 'episode { id }', /not found/],
  ['createReview', `workId: "${idOf('Work', 9)}", body: "x"`, 'review { id }', /not found/],
  [
    'createReview',
    `workId: "${work}", body: "${'x'.repeat(10_001)}"`,
    'review { id }',
    /body must be at most 10000/,
  ],
  [
    'createReview',
    `workId: "${work}", title: "${'x'.repeat(301)}", body: ""`,
    'review { id }',
    /title must be at most 300/,
  ],
  ['deleteReview', `reviewId: "${idOf('Review', 2)}"`, 'work { id }', /not found/],
  ['updateStatus', `workId: "${idOf('Work', 9)}", state: WATCHED`, 'work { id }', /not found/],
  ['updateStatus', `workId: "${episode}", state: WATCHED`, 'work { id }', /not found/],
])('%s with %s is refused, and nothing is written', async (name, input, payload, message) => {
  const before = written(kiroku)
  const answer = await ask.result(mutate(name, input, payload))
  expect(answer.data).toEqual({ [name]: null })
  expect(answer.errors).toEqual([
    { message: expect.stringMatching(message), locations: expect.anything(), path: [name] },
  ])
  expect(written(kiroku)).toEqual(before)
})

const ratings =
  'ratingAnimationState: GREAT, ratingCharacterState: GOOD, ratingMusicState: BAD, ratingOverallState: AVERAGE, ratingStoryState: GOOD'
const restRatings =
  'rating_animation_state=great&rating_character_state=good&rating_music_state=bad&rating_overall_state=average&rating_story_state=good'

const twins: readonly [name: string, input: string, payload: string, method: string, target: string][] = [
  [
    'createRecord',
    `episodeId: "${episode}", comment: " よい ", ratingState: GREAT, shareTwitter: true`,
    'record { id }',
    'POST',
    'records?episode_id=1&comment=+よい+&rating_state=great&share_twitter=true',
  ],
  [
    'createRecord',
    `episodeId: "${episode}", comment: null, ratingState: null`,
    'record { id }',
    'POST',
    'records?episode_id=1',
  ],
  [
    'updateRecord',
    `recordId: "${idOf('Record', 1)}", ratingState: BAD`,
    'record { id }',
    'PATCH',
    'records/1?comment=&rating_state=bad',
  ],
  [
    'updateRecord',
    `recordId: "${idOf('Record', 1)}", comment: "x"`,
    'record { id }',
    'PATCH',
    'records/1?comment=x&rating_state=',
  ],
  ['deleteRecord', `recordId: "${idOf('Record', 1)}"`, 'episode { id }', 'DELETE', 'records/1'],
  [
    'createReview',
    `workId: "${work}", title: "題", body: "本文", ${ratings}`,
    'review { id }',
    'POST',
    `reviews?work_id=1&title=題&body=本文&${restRatings}`,
  ],
  [
    'updateReview',
    `reviewId: "${idOf('Review', 1)}", body: "本文", ${ratings}`,
    'review { id }',
    'PATCH',
    `reviews/1?body=本文&${restRatings}`,
  ],
  ['deleteReview', `reviewId: "${idOf('Review', 1)}"`, 'work { id }', 'DELETE', 'reviews/1'],
  [
    'updateStatus',
    `workId: "${work}", state: STOP_WATCHING`,
    'work { id }',
    'POST',
    'statuses?work_id=1&kind=stop_watching',
  ],
  [
    'updateStatus',
    `workId: "${work}", state: WATCHING`,
    'work { id }',
    'POST',
    'statuses?work_id=1&kind=watching',
  ],
  [
    'updateStatus',
    `workId: "${work}", state: NO_STATE`,
    'work { id }',
    'POST',
    'statuses?work_id=1&kind=no_select',
  ],
]

test.each(twins)('%s with %s writes what REST writes', async (name, input, payload, method, target) => {
  const other = await createInstance({ seed: seedLibrary })
  opened.push(other)
  const [path = '', body = ''] = target.split('?')
  const headers = { 'content-type': types.form }
  const response = await other.ask(
    `/v1/me/${path}`,
    withToken(other.token, { method, headers, body: encodeURI(body) }),
  )
  expect(response.ok).toBe(true)
  await ask.data(mutate(name, input, payload))
  expect(written(kiroku)).toEqual(written(other))
})

test('payloads show the state after the write, and repeat clientMutationId', async () => {
  const counters = 'episode { recordsCount recordCommentsCount viewerRecordsCount viewerDidTrack }'
  const { a, b, c } = await ask.data(`mutation {
    a: createRecord(input: {episodeId: "${idOf('Episode', 2)}", comment: "x", clientMutationId: "7"}) { clientMutationId record { comment ratingState user { username recordsCount } ${counters} } }
    b: createRecord(input: {episodeId: "${idOf('Episode', 2)}"}) { clientMutationId record { comment ${counters} } }
    c: updateStatus(input: {workId: "${idOf('Work', 4)}", state: WATCHING}) { work { viewerStatusState watchersCount } } }`)
  const track = { viewerDidTrack: true }
  expect(a).toEqual({
    clientMutationId: '7',
    record: {
      ...{ comment: 'x', ratingState: null, user: { username: 'mio', recordsCount: 2 } },
      episode: { recordsCount: 2, recordCommentsCount: 2, viewerRecordsCount: 1, ...track },
    },
  })
  expect(b).toEqual({
    clientMutationId: null,
    record: {
      comment: '',
      episode: { recordsCount: 3, recordCommentsCount: 2, viewerRecordsCount: 2, ...track },
    },
  })
  expect(c).toEqual({ work: { viewerStatusState: 'WATCHING', watchersCount: 2 } })
})

test('mutations run in the order written; one that fails keeps the others', async () => {
  const { data, errors } = await ask.result(`mutation {
    first: updateStatus(input: {workId: "${work}", state: WATCHED}) { work { viewerStatusState } }
    second: updateStatus(input: {workId: "${idOf('Work', 99)}", state: WATCHED}) { work { viewerStatusState } }
    third: updateStatus(input: {workId: "${work}", state: ON_HOLD}) { work { viewerStatusState } } }`)
  expect(data).toEqual({
    first: { work: { viewerStatusState: 'WATCHED' } },
    second: null,
    third: { work: { viewerStatusState: 'ON_HOLD' } },
  })
  expect(errors.map(({ path }: Body) => path)).toEqual([['second']])
  const kinds = kiroku.store.handle.query(
    'select status_kind from activities where user_id = 1 and status_kind is not null order by id',
  )
  expect(kinds.values()).toEqual([['watched'], ['on_hold']])
})

test('an invalid document runs nothing', async () => {
  const before = written(kiroku)
  await ask.errors(
    `mutation { updateStatus(input: {workId: "${work}", state: WATCHED}) { work { id } } createRecord(input: {}) { record { id } } }`,
  )
  await ask.errors(
    `mutation { updateStatus(input: {workId: "${work}", state: WATCHED}) { work { nothing } } }`,
  )
  expect(written(kiroku)).toEqual(before)
})

test('a review may have only ratings, and a record’s edit time is in seconds', async () => {
  const { createReview } = await ask.data(
    mutate(
      'createReview',
      `workId: "${work}", body: "", ratingOverallState: GOOD`,
      'review { body title updatedAt work { reviewsCount satisfactionRate } }',
    ),
  )
  expect(createReview.review).toEqual({
    ...{ body: '', title: '', updatedAt: '2026-04-01T12:00:00Z' },
    work: { reviewsCount: 2, satisfactionRate: 100 },
  })
  const titled = await ask.data(
    mutate('createReview', `workId: "${work}", title: "題", body: ""`, 'review { body }'),
  )
  expect(titled.createReview.review.body).toBe('題')
  kiroku.clock.now += 1999
  const { updateRecord } = await ask.data(
    mutate(
      'updateRecord',
      `recordId: "${idOf('Record', 1)}"`,
      'record { createdAt updatedAt modified comment ratingState rating }',
    ),
  )
  expect(updateRecord.record).toEqual({
    ...{ createdAt: '2026-03-28T09:00:00Z', updatedAt: '2026-04-01T12:00:01Z', modified: true },
    ...{ comment: '', ratingState: null, rating: 4.5 },
  })
})
