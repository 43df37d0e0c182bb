import { afterAll, expect, test } from 'bun:test'
import { endpoints } from '../src/app'
import { type Body, createInstance, itemsOf } from './instance'

const kiroku = await createInstance()
afterAll(kiroku.close)

// The mission's tables, with title_en (D22); an object's keys stand in its own list.
const keys = (names: string) => names.trim().split(/[\s,]+/)

const nestedUser = `id, username, name, description, url, avatar_url, background_image_url, records_count`
const user = `${nestedUser}, followings_count, followers_count, wanna_watch_count, watching_count, watched_count,
  on_hold_count, stop_watching_count, created_at`
const work = `id, title, title_kana, title_en, media, media_text, season_name, season_name_text, released_on,
  released_on_about, official_site_url, wikipedia_url, twitter_username, twitter_hashtag, syobocal_tid, mal_anime_id,
  images, episodes_count, watchers_count, reviews_count, no_episodes`
const episode = 'id, number, number_text, sort_number, title, records_count, record_comments_count'
const series = 'id, name, name_ro, name_en'
const character = `id, name, name_kana, name_en, kind, nickname, nickname_en, birthday, birthday_en, age, age_en,
  blood_type, blood_type_en, height, height_en, weight, weight_en, nationality, nationality_en, occupation,
  occupation_en, description, description_en, description_source, description_source_en, favorite_characters_count`
const person = `id, name, name_kana, name_en, nickname, nickname_en, gender_text, url, url_en, wikipedia_url,
  wikipedia_url_en, twitter_username, twitter_username_en, birthday, blood_type, height, favorite_people_count,
  casts_count, staffs_count`
const organization = `id, name, name_kana, name_en, url, url_en, wikipedia_url, wikipedia_url_en, twitter_username,
  twitter_username_en, favorite_organizations_count, staffs_count`
const staff = 'id, name, name_en, role_text, role_other, role_other_en, sort_number, work'

/** The keys of each object inside an item, by its path; the item itself at the empty one. */
type Shape = Readonly<Record<string, string>>

const workShape = (at: string): Shape => ({
  [at]: work,
  [`${at}.images`]: 'facebook, twitter, recommended_url',
  [`${at}.images.facebook`]: 'og_image_url',
  [`${at}.images.twitter`]: `mini_avatar_url, normal_avatar_url, bigger_avatar_url, original_avatar_url, image_url`,
})

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
  '/v1/me': { '': `${user}, email, notifications_count` },
}

test('every endpoint that reads has its shape here', () => {
  const reading = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)
  expect([...new Set(Object.keys(shapes).map((target) => target.split('?')[0] ?? ''))].sort()).toEqual(
    reading.sort(),
  )
})

for (const [target, shape] of Object.entries(shapes)) {
  test(`${target} sends every key of the mission, in its order, whatever the row holds (D20)`, async () => {
    const body = await kiroku.json(target)
    for (const item of target === '/v1/me' ? [body] : itemsOf(body)) checkShape(item, shape, '')
    expect(Object.keys(shape).filter((path) => !seen.delete(path))).toEqual([])
  })
}

/** Paths at which an object was seen. */
const seen = new Set<string>()

function checkShape(value: Body, shape: Shape, at: string): void {
  if (value === null || typeof value !== 'object') return
  seen.add(at)
  expect([at, Object.keys(value)]).toEqual([at, keys(shape[at] ?? '')])
  for (const [name, inside] of Object.entries(value)) checkShape(inside, shape, `${at}.${name}`)
}

for (const { path } of endpoints.filter(({ method, path }) => method === 'GET' && path !== '/v1/me')) {
  test(`${path} has one envelope, also for one field and for no row (D15)`, async () => {
    const key = path.split('/').at(-1) ?? ''
    const envelope = [key, 'total_count', 'next_page', 'prev_page']
    for (const target of [path, `${path}?fields=id`, `${path}?fields=nothing`, `${path}?page=999`]) {
      expect(Object.keys(await kiroku.json(target))).toEqual(envelope)
    }
    const nothing = { [key]: [], total_count: 0, next_page: null, prev_page: null }
    expect(await kiroku.json(`${path}?filter_ids=,`)).toEqual(nothing)
  })

  test(`${path} sends an absent value as the empty text, and null only where it may be (D20)`, async () => {
    const nullable = /(^|\.)(url|number|prev_episode|next_episode|series|prefecture|height)$/
    for (const item of itemsOf(await kiroku.json(path))) {
      expect(nullsOf(item, '').filter((at) => !nullable.test(at))).toEqual([])
    }
  })
}

test('url is null for users only, height for people only', async () => {
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
