import { afterAll, expect, test } from 'bun:test'
import { type Body, createInstance } from '../../support/instance'

const kiroku = await createInstance()
afterAll(kiroku.close)
const document: Body = await (await kiroku.ask('/openapi.json')).json()

const paged = 'fields page per_page '
const record = 'comment rating rating_state share_twitter share_facebook '
const review = `body title rating_animation_state rating_music_state rating_story_state rating_character_state
  rating_overall_state share_twitter share_facebook `

/** Every endpoint of Annict's v1 and OAuth, with its parameters. Everything else is an extension. */
const annict: Record<string, string> = {
  'get /v1/reviews': `${paged}filter_ids filter_work_id filter_has_review_body sort_id sort_likes_count`,
  'post /v1/me/reviews': `${review}work_id`,
  'patch /v1/me/reviews/{id}': `${review}id`,
  'delete /v1/me/reviews/{id}': 'id',
  'get /v1/records': `${paged}filter_ids filter_episode_id filter_has_record_comment sort_id sort_likes_count`,
  'post /v1/me/records': `${record}episode_id`,
  'patch /v1/me/records/{id}': `${record}id`,
  'delete /v1/me/records/{id}': 'id',
  'get /v1/activities': `${paged}filter_user_id filter_username sort_id`,
  'get /v1/me/following_activities': `${paged}filter_actions filter_muted sort_id`,
  'get /v1/works': `${paged}filter_ids filter_season filter_title sort_id sort_season sort_watchers_count`,
  'get /v1/me/works': `${paged}filter_ids filter_season filter_title filter_status sort_id sort_season sort_watchers_count`,
  'post /v1/me/statuses': 'work_id kind',
  'get /v1/users': `${paged}filter_ids filter_usernames sort_id`,
  'get /v1/me': 'fields',
  'get /v1/followers': `${paged}filter_user_id filter_username sort_id`,
  'get /v1/me/programs': `${paged}filter_ids filter_channel_ids filter_work_ids filter_started_at_gt
    filter_started_at_lt filter_unwatched filter_rebroadcast sort_id sort_started_at`,
  'get /v1/episodes': `${paged}filter_ids filter_work_id sort_id sort_sort_number`,
  'get /v1/characters': `${paged}filter_ids filter_name sort_id`,
  'get /v1/people': `${paged}filter_ids filter_name sort_id`,
  'get /v1/organizations': `${paged}filter_ids filter_name sort_id`,
  'get /v1/series': `${paged}filter_ids filter_name sort_id`,
  'get /v1/staffs': `${paged}filter_ids filter_work_id sort_id sort_sort_number`,
  'get /v1/casts': `${paged}filter_ids filter_work_id sort_id sort_sort_number`,
  'get /oauth/authorize': 'client_id response_type redirect_uri scope',
  'post /oauth/token': 'client_id client_secret grant_type redirect_uri code',
  'get /oauth/token/info': '',
  'post /oauth/revoke': 'client_id client_secret token',
}

/** The fields of Annict's objects, of errors and of the envelopes. */
const annictFields = `access_token action activities age age_en application avatar_url background_image_url bigger_avatar_url
  birthday birthday_en blood_type blood_type_en body casts casts_count channel character characters comment
  comments_count created_at description description_en description_source description_source_en
  developer_message email episode episodes episodes_count error error_description errors expires_in_seconds
  facebook favorite_characters_count favorite_organizations_count favorite_people_count followers_count
  followings_count gender_text height height_en id image_url images impressions_count is_modified
  is_rebroadcast kind likes_count mal_anime_id media media_text message mini_avatar_url modified_at
  multiple_record name name_en name_kana name_ro nationality nationality_en next_episode next_page nickname
  nickname_en no_episodes normal_avatar_url notifications_count number number_text occupation occupation_en
  official_site_url og_image_url on_hold_count organization organizations original_avatar_url people person
  prefecture prev_episode prev_page programs rating rating_animation_state rating_character_state
  rating_music_state rating_overall_state rating_state rating_story_state recommended_url record
  record_comments_count records records_count released_on released_on_about resource_owner_id review reviews
  reviews_count role_other role_other_en role_text scope scopes season_name season_name_text series
  sort_number staffs staffs_count started_at status stop_watching_count syobocal_tid title title_kana
  token_type total_count twitter twitter_hashtag twitter_username twitter_username_en type uid url url_en
  user username users wanna_watch_count watched_count watchers_count watching_count weight weight_en
  wikipedia_url wikipedia_url_en work works`

