import type { Store } from '../../src/db/open'
import { start } from './instance'
import { fill, held, type Rows, seedCatalogue } from './seed'
import { examples, imports } from './seed-examples'

/** The small catalogue, and what its users did: every kind of row, also about hidden works. */
export async function seedLibrary(store: Store): Promise<void> {
  await seedCatalogue(store)
  for (const counters of madeUp) store.handle.run(`update ${counters.replaceAll(',', ' = 0,')} = 0`)
  await fill(store, library)
}

/** The same with a list that is being imported. */
export async function seedImports(store: Store): Promise<void> {
  await seedLibrary(store)
  await fill(store, imports)
}

/** The same with the rows that the documentation's examples name. */
export async function seedExamples(store: Store): Promise<void> {
  await seedImports(store)
  await fill(store, examples)
}

/** Counters that the catalogue's seed makes up; here they are counted. */
const madeUp = [
  'works set watchers_count, reviews_count',
  'episodes set records_count, record_comments_count',
  'characters set favorite_characters_count',
  'people set favorite_people_count',
  'organizations set favorite_organizations_count',
]

/** Ids of the rows that lists show to mio, in order, and of the others. */
export const heldByUsers = {
  ...held,
  records: { shown: [1, 2, 3, 4, 5, 6], hidden: [] },
  reviews: { shown: [1, 2, 3], hidden: [] },
  comments: { shown: [1, 2], hidden: [] },
  lists: { shown: [1, 2, 3], hidden: [4] },
  'me/lists': { shown: [1, 3], hidden: [2, 4] },
  'me/works': { shown: [1, 2, 3, 5, 9], hidden: [4, 6] },
  'me/programs': { shown: [1, 2, 3], hidden: [4, 5, 6, 7] },
  'me/channels': { shown: [1, 2], hidden: [3] },
} as const

const hour = 3_600_000
const at = (hours: number) => start + hours * hour
const recorded = (
  id: number,
  user_id: number,
  [work_id, episode_id]: readonly [number, number],
  more = {},
) => ({
  id,
  user_id,
  work_id,
  episode_id,
  watched_at: at(-100 + id),
  created_at: at(-100 + id),
  ...more,
})

