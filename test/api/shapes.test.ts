import { afterAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { actions } from '../../src/library/activities'
import { character, organization, person } from '../support/catalogue-keys'
import { readingTarget } from '../support/examples'
import { importShape, ownShapes, rowShape } from '../support/import-shapes'
import { type Body, createInstance, itemsOf, targetOf } from '../support/instance'
import { seedImports } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedImports })
afterAll(kiroku.close)
// The tables of keys, with title_en (D22); the keys of nested objects have their own list.
const keys = (names: string) => names.trim().split(/[\s,]+/)

const nestedUser = `id, username, name, description, url, avatar_url, background_image_url, records_count`
const user = `${nestedUser}, followings_count, followers_count, wanna_watch_count, watching_count, watched_count,
  on_hold_count, stop_watching_count, created_at`
const work = `id, title, title_kana, title_en, media, media_text, season_name, season_name_text, released_on,
  released_on_about, official_site_url, wikipedia_url, twitter_username, twitter_hashtag, syobocal_tid, mal_anime_id,
  images, episodes_count, watchers_count, reviews_count, no_episodes, estimated`
const episode = 'id, number, number_text, sort_number, title, records_count, record_comments_count, estimated'
const series = 'id, name, name_ro, name_en'
const settings = 'profile, private_by_default, comments_from, listed, indexable'
const comment = 'id, body, created_at, user, record_id, review_id'
const list = 'id, name, text, visibility, is_ordered, items_count, created_at, updated_at'
const staff = 'id, name, name_en, role_text, role_other, role_other_en, sort_number, work'
const record = `id, comment, rating, rating_state, is_modified, likes_count, comments_count, created_at, watched_at, watched_at_precision, lap, private, score`
const review = `id, title, body, rating_animation_state, rating_music_state, rating_story_state,
  rating_character_state, rating_overall_state, likes_count, impressions_count, created_at, modified_at, watched_at,
  watched_at_precision, private, score, comments_count`
/** The keys of each object inside an item, by its path; '' is the item itself. */
type Shape = Readonly<Record<string, string>>

const workShape = (at: string): Shape => ({
  [at]: work,
  [`${at}.images`]: 'facebook, twitter, recommended_url, cover_url',
  [`${at}.images.facebook`]: 'og_image_url',
  [`${at}.images.twitter`]: `mini_avatar_url, normal_avatar_url, bigger_avatar_url, original_avatar_url, image_url`,
})

/** An activity: the common fields, then those of its action. */
const activityShape = (beside: Shape): Shape => {
  const more = Object.keys(beside).flatMap((path) => /^\.(\w+)$/.exec(path)?.[1] ?? [])
  const own = ['id, user, work, action, created_at', ...more].join(', ')
  return { '': own, '.user': `${nestedUser}, created_at`, ...workShape('.work'), ...beside }
}
/** What each action adds (D25). */
const actionShapes: Readonly<Record<string, Shape>> = {
  create_record: activityShape({ '.episode': episode, '.record': record }),
  create_review: activityShape({ '.review': review }),
  create_multiple_records: activityShape({
    '.multiple_record': 'episode, record',
    '.multiple_record.episode': episode,
    '.multiple_record.record': record,
  }),
  create_status: activityShape({ '.status': 'kind' }),
}

const entryShape = (own: string): Shape => ({
  '': own,
  '.user': `${nestedUser}, created_at`,
  ...workShape('.work'),
})

const notificationShape = (beside: Shape): Shape => ({
  '': `id, user, action, is_read, created_at${Object.keys(beside).map((path) => `, ${path.slice(1)}`)}, comment, work, episode, proposal`,
  '.user': `${nestedUser}, created_at`,
  ...beside,
})

/** Endpoints that return JSON. */
const reading = endpoints.filter(
  ({ method, operation }) => method === 'GET' && operation.answer.contentType === undefined,
)