const operations = Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Body>(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
)

/** Whether something is marked as one, both for programs and in its text. */
function isExtension(marked: Body): boolean {
  const text: string = marked.summary ?? marked.description ?? marked.anyOf?.[0]?.description
  expect([text, marked['x-extension'] === true]).toEqual([text, text.startsWith('Extension: ')])
  return marked['x-extension'] === true
}

/** An operation's parameters by name, once per kind of body. */
const askedOf = ({ parameters, requestBody }: Body): [string, Body][] => [
  ...parameters.map((one: Body) => [one.name, one]),
  ...Object.values<Body>(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(schema.properties),
  ),
]

test('every endpoint of Annict is documented (D1)', () => {
  expect(operations.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(annict)))
})

test.each(operations)('%s is marked if it is an extension (D19, D52)', (name, operation) => {
  const remedy = 'the summary of what Annict has not begins with "Extension: "'
  expect(isExtension(operation), remedy).toBe(!(name in annict))
})

test.each(operations.filter(([name]) => name in annict))(
  '%s marks the parameters that are extensions (D16, D38)',
  (name, operation) => {
    const known = (annict[name] ?? '').split(/\s+/).filter(Boolean)
    const asked = askedOf(operation)
    expect(asked.map(([param]) => param)).toEqual(expect.arrayContaining(known))
    const remedy = 'the description of a parameter that Annict has not begins with "Extension: "'
    for (const [param, said] of asked)
      expect([param, isExtension(said)], remedy).toEqual([param, !known.includes(param)])
  },
)

/** Every field of every returned object, and its documentation. */
function fieldsOf(node: Body): [string, Body][] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.entries<Body>(node.type === 'object' ? node.properties : {})
  return [...own, ...Object.values(node).flatMap(fieldsOf)]
}

const answered = fieldsOf([document.components.schemas, operations.map(([, { responses }]) => responses)])
const marked = (mark: string) =>
  [...new Set(answered.filter(([, said]) => said[mark]).map(([name]) => name))].sort()

test('of the fields, title_en, cover_url, laps, scores, dates and how exact they are are extensions (D22, D61, D62, D63, D71, D87, D114)', () => {
  expect(marked('x-extension')).toEqual([
    ...[
      'comments_count',
      'comments_from',
      'cover_url',
      'estimated',
      'finished_on',
      'indexable',
      'lap',
      'listed',
      'private',
      'private_by_default',
      'profile',
      'score',
      'started_on',
      'title_en',
      'watched_at',
      'watched_at_precision',
    ],
  ])
  expect(document.components.schemas.Work.properties.title_en.description).toStartWith('Extension: ')
})

test('a field that is not marked is one of Annict (D19, D52)', () => {
  const ofAnnict = operations.filter(([name]) => name in annict).map(([, { responses }]) => responses)
  const fields = fieldsOf([document.components.schemas, ofAnnict]).filter(([, said]) => !said['x-extension'])
  const unknown = new Set(fields.map(([name]) => name)).difference(new Set(annictFields.split(/\s+/)))
  expect([...unknown], 'the description of a field that Annict has not begins with "Extension: "').toEqual([])
})

test('everything deprecated is marked, parameters and fields alike (D33, D34)', () => {
  expect(marked('deprecated')).toEqual(['rating', 'title'])
  expect(document.components.schemas.Work.properties.title).not.toHaveProperty('deprecated')
  // That of a play is what a player calls it.
  const others = operations.filter(([name]) => !name.includes('/scrobble'))
  const asked = others.flatMap(([, operation]) => askedOf(operation))
  const names = asked.filter(([, said]) => said.deprecated === true).map(([name]) => name)
  expect([...new Set(names)].sort()).toEqual(['rating', 'title'])
  expect(names.length).toBe(asked.filter(([name]) => name === 'rating' || name === 'title').length)
})
