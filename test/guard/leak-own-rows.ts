import { hashSecret } from '../../src/lib/secret'
import type { Instance } from '../support/instance'
import { fill } from '../support/seed'
import { ids } from './people'

const { owner, boss, secretive, stranger } = ids

/** What is `owner`'s alone, of every kind of row. None of it may change one byte of what others are answered. */
export async function writeOwn(kiroku: Instance): Promise<void> {
  const { store, clock } = kiroku
  const created_at = clock.now - 1000
  const at = { user_id: owner, created_at }
  const own = { ...at, id: 7001 }
  const table = Bun.zstdCompressSync('題名\nLEAK-own-table')
  await fill(store, entries(at))
  await fill(store, access(own, clock.now))
  await fill(store, {
    notes: [{ user_id: owner, work_id: 3, text: 'LEAK-own-note', updated_at: created_at }],
    laps: [{ user_id: owner, work_id: 1, number: 2, started_at: created_at }],
    skips: [{ ...at, episode_id: 3, lap: 1 }],
    acts: [{ ...own, kind: 'note', work_id: 3 }],
    changes: [
      {
        ...{ user_id: owner, act_id: 7001, work_id: 3, table_name: 'notes', row_id: 3, last_id: 3 },
        before: JSON.stringify({ text: 'LEAK-unshown-change' }),
      },
    ],
    form_receipts: [{ ...at, form_id: new Uint8Array(16), result: 'done' }],
    own_slots: [
      {
        ...{ user_id: owner, work_id: 3, weekday: 5, minute: 1200, time_zone: 'Asia/Tokyo' },
        ...{ begins_on: '2026-04-03', first_episode: 1, changed_at: created_at },
      },
    ],
    user_channels: [{ user_id: owner, channel_id: 1 }],
    list_imports: [
      {
        ...{ ...own, source: 'csv', file_name: 'LEAK-own-import', state: 'preview', time_zone: 'Asia/Tokyo' },
        ...{ changed_at: created_at, counts: '{"rows":1}' },
      },
    ],
    list_import_rows: [
      {
        ...{ import_id: 7001, number: 1, source_id: '1', title: 'LEAK-own-import-row', state: 'not_found' },
        shown: '{}',
      },
    ],
    list_choices: [{ user_id: owner, source: 'csv', source_id: 'LEAK-own-choice', work_id: 1 }],
    table_shapes: [{ user_id: owner, header: '["LEAK-own-shape"]', columns: 'title=1' }],
    waiting_tables: [{ ...at, file_name: 'LEAK-own-table.csv', content: table }],
    left_out_series: [{ ...own, created_at: undefined, series_key: 'title:x', title: 'LEAK-own-left-out' }],
    reports: [
      {
        ...{ id: 7001, reporter_id: owner, user_id: stranger, reason: 'spam', copy: 'x', created_at },
        text: 'LEAK-own-report',
      },
      {
        ...{ id: 7002, reporter_id: secretive, user_id: owner, record_id: 7002, reason: 'spam', created_at },
        ...{ text: 'LEAK-report-text', copy: 'LEAK-report-copy' },
      },
    ],
    moderations: [
      {
        ...{ id: 7001, kind: 'hide', moderator_id: boss, user_id: owner, record_id: 7002, created_at },
        reason: 'LEAK-own-moderation',
      },
    ],
    follow_requests: [{ id: 7001, follower_id: owner, followed_id: secretive, created_at }],
    notifications: [
      // Of somebody who sees the entry no more: the owner's own comment under it.
      {
        ...{ id: 7001, user_id: stranger, actor_id: owner, kind: 'comment', comment_id: 7001, created_at },
      },
    ],
  })
}

type Row = Readonly<Record<string, unknown>>

/** Private and hidden entries, with what tells of them and stands under them. */
function entries(at: Row & { readonly created_at: number }) {
  const { created_at } = at
  const record = { ...at, work_id: 1, episode_id: 3, watched_at: created_at, rating_state: 'bad', score: 13 }
  const review = { ...at, rating_overall_state: 'bad', score: 17 }
  const meeting = { ...at, work_id: 3, begins_at: created_at + 90_000_000, changed_at: created_at }
  return {
    records: [
      { ...record, id: 7001, comment: 'LEAK-own-record', private: 1 },
      { ...record, id: 7002, comment: 'LEAK-own-hidden-record', hidden_by: boss },
      { ...record, id: 7003, comment: 'LEAK-own-together-record', private: 1, episode_id: 1 },
      { ...record, id: 7004, comment: 'LEAK-own-rest-record', private: 1, episode_id: 2 },
    ],
    reviews: [
      { ...review, id: 7101, work_id: 1, body: 'LEAK-own-review', private: 1 },
      { ...review, id: 7102, work_id: 3, body: 'LEAK-own-hidden-review', hidden_by: boss },
    ],
    statuses: [{ user_id: owner, work_id: 2, kind: 'watched', changed_at: created_at, private: 1 }],
    activities: [
      { ...at, id: 7001, work_id: 1, action: 'create_record', record_id: 7001 },
      { ...at, id: 7002, work_id: 1, action: 'create_record', record_id: 7002 },
      { ...at, id: 7003, work_id: 1, action: 'create_multiple_records' },
      { ...at, id: 7004, work_id: 1, action: 'create_review', review_id: 7101 },
      { ...at, id: 7005, work_id: 2, action: 'create_status', status_kind: 'watched', private: 1 },
    ],
    // One beside what others see, one alone.
    activity_records: [
      { activity_id: 6002, record_id: 7003 },
      { activity_id: 7003, record_id: 7004 },
    ],
    lists: [
      {
        ...{ ...at, id: 7201, name: 'LEAK-own-list', text: 'LEAK-own-list-text', visibility: 'private' },
        updated_at: created_at,
      },
    ],
    list_works: [
      {
        ...{ id: 7201, list_id: 7201, user_id: at.user_id, work_id: 1, place: 1, added_at: created_at },
        note: 'LEAK-own-list-note',
      },
    ],
    comments: [{ ...at, id: 7001, owner_id: at.user_id, record_id: 7001, body: 'LEAK-own-comment' }],
    likes: [{ ...at, record_id: 7001 }],
    meetings: [{ ...meeting, id: 7301, is_open: 0, location: 'LEAK-own-time', body: 'LEAK-own-noted' }],
    meeting_episodes: [],
    meeting_people: [{ meeting_id: 7301, user_id: at.user_id, answer: 'in' }],
  }
}