const library: Rows = {
  channels: [
    { id: 1, name: '東京局' },
    { id: 2, name: '大阪局' },
    { id: 3, name: '隠れた局', hidden: 1 },
  ],
  programs: [
    { id: 1, channel_id: 1, work_id: 1, episode_id: 1, started_at: at(-24) },
    { id: 2, channel_id: 2, work_id: 1, episode_id: 2, started_at: at(0), is_rebroadcast: 1 },
    { id: 3, channel_id: 1, work_id: 2, started_at: at(24) },
    { id: 4, channel_id: 1, work_id: 8, started_at: at(24) },
    { id: 5, channel_id: 1, work_id: 9, episode_id: 7, started_at: at(24), hidden: 2 },
    { id: 6, channel_id: 1, work_id: 1, episode_id: 3, started_at: at(24), hidden: 1 },
    { id: 7, channel_id: 1, work_id: 5, started_at: at(24) },
  ],
  statuses: [
    { user_id: 1, work_id: 1, kind: 'watching', changed_at: at(-90) },
    { user_id: 1, work_id: 2, kind: 'wanna_watch', changed_at: at(-90) },
    { user_id: 1, work_id: 3, kind: 'on_hold', changed_at: at(-90) },
    { user_id: 1, work_id: 5, kind: 'watched', changed_at: at(-90) },
    { user_id: 1, work_id: 9, kind: 'watching', changed_at: at(-90) },
    { user_id: 2, work_id: 1, kind: 'stop_watching', changed_at: at(-90) },
    { user_id: 2, work_id: 4, kind: 'watched', changed_at: at(-90) },
  ],
  feeds: [
    {
      ...{ id: 1, user_id: 1, secret_hash: new Uint8Array(32), name: 'Phone', alarm: 10, language: 'ja' },
      ...{ title_language: 'native', time_zone: 'Asia/Tokyo', changed_at: at(-90), created_at: at(-90) },
    },
  ],
  destinations: [
    {
      ...{ id: 1, user_id: 1, kind: 'ntfy', url: 'https://10.0.0.1/mio', host: '10.0.0.1' },
      ...{ events: 'episode,record', created_at: at(-90) },
    },
  ],
  outgoing: [
    {
      ...{ id: 1, user_id: 1, destination_id: 1, kind: 'record', items: '[]', state: 'failed', tries: 7 },
      ...{ next_at: at(-10), created_at: at(-10), ended_at: at(-10), why: 'no answer' },
    },
  ],
  hooks: [
    {
      ...{ id: 1, user_id: 1, player: 'jellyfin', name: '居間', secret_hash: new Uint8Array(32) },
      ...{ player_user: 'mio', created_at: at(-90), last_used_at: at(-10) },
    },
  ],
  deliveries: [
    {
      ...{ id: 1, user_id: 1, hook_id: 1, received_at: at(-10), series_key: 'title:somebody/season/1' },
      report: JSON.stringify({
        user: 'mio',
        plays: [
          { titles: ['Somebody'], season: 1, episode: 3, isMovie: false, refs: [], watchedAt: at(-10) },
        ],
      }),
      ...{ result: 'unmatched', reason: 'several_works', proposals: '[{"work_id":1,"episode":3}]' },
    },
  ],
  own_slots: [
    {
      ...{
        user_id: 1,
        work_id: 2,
        weekday: 5,
        minute: 1530,
        time_zone: 'Asia/Tokyo',
        begins_on: '2026-04-03',
      },
      ...{ first_episode: 1, channel_id: 1, skipped: '["2026-04-10"]', changed_at: at(-90) },
    },
  ],
  records: [
    recorded(1, 1, [1, 1], { comment: 'よかった', rating: 4.5, rating_state: 'great' }),
    recorded(2, 2, [1, 1], { rating_state: 'bad' }),
    recorded(3, 2, [1, 2], { comment: 'まあまあ', is_modified: 1 }),
    recorded(4, 2, [9, 7], { comment: '隠れている' }),
    recorded(5, 2, [2, 6]),
    recorded(6, 4, [1, 4]),
  ],
  reviews: [
    {
      ...{ id: 1, user_id: 1, work_id: 1, body: '庭', created_at: at(-50), modified_at: at(-40) },
      ...{ watched_at: at(-51), watched_at_precision: 'time' },
    },
    { id: 2, user_id: 2, work_id: 1, body: '星', created_at: at(-50), rating_overall_state: 'great' },
    { id: 3, user_id: 2, work_id: 2, created_at: at(-50) },
  ],
  follows: [
    { id: 1, follower_id: 1, followed_id: 2, created_at: at(-30) },
    { id: 2, follower_id: 1, followed_id: 4, created_at: at(-29) },
    { id: 3, follower_id: 2, followed_id: 1, created_at: at(-28) },
  ],
  mutes: [{ user_id: 1, muted_id: 4, created_at: at(-20) }],
  follow_requests: [{ id: 1, follower_id: 4, followed_id: 1, created_at: at(-20) }],
  activities: [
    { id: 1, user_id: 1, work_id: 1, action: 'create_record', record_id: 1 },
    { id: 2, user_id: 2, work_id: 1, action: 'create_record', record_id: 2 },
    { id: 3, user_id: 2, work_id: 1, action: 'create_review', review_id: 2 },
    { id: 4, user_id: 2, work_id: 1, action: 'create_status', status_kind: 'watching' },
    { id: 5, user_id: 2, work_id: 1, action: 'create_multiple_records' },
    { id: 6, user_id: 4, work_id: 1, action: 'create_record', record_id: 6 },
  ].map((activity) => ({ ...activity, created_at: at(-20) })),
  activity_records: [
    { activity_id: 5, record_id: 3 },
    { activity_id: 5, record_id: 5 },
  ],
  likes: [
    { id: 1, user_id: 2, record_id: 1, created_at: at(-10) },
    { id: 2, user_id: 2, review_id: 1, created_at: at(-10) },
  ],
  comments: [
    { id: 1, user_id: 2, owner_id: 1, record_id: 1, body: 'わかります', created_at: at(-9) },
    { id: 2, user_id: 4, owner_id: 1, record_id: 1, body: '私も', created_at: at(-8) },
    { id: 3, user_id: 1, owner_id: 2, review_id: 2, body: '同じところで泣いた', created_at: at(-7) },
  ],
  lists: [
    { id: 1, user_id: 1, name: '見返したい', text: '疲れた夜に', visibility: 'public', is_ordered: 1 },
    { id: 2, user_id: 2, name: 'おすすめ', visibility: 'members' },
    { id: 3, user_id: 1, name: '友だちと見る', visibility: 'members' },
    { id: 4, user_id: 2, name: '内緒の棚', visibility: 'private' },
  ].map((list) => ({ ...list, created_at: at(-12), updated_at: at(-12) })),
  list_works: [
    { id: 1, list_id: 1, user_id: 1, work_id: 1, place: 1, note: '冬の夜に' },
    { id: 2, list_id: 1, user_id: 1, work_id: 9, place: 2 },
    { id: 3, list_id: 1, user_id: 1, work_id: 2, place: 3 },
    { id: 4, list_id: 2, user_id: 2, work_id: 1, place: 1 },
    { id: 5, list_id: 3, user_id: 1, work_id: 2, place: 1 },
    { id: 6, list_id: 4, user_id: 2, work_id: 1, place: 1 },
  ].map((row) => ({ ...row, added_at: at(-12) })),
  notifications: [
    { id: 1, user_id: 1, actor_id: 2, kind: 'follow', follow_id: 3, created_at: at(-28), read_at: at(-27) },
    { id: 2, user_id: 1, actor_id: 2, like_id: 1, created_at: at(-10) },
    { id: 3, user_id: 1, actor_id: 2, like_id: 2, created_at: at(-10) },
    { id: 4, user_id: 2, actor_id: 1, kind: 'follow', follow_id: 1, created_at: at(-30) },
  ],
}