const shapes: Readonly<Record<string, Shape>> = {
  '/v1/works': workShape(''),
  '/v1/episodes': {
    '': `${episode}, work, prev_episode, next_episode`,
    ...workShape('.work'),
    '.prev_episode': episode,
    '.next_episode': episode,
  },
  '/v1/series': { '': series },
  '/v1/characters': { '': `${character}, series`, '.series': series },
  '/v1/people': { '': `${person}, prefecture`, '.prefecture': 'id, name' },
  '/v1/organizations': { '': organization },
  '/v1/staffs?filter_ids=1,3': { '': `${staff}, person`, ...workShape('.work'), '.person': person },
  '/v1/staffs?filter_ids=2': {
    '': `${staff}, organization`,
    ...workShape('.work'),
    '.organization': organization,
  },
  '/v1/casts': {
    '': 'id, name, name_en, sort_number, work, character, person',
    ...workShape('.work'),
    '.character': character,
    '.person': person,
  },
  '/v1/users': { '': user },
  '/v1/me': { '': `${user}, email, notifications_count, ${settings}` },
  '/v1/followers': { '': user },
  '/v1/following': { '': user },
  '/v1/me/follow_requests': { '': user },
  '/v1/records': { ...entryShape(`${record}, user, work, episode`), '.episode': episode },
  '/v1/reviews': entryShape(`${review}, user, work`),
  ...Object.fromEntries(
    ['/v1/activities', '/v1/me/following_activities'].flatMap((path) =>
      Object.entries(actionShapes).map(([action, shape]) => [`${path}?filter_actions=${action}`, shape]),
    ),
  ),
  '/v1/me/works': {
    ...workShape(''),
    '': `${work}, status`,
    '.status': 'kind, started_on, finished_on, private, score',
  },
  '/v1/me/programs': {
    '': 'id, started_at, is_rebroadcast, estimated, channel, work, episode',
    '.channel': 'id, name',
    ...workShape('.work'),
    '.episode': episode,
  },
  ...ownShapes,
  '/v1/me/channels': { '': 'id, name, selected' },
  // The first notification is a follow, the next a like of a record, the last a like of a review.
  '/v1/me/notifications?per_page=1': notificationShape({}),
  '/v1/me/notifications?per_page=1&page=2': notificationShape({ '.record': record }),
  '/v1/me/notifications?per_page=1&page=3': notificationShape({ '.review': review }),
  '/v1/comments?filter_record_id=1': { '': comment, '.user': `${nestedUser}, created_at` },
  '/v1/lists': { '': `${list}, user`, '.user': `${nestedUser}, created_at` },
  '/v1/me/lists': { '': `${list}, user`, '.user': `${nestedUser}, created_at` },
  '/v1/lists/1/items': { ...workShape('.work'), '': 'place, note, added_at, work' },
  '/v1/me/imports': importShape,
  '/v1/me/imports/1': importShape,
  '/v1/me/imports/1/rows': rowShape,
}

test('every endpoint that reads has its shape here', () => {
  const paths = reading.map(({ path }) => targetOf(path))
  expect([...new Set(Object.keys(shapes).map((target) => target.split('?')[0] ?? ''))].sort()).toEqual(
    paths.sort(),
  )
  expect(Object.keys(actionShapes)).toEqual([...actions])
})

for (const [target, shape] of Object.entries(shapes)) {
  test(`${target} returns every key of the specification, in order, whatever the row contains (D20)`, async () => {
    const body = await kiroku.json(target)
    const items = 'total_count' in body ? itemsOf(body) : [body]
    expect(items).not.toBeEmpty()
    for (const item of items) checkShape(item, shape, '')
    expect(Object.keys(shape).filter((path) => !seen.delete(path))).toEqual([])
  })
}

/** Paths at which an object was seen. */
const seen = new Set<string>()

