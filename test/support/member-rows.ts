import type { Database } from 'bun:sqlite'
import fc from 'fast-check'
import { addCorrection, addMergedRow, addSuggestion } from './edit-rows'
import { addMeeting } from './meeting-rows'

/** Something one of four users does, perhaps to another; what exists already, or cannot be, changes nothing. */
export type Deed = readonly [kind: (typeof kinds)[number], user: number, other: number, n: number]

export const kinds = [
  ...['record', 'comment', 'review', 'rating', 'like', 'like review', 'answer', 'follow', 'mute', 'block'],
  ...['request', 'report', 'moderation', 'status', 'meeting', 'suggestion', 'correction', 'merged row'],
  ...['favorite', 'channel', 'together', 'token', 'application', 'grant', 'session', 'invitation'],
  ...['lap', 'skip', 'note', 'slot', 'feed', 'act', 'press', 'picture', 'former picture', 'shape', 'table'],
  ...['hook', 'delivery', 'left out', 'destination', 'list', 'share', 'passkey', 'identity', 'sign in'],
] as const

const user = fc.integer({ min: 1, max: 4 })

export const deeds = (maxLength = 60): fc.Arbitrary<Deed[]> =>
  fc.array(fc.tuple(fc.constantFrom(...kinds), user, user, fc.integer({ min: 1, max: 4 })), {
    minLength: 20,
    maxLength,
  })

