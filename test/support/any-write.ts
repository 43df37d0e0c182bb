import type { Database } from 'bun:sqlite'
import fc from 'fast-check'
import { rowsOf } from './counted'
import type { Params } from './people'

/** A request by one of a few users; most succeed, and those that fail must change nothing. */
export type Write = readonly [who: number, method: string, path: string, params: Params]

const write = (method: fc.Arbitrary<string>, path: fc.Arbitrary<string>, params: fc.Arbitrary<Params>) =>
  fc.tuple(fc.nat(2), method, path, params) as fc.Arbitrary<Write>
const only = fc.constant
const either = fc.constantFrom('POST', 'DELETE')
const text = fc.constantFrom('', ' ', 'よかった', '🍥')
const episode = fc.constantFrom(1, 2, 3, 4, 5, 6, 7)
const work = fc.integer({ min: 1, max: 10 })
const own = (list: string) => fc.integer({ min: 1, max: 12 }).map((nth) => `/v1/me/${list}/nth-${nth}`)
const asViewing = (path: string) => path.replace('reviews', 'viewings')
const nth = fc.integer({ min: 1, max: 12 }).map((nth) => `nth-${nth}`)
const named = fc.constantFrom('mio', 'ritsu_t', 'yui', 'azusa')
const state = fc.constantFrom(
  ...['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching', 'no_select'],
)