/** Ways in and out of an account. */
function access(own: Row & { readonly created_at: number }, now: number) {
  const secret = hashSecret('LEAK-unshown-secret')
  const { created_at, user_id } = own
  const browser = { user_agent: 'LEAK-own-session', address: '192.0.2.9' }
  const passkey = { rp_id: 'localhost', name: 'LEAK-own-passkey', counter: 1, transports: 'internal' }
  return {
    hooks: [{ ...own, player: 'kodi', name: 'LEAK-own-hook', secret_hash: secret }],
    deliveries: [
      {
        ...{ id: 7001, user_id, hook_id: 7001, received_at: created_at, result: 'unmatched' },
        series_key: 'title:leak/season/1',
        report: JSON.stringify({
          user: 'x',
          plays: [{ titles: ['LEAK-own-delivery'], season: 1, episode: 3, isMovie: false, refs: [] }],
        }),
      },
    ],
    destinations: [
      {
        ...{
          ...own,
          kind: 'ntfy',
          url: 'https://ntfy.example/LEAK-unshown-destination',
          host: 'ntfy.example',
        },
        ...{ token: 'LEAK-unshown-secret', secret: 'LEAK-unshown-secret', events: 'record' },
      },
    ],
    outgoing: [
      {
        ...{ ...own, destination_id: 7001, kind: 'record', state: 'sent', next_at: created_at },
        items: '[{"text":"LEAK-own-outgoing"}]',
      },
    ],
    tokens: [{ ...own, description: 'LEAK-own-token', scope: 'read', token_hash: secret }],
    feeds: [
      {
        ...{ ...own, secret_hash: secret, name: 'LEAK-own-feed', language: 'ja', title_language: 'native' },
        ...{ time_zone: 'Asia/Tokyo', changed_at: created_at },
      },
    ],
    identities: [{ ...own, issuer: 'https://id.example', subject: 'x', name: 'LEAK-own-identity' }],
    passkeys: [
      {
        ...{ ...own, ...passkey, credential_id: new Uint8Array(32), public_key: new Uint8Array(77) },
        ...{ is_eligible: 1, is_backed_up: 1, is_verified: 1 },
      },
    ],
    sessions: [{ ...own, ...browser, session_hash: secret, last_used_at: now, confirmed_at: now }],
    sign_ins: [
      {
        ...{ id: 7001, user_id, at: created_at, way: 'password', outcome: 'ok', address: '192.0.2.9' },
        user_agent: 'LEAK-own-sign-in',
      },
    ],
    devices: [{ id: 7001, user_id, device_hash: secret, last_used_at: now }],
    applications: [
      {
        ...{ id: 7001, owner_id: user_id, uid: 'LEAK-own-uid', name: 'LEAK-own-application', scope: 'read' },
        ...{ redirect_uris: 'urn:x', is_confidential: 1, created_at, updated_at: created_at },
      },
    ],
    invitations: [
      {
        ...{ id: 7001, created_by: user_id, note: 'LEAK-own-invitation', code_hash: secret, uses_left: 1 },
        created_at,
      },
    ],
    one_time_links: [
      {
        ...{ ...own, purpose: 'email', email: 'LEAK-unshown-mail@example.com', link_hash: secret },
        expires_at: now + 1000,
      },
    ],
    recovery_codes: [{ id: 7001, user_id, code_hash: secret }],
    images: [
      {
        ...{ ...own, kind: 'cover', hash: 'a'.repeat(32), work_id: 1, origin: 'upload', placeholder: '' },
        ...{ width: 640, height: 960 },
      },
    ],
    former_images: [
      {
        ...{ ...own, kind: 'cover', hash: 'b'.repeat(32), work_id: 1, origin: 'upload', placeholder: '' },
        ...{ width: 640, height: 960, replaced_at: created_at },
      },
    ],
  }
}