/** Does it, with all of its effects. */
export function perform(handle: Database, [kind, user, other, n]: Deed): void {
  const run = (sql: string, ...values: (string | number | Uint8Array)[]) =>
    handle
      .query<{ id: number }, (string | number | Uint8Array)[]>(`insert or ignore into ${sql}`)
      .all(...values)
  const hash = () => crypto.getRandomValues(new Uint8Array(32))
  const [episode, work] = [[1, 2, 3, 4][n - 1] ?? 1, 1]
  const record = (comment: string) =>
    run(
      `records (user_id, work_id, episode_id, comment, watched_at, created_at) values (?, ?, ?, ?, 1, 1) returning id`,
      ...[user, work, episode, comment],
    )
  const told = (action: string, column: string, id: number | string) =>
    run(
      `activities (user_id, work_id, action, ${column}, created_at) values (?, ?, ?, ?, 1) returning id`,
      ...[user, work, action, id],
    )
  const notified = (about: string, to: number, by: number, id: number) =>
    to === by ||
    run(`notifications (user_id, actor_id, ${about}, created_at) values (?, ?, ?, 1)`, to, by, id)
  const liked = (table: 'records' | 'reviews', column: string) => {
    const owners = `select id, user_id from ${table} order by id limit 1 offset ?`
    const target = handle.query<{ id: number; user_id: number }, [number]>(owners).get(n)
    if (target === null) return
    const sql = `likes (user_id, ${column}, created_at) values (?, ?, 1) returning id`
    for (const { id } of run(sql, user, target.id)) notified('like_id', target.user_id, user, id)
  }
  const doings: Record<(typeof kinds)[number], () => unknown> = {
    record: () => record('').map(({ id }) => told('create_record', 'record_id', id)),
    comment: () => record('よかった').map(({ id }) => told('create_record', 'record_id', id)),
    together: () => {
      const values = "values (?, 1, 'create_multiple_records', 1) returning id"
      const [activity] = run(`activities (user_id, work_id, action, created_at) ${values}`, user)
      for (const { id } of [...record(''), ...record('ふたつめ')])
        run('activity_records (activity_id, record_id) values (?, ?)', activity?.id ?? 0, id)
    },
    review: () =>
      run(`reviews (user_id, work_id, body, created_at) values (?, ?, '庭', 1) returning id`, user, work).map(
        ({ id }) => told('create_review', 'review_id', id),
      ),
    rating: () =>
      run(
        `reviews (user_id, work_id, rating_overall_state, created_at) values (?, ?, 'good', 1)`,
        ...[user, work],
      ),
    like: () => liked('records', 'record_id'),
    'like review': () => liked('reviews', 'review_id'),
    answer: () => {
      const entry = handle
        .query<{ id: number; user_id: number }, [number]>(
          'select id, user_id from records order by id desc limit 1 offset ? % (select max(1, count(*)) from records)',
        )
        .get(n)
      if (entry === null) return
      for (const { id } of run(
        `comments (user_id, owner_id, record_id, body, created_at) values (?, ?, ?, 'そうですね', 1) returning id`,
        ...[user, entry.user_id, entry.id],
      ))
        notified('comment_id', entry.user_id, user, id)
    },
    follow: () =>
      run(`follows (follower_id, followed_id, created_at) values (?, ?, 1) returning id`, user, other).map(
        ({ id }) => notified('follow_id', other, user, id),
      ),
    mute: () => run('mutes (user_id, muted_id, created_at) values (?, ?, 1)', user, other),
    block: () => run('blocks (user_id, blocked_id, created_at) values (?, ?, 1)', user, other),
    request: () =>
      run('follow_requests (follower_id, followed_id, created_at) values (?, ?, 1)', user, other),
    report: () =>
      run(
        `reports (reporter_id, user_id, reason, text, copy, created_at) values (?, ?, 'spam', 'x', '内緒', 1)`,
        ...[user, other],
      ),
    moderation: () =>
      run(
        `moderations (kind, moderator_id, user_id, record_id, reason, created_at) values ('hide', 1, ?, ?, '内緒', 1)`,
        ...[user, 1_000_000 + user * 10 + n],
      ),
    status: () => {
      run(`statuses (user_id, work_id, kind, changed_at) values (?, ?, 'watching', 1)`, user, n)
      told('create_status', 'status_kind', 'watching')
    },
    lap: () => run('laps (user_id, work_id, number, started_at) values (?, ?, 2, 1)', user, n),
    skip: () => run('skips (user_id, episode_id, lap, created_at) values (?, ?, 1, 1)', user, episode),
    slot: () =>
      run(
        `own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
         values (?, ?, 5, 1380, 'Asia/Tokyo', '2026-04-03', 1, 1)`,
        ...[user, n],
      ),
    share: () => {
      const values = `values (?, '2025', 'public', '[]', '${'a'.repeat(32)}', 1)`
      run(`shares (user_id, period, audience, figures, picture_hash, created_at) ${values}`, user)
    },
    list: () => {
      const values = "values (?, '内緒の棚', 'private', 1, 1) returning id"
      for (const { id } of run(`lists (user_id, name, visibility, created_at, updated_at) ${values}`, user))
        run('list_works (list_id, user_id, work_id, place, added_at) values (?, ?, ?, 1, 1)', id, user, n)
    },
    feed: () =>
      run(
        `feeds (user_id, secret_hash, name, language, title_language, time_zone, changed_at, created_at)
         values (?, ?, 'kiroku', 'ja', 'native', 'Asia/Tokyo', 1, 1)`,
        ...[user, hash()],
      ),
    destination: () => {
      const columns = `user_id, kind, url, host, events, created_at`
      const [made] = run(
        `destinations (${columns}) values (?, 'ntfy', '', '', 'episode', 1) returning id`,
        user,
      )
      const message = `user_id, destination_id, kind, items, next_at, created_at`
      run(`outgoing (${message}) values (?, ?, 'episode', '[]', 1, 1)`, user, made?.id ?? 0)
    },
    meeting: () => addMeeting(run, { user, other, work, episode }),
    note: () => run("notes (user_id, work_id, text, updated_at) values (?, ?, '内緒', 1)", user, n),
    act: () => {
      const values = "values (?, 'note', ?, 1) returning id"
      const [act] = run(`acts (user_id, kind, work_id, created_at) ${values}`, user, work)
      run(
        `changes (user_id, act_id, work_id, table_name, row_id, last_id, before) values (?, ?, ?, 'notes', ?, ?, '{}')`,
        ...[user, act?.id ?? 0, work, work, work],
      )
    },
    press: () =>
      run("form_receipts (user_id, form_id, result, created_at) values (?, randomblob(16), 'done', 1)", user),
    favorite: () => {
      run('favorites (user_id, person_id, created_at) values (?, ?, 1)', user, (n % 2) + 1)
      run('favorites (user_id, work_id, position, created_at) values (?, ?, 1, 1)', user, (n % 2) + 1)
    },
    channel: () => run('user_channels (user_id, channel_id) values (?, ?)', user, (n % 2) + 1),
    token: () => {
      const columns = 'user_id, description, scope, token_hash, created_at'
      run(`tokens (${columns}) values (?, '', 'read', randomblob(32), 1)`, user)
    },
    application: () =>
      run(
        `applications (owner_id, uid, name, redirect_uris, scope, is_confidential, created_at, updated_at)
         values (?, ?, 'an app', 'urn:x', 'read', 1, 1, 1)`,
        ...[user, `app-${user}`],
      ),
    grant: () =>
      run(
        `tokens (user_id, application_id, description, scope, token_hash, created_at)
         select ?, id, '', 'read', ?, 1 from applications where uid = ?`,
        ...[user, hash(), `app-${other}`],
      ),
    session: () =>
      run(
        `sessions (user_id, session_hash, user_agent, address, created_at, last_used_at, confirmed_at)
         values (?, ?, 'x', 'x', 1, 1, 1)`,
        ...[user, hash()],
      ),
    passkey: () => {
      const columns =
        'credential_id, public_key, rp_id, name, counter, is_eligible, is_backed_up, is_verified'
      const made = "randomblob(32), zeroblob(77), 'localhost', 'Phone', 1, 1, 1, 1, 'internal', 1"
      run(`passkeys (user_id, ${columns}, transports, created_at) values (?, ${made})`, user)
    },
    identity: () =>
      run("identities (user_id, issuer, subject, created_at) values (?, 'x', hex(randomblob(9)), 1)", user),
    'sign in': () =>
      run(
        "sign_ins (user_id, at, way, outcome, user_agent, address) values (?, 1, 'link', 'ok', '', '')",
        user,
      ),
    picture: () =>
      run(
        `images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at)
         values ('cover', ?, ?, ?, 'upload', 640, 960, '', 1)`,
        ...['a'.repeat(32), n, user],
      ),
    'former picture': () =>
      run(
        `former_images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at, replaced_at)
         values ('cover', ?, ?, ?, 'upload', 640, 960, '', 1, 1)`,
        ...['b'.repeat(32), n, user],
      ),
    suggestion: () => addSuggestion(run, user),
    correction: () => addCorrection(run, user),
    'merged row': () => addMergedRow(run, user),
    shape: () =>
      run("table_shapes (user_id, header, columns) values (?, ?, 'title=1')", user, `["作品","状態${n}"]`),
    table: () =>
      run("waiting_tables (user_id, file_name, content, created_at) values (?, 'list.csv', x'00', 1)", user),
    hook: () =>
      run(
        "hooks (user_id, player, name, secret_hash, created_at) values (?, 'kodi', 'x', randomblob(32), 1)",
        user,
      ),
    delivery: () =>
      run(
        `deliveries (user_id, received_at, report, result) values (?, 1, '{"user":"x","plays":[]}', 'unmatched')`,
        user,
      ),
    'left out': () => run(`left_out_series (user_id, series_key, title) values (?, ${n}, 'x')`, user),
    invitation: () =>
      run(
        `invitations (created_by, note, code_hash, uses_left, created_at) values (?, '', ?, 1, 1)`,
        ...[user, hash()],
      ),
  }
  doings[kind]()
}

/** How many rows of each table belong to a user, by columns that refer to users; leaves out tables without any. */
export function rowsOf(handle: Database, userId: number): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [table, column] of references(handle)) {
    const [[n = 0] = []] = handle
      .query<never, [number]>(`select count(*) from ${table} where ${column} = ?`)
      .values(userId) as number[][]
    if (n > 0) found[`${table}.${column}`] = n
  }
  return found
}

/** Every column that refers to a user, according to the schema. */
export const references = (handle: Database) =>
  handle
    .query(
      `select m.name, f."from" from sqlite_schema m, pragma_foreign_key_list(m.name) f
       where m.type = 'table' and f."table" = 'users' order by 1, 2`,
    )
    .values() as [string, string][]