/** Any existing kind of write. */
export const anyWrite = fc.oneof(
  write(
    only('POST'),
    only('/v1/me/records'),
    fc.record({ episode_id: episode, comment: text, score: fc.constantFrom('', 85) }),
  ),
  write(
    only('PATCH'),
    own('records'),
    fc.record({
      comment: text,
      rating: fc.constantFrom('', 4),
      rating_state: fc.constantFrom('good', 'bad'),
    }),
  ),
  write(only('DELETE'), own('records'), only({})),
  write(
    only('POST'),
    only('/v1/me/records/bulk'),
    fc.record({ episode_ids: fc.array(episode, { maxLength: 4 }) }),
  ),
  write(
    only('POST'),
    only('/v1/me/past'),
    fc.record({ work_ids: fc.array(work, { minLength: 1, maxLength: 3 }) }),
  ),
  write(only('POST'), only('/v1/me/reviews'), fc.record({ work_id: work, body: only('本文') })),
  write(only('PATCH'), own('reviews'), fc.record({ body: text })),
  write(
    only('POST'),
    only('/v1/me/viewings'),
    fc.record({ work_id: work, body: text, score: fc.constantFrom('', 60) }),
  ),
  write(
    only('PATCH'),
    own('reviews').map(asViewing),
    fc.record({ body: text, score: fc.constantFrom('', 0, 95) }),
  ),
  write(only('DELETE'), own('reviews'), only({})),
  write(only('POST'), only('/v1/me/episodes'), fc.record({ work_id: work })),
  write(only('POST'), only('/v1/me/laps'), fc.record({ work_id: work })),
  write(only('POST'), only('/v1/me/statuses'), fc.record({ work_id: work, kind: state })),
  write(either, only('/v1/me/likes'), fc.record({ record_id: nth })),
  write(either, only('/v1/me/likes'), fc.record({ review_id: nth })),
  ...['record_id', 'review_id'].map((name) =>
    write(
      only('POST'),
      only('/v1/me/comments'),
      fc.record({ [name]: nth, body: fc.constantFrom('', 'そうですね', '🍥') }),
    ),
  ),
  write(
    only('DELETE'),
    work.map((id) => `/v1/me/comments/${id}`),
    only({}),
  ),
  write(
    only('POST'),
    only('/v1/me/lists'),
    fc.record({
      name: fc.constantFrom('見返したい', ' '),
      visibility: fc.constantFrom('public', 'members', 'private', 'me'),
      is_ordered: fc.boolean(),
    }),
  ),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    write(
      only(method),
      work.map((id) => `/v1/me/lists/${id}`),
      fc.record({ text, visibility: fc.constantFrom('public', 'private') }),
    ),
  ),
  write(
    only('POST'),
    work.map((id) => `/v1/me/lists/${id}/items`),
    fc.record({ work_id: work, note: text, place: fc.constantFrom(1, 2, 900) }),
  ),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    write(
      only(method),
      fc.tuple(work, work).map(([list, id]) => `/v1/me/lists/${list}/items/${id}`),
      fc.record({ note: text, place: fc.constantFrom(1, 2, 900) }),
    ),
  ),
  write(either, only('/v1/me/follows'), fc.record({ username: named })),
  write(
    only('PATCH'),
    only('/v1/me'),
    fc.record({ profile: fc.constantFrom('public', 'members', 'friends'), listed: fc.boolean() }),
  ),
  write(only('DELETE'), only('/v1/me/followers'), fc.record({ username: named })),
  write(
    only('POST'),
    only('/v1/me/follow_requests'),
    fc.record({ username: named, decision: fc.constantFrom('accept', 'decline') }),
  ),
  write(either, only('/v1/me/mutes'), fc.record({ username: named })),
  write(either, only('/v1/me/blocks'), fc.record({ username: named })),
  write(
    only('POST'),
    only('/v1/me/reports'),
    fc.oneof(
      fc.record({ username: named, reason: fc.constantFrom('spam', 'rude') }),
      fc.record({ record_id: nth, reason: only('spoiler'), text }),
      fc.record({ review_id: nth, reason: only('other'), text }),
    ),
  ),
  ...['work_id', 'character_id', 'person_id', 'organization_id'].map((name) =>
    write(either, only('/v1/me/favorites'), fc.record({ [name]: fc.integer({ min: 1, max: 4 }) })),
  ),
  write(either, only('/v1/me/channels'), fc.record({ channel_id: fc.integer({ min: 1, max: 4 }) })),
  write(
    only('POST'),
    only('/v1/me/slots'),
    fc.record({
      work_id: work,
      weekday: fc.integer({ min: 0, max: 7 }),
      time: fc.constantFrom('23:00', '25:30', '30:00'),
    }),
  ),
  write(
    only('DELETE'),
    work.map((id) => `/v1/me/slots/${id}`),
    only({}),
  ),
  write(
    only('POST'),
    only('/v1/me/feeds'),
    fc.record({ name: only('x'), alarm: fc.constantFrom('10', '11') }),
  ),
  write(
    only('DELETE'),
    work.map((id) => `/v1/me/feeds/${id}`),
    only({}),
  ),
  write(
    only('POST'),
    only('/v1/me/scrobble'),
    fc.record({
      title: fc.constantFrom('ゆるキャン△', '100点の恋', 'Somebody'),
      episode: fc.constantFrom(1, 2, 40),
      ids: fc.constantFrom({}, { annict: 10 }, { annict: 1 }),
    }),
  ),
  write(only('POST'), only('/v1/me/hooks'), fc.record({ player: fc.constantFrom('plex', 'vlc') })),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    write(
      only(method),
      work.map((id) => `/v1/me/hooks/${id}`),
      fc.record({ name: only('居間') }),
    ),
  ),
  write(
    only('POST'),
    work.map((id) => `/v1/me/hooks/${id}/undo`),
    only({}),
  ),
  ...['undo', 'again'].map((what) =>
    write(
      only('POST'),
      work.map((id) => `/v1/me/deliveries/${id}/${what}`),
      only({}),
    ),
  ),
  write(
    only('PATCH'),
    work.map((id) => `/v1/me/inbox/${id}`),
    fc.oneof(fc.record({ work_id: work, episode_offset: fc.constantFrom(0, 1) }), only({ decision: 'skip' })),
  ),
  write(only('POST'), only('/v1/me/notifications/read'), only({})),
  write(
    only('PATCH'),
    only('/v1/me/notification_settings'),
    fc.record({
      quiet_from: fc.constantFrom('22:00', '', '24:00'),
      quiet_to: fc.constantFrom('7:00', ''),
      here: fc.constantFrom('', 'like,follow', 'all'),
      digest: fc.constantFrom('', 'episode,comment', 'all'),
    }),
  ),
  write(
    only('POST'),
    only('/v1/me/destinations'),
    fc.record({
      kind: fc.constantFrom('webhook', 'ntfy', 'fax'),
      url: fc.constantFrom('https://93.184.215.14/x', 'https://10.0.0.1/x', 'x'),
      events: fc.constantFrom('episode', 'like,record', 'all'),
    }),
  ),
  write(
    only('DELETE'),
    work.map((id) => `/v1/me/destinations/${id}`),
    only({}),
  ),
  write(
    only('POST'),
    work.map((id) => `/v1/me/destinations/${1000 + id}/test`),
    only({}),
  ),
)

/** `nth-3` is the third existing record or review: ids grow from run to run. */
export function resolved(handle: Database, path: string, params: Params): [path: string, params: Params] {
  const list = /review|viewing/.test(path + Object.keys(params)) ? 'reviews' : 'records'
  const ids = rowsOf(handle, list).map(({ id }) => id)
  const idOf = (name: string) => String(ids[(Number(name.slice(4)) - 1) % ids.length] ?? 999_999)
  const known = Object.entries(params).map(([name, value]) => [
    name,
    /^nth-/.test(String(value)) ? idOf(String(value)) : value,
  ])
  return [path.replace(/nth-\d+/, idOf), Object.fromEntries(known)]
}