function checkShape(value: Body, shape: Shape, at: string): void {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const item of value) checkShape(item, shape, at)
    return
  }
  seen.add(at)
  expect([at, Object.keys(value)]).toEqual([at, keys(shape[at] ?? '')])
  for (const [name, inside] of Object.entries(value)) checkShape(inside, shape, `${at}.${name}`)
}

for (const { path: declared, operation } of reading.filter(({ operation }) => 'page' in operation.params)) {
  const path = targetOf(declared)
  test(`${path} has the same envelope for a single field and for no rows (D15)`, async () => {
    const key = keyOf(path)
    const envelope = [key, 'total_count', 'next_page', 'prev_page']
    const asked = [{}, { fields: 'id' }, { fields: 'nothing' }, { page: '999' }]
    for (const params of asked)
      expect(Object.keys(await kiroku.json(readingTarget(declared, params)))).toEqual(envelope)
    if (!('filter_ids' in operation.params)) return
    const nothing = { [key]: [], total_count: 0, next_page: null, prev_page: null }
    expect(await kiroku.json(`${path}?filter_ids=,`)).toEqual(nothing)
  })
  if (operation.tag === 'Imports') continue
  test(`${path} returns an absent value as the empty text, and null only where allowed (D20)`, async () => {
    const nullable =
      /(^|\.)(url|number|prev_episode|next_episode|series|prefecture|height|rating|rating_\w*state|score|modified_at|watched_at|watched_at_precision|started_on|finished_on|episode|last_used_at|last_ok_at|next_at|http_status|revoked_at|rule|work_id|record_id|review_id|comment|proposal)$/
    for (const item of itemsOf(await kiroku.json(readingTarget(declared)))) {
      const isOptional = (at: string) =>
        nullable.test(at) || (at === 'work' && path === '/v1/me/notifications')
      expect(nullsOf(item, '').filter((at) => !isOptional(at))).toEqual([])
    }
  })
}

test('every time has milliseconds and Z, everywhere (D4)', async () => {
  const seenNames = new Set<string>()
  for (const { path } of reading) {
    for (const [name, time] of timesOf(await kiroku.json(readingTarget(path)))) {
      seenNames.add(name)
      expect([path, name, time]).toEqual([
        path,
        name,
        expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ])
    }
  }
  expect([...seenNames].sort().join(' ')).toBe(
    'added_at changed_at created_at ended_at last_used_at modified_at received_at started_at updated_at watched_at',
  )
})

/** All fields that contain a time. */
function timesOf(value: Body): [string, unknown][] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries<Body>(value).flatMap(([name, inside]) =>
    /_at$/.test(name) && inside !== null ? [[name, inside]] : timesOf(inside),
  )
}

const keysOf: Readonly<Record<string, string>> = {
  ...{ followers: 'users', following: 'users', follow_requests: 'users' },
  ...{ following_activities: 'activities', inbox: 'series' },
}

/** The array's name in a list's envelope: the last word of the path, unless that is a relation. */
const keyOf = (path: string) => keysOf[path.split('/').at(-1) ?? ''] ?? path.split('/').at(-1) ?? ''

test('an episode is null only in programs', async () => {
  for (const item of itemsOf(await kiroku.json('/v1/records'))) expect(item.episode).not.toBeNull()
  for (const item of itemsOf(await kiroku.json('/v1/activities'))) expect(item.episode).not.toBeNull()
})

test('url is null only for users, height only for people', async () => {
  for (const path of ['/v1/organizations', '/v1/characters', '/v1/casts', '/v1/staffs']) {
    for (const item of itemsOf(await kiroku.json(path))) {
      const nulls = nullsOf(item, '').filter((at) => !/^(series|person\.height)$/.test(at))
      expect([path, nulls]).toEqual([path, []])
    }
  }
})

function nullsOf(value: Body, at: string): string[] {
  if (value === null) return [at]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inside]) =>
    nullsOf(inside, at === '' ? name : `${at}.${name}`),
  )
}
