import type { Instance } from '../support/instance'

/** Whose rows are looked for, and who looks (D72). */
export const ids = {
  owner: 10,
  secretive: 11,
  follower: 12,
  stranger: 13,
  blocked: 14,
  muter: 15,
  boss: 16,
} as const

export type PersonName = keyof typeof ids

/** Texts that only some may read, and the number of the record or review that has them. */
export const markers = {
  'MARK-shared-record': 5001,
  'MARK-own-record': 5002,
  'MARK-hidden-record': 5003,
  'MARK-followers-record': 5004,
  'MARK-together-record': 5005,
  'MARK-shared-review': 6001,
  'MARK-own-review': 6002,
  'MARK-followers-review': 6003,
} as const

/** In the profile of `secretive`. */
export const profileMarkers = ['MARK-description', 'https://mark-url.example/'] as const

export const privateWork = 'MARK-private-status'

/**
 * `secretive` has a private profile. `follower` follows them and `owner`, `blocked` has a block with each, `muter` mutes both, and
 * `boss` is an administrator.
 */
export function writePeople({ store: { handle } }: Instance): void {
  for (const [name, id] of Object.entries(ids))
    handle.run(
      `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at, is_admin)
       values (?1, ?2, ?2, ?2, ?2 || '@example.com', ?2 || '@example.com', '', 1, ?3)`,
      [id, name, Number(name === 'boss')],
    )
  handle.run('update users set privacy = ?, description = ?, url = ? where id = ?', [
    'private',
    ...profileMarkers,
    ids.secretive,
  ])
  const pairs = (table: string, columns: string, rows: readonly (readonly [PersonName, PersonName])[]) => {
    for (const [one, other] of rows)
      handle.run(`insert into ${table} (${columns}, created_at) values (?, ?, 1)`, [ids[one], ids[other]])
  }
  pairs('follows', 'follower_id, followed_id', [
    ['follower', 'owner'],
    ['follower', 'secretive'],
  ])
  pairs('blocks', 'user_id, blocked_id', [
    ['owner', 'blocked'],
    ['blocked', 'secretive'],
  ])
  pairs('mutes', 'user_id, muted_id', [
    ['muter', 'owner'],
    ['muter', 'secretive'],
  ])
}

/** `owner` has shared and private rows, `secretive` some for followers. */
export function writeMarkers(kiroku: Instance): void {
  const { store, clock } = kiroku
  const { handle } = store
  const at = clock.now - 1000
  writePeople(kiroku)
  handle.run(
    `insert into works (id, title, media, source_id, hidden) select 900, ?, media, source_id, 1 from works where id = 1`,
    [privateWork],
  )
  const record = (marker: keyof typeof markers, user: number, columns = '', values = '') => {
    const id = markers[marker]
    handle.run(
      `insert into records (id, user_id, work_id, episode_id, comment, rating_state, watched_at, created_at ${columns})
       values (?, ?, 1, 1, ?, 'great', ?, ? ${values})`,
      [id, user, marker, at, at],
    )
  }
  const tell = (user: number, action: string, column: string, value: number | string, work = 1) =>
    handle.run(
      `insert into activities (user_id, work_id, action, ${column}, created_at, private) values (?, ?, ?, ?, ?, ?)`,
      [user, work, action, value, at, Number(work === 900)],
    )
  record('MARK-shared-record', ids.owner)
  record('MARK-own-record', ids.owner, ', private', ', 1')
  record('MARK-hidden-record', ids.owner, ', hidden_by', ', 16')
  record('MARK-followers-record', ids.secretive)
  record('MARK-together-record', ids.owner, ', private', ', 1')
  for (const id of [5001, 5002, 5003]) tell(ids.owner, 'create_record', 'record_id', id)
  tell(ids.secretive, 'create_record', 'record_id', 5004)
  const [together] = handle
    .query<{ id: number }, [number, number]>(
      `insert into activities (user_id, work_id, action, created_at)
       values (?, 1, 'create_multiple_records', ?) returning id`,
    )
    .all(ids.owner, at)
  for (const id of [5001, 5005])
    handle.run('insert into activity_records (activity_id, record_id) values (?, ?)', [together?.id ?? 0, id])
  const review = (marker: keyof typeof markers, user: number, isPrivate = 0) => {
    handle.run(
      `insert into reviews (id, user_id, work_id, body, rating_overall_state, created_at, private)
       values (?, ?, 1, ?, 'great', ?, ?)`,
      [markers[marker], user, marker, at, isPrivate],
    )
    tell(user, 'create_review', 'review_id', markers[marker])
  }
  review('MARK-shared-review', ids.owner)
  review('MARK-own-review', ids.owner, 1)
  review('MARK-followers-review', ids.secretive)
  // Who sees a comment also sees what it stands under, and the other way round (D77).
  for (const [marker, id] of Object.entries(markers)) {
    const [table, column] = id < 6000 ? ['records', 'record_id'] : ['reviews', 'review_id']
    handle.run(
      `insert into comments (user_id, owner_id, ${column}, body, created_at) select 1, user_id, id, ?, ? from ${table} where id = ?`,
      [marker, at, id],
    )
  }
  handle.run(
    `insert into statuses (user_id, work_id, kind, changed_at, private) values (?, 900, 'watching', ?, 1)`,
    [ids.owner, at],
  )
  tell(ids.owner, 'create_status', 'status_kind', 'watching', 900)
  handle.run('insert into favorites (user_id, person_id, created_at) values (?, 1, ?)', [ids.secretive, at])
  handle.run('insert into favorites (user_id, work_id, position, created_at) values (?, 1, 1, ?)', [
    ids.secretive,
    at,
  ])
}

const shared = ['MARK-shared-record', 'MARK-shared-review']
const own = ['MARK-own-record', 'MARK-hidden-record', 'MARK-together-record', 'MARK-own-review']
const forFollowers = ['MARK-followers-record', 'MARK-followers-review', ...profileMarkers]

/** All that they may read somewhere, and nothing else (the table of docs/privacy.md). */
export const readable: Readonly<Record<PersonName, readonly string[]>> = {
  owner: [...shared, ...own, privateWork],
  secretive: [...shared, ...forFollowers],
  follower: [...shared, ...forFollowers],
  stranger: shared,
  blocked: [],
  muter: shared,
  boss: shared,
}
