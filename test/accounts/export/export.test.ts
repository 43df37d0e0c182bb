import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportSections, exportUser } from '../../../src/accounts/export/export'
import { enrol } from '../../support/authenticator'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { perform, references, rowsOf } from '../../support/member-rows'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor

beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  mio = await createMember(kiroku, 'mio')
  const { handle } = kiroku.store
  const all = ['rating', 'favorite', 'channel', 'together', 'application', 'invitation'] as const
  const marks = [
    'lap',
    'skip',
    'note',
    'slot',
    'feed',
    'act',
    'picture',
    'former picture',
    'meeting',
  ] as const
  handle.run(`insert into list_imports (user_id, source, file_name, state, time_zone, created_at, changed_at)
    values (1, 'mal', 'animelist.xml', 'applied', 'UTC', 1, 1)`)
  const access = ['passkey', 'identity', 'sign in', 'share', 'suggestion', 'correction'] as const
  for (const kind of ['shape', 'table', 'hook', 'delivery', 'left out', ...access] as const)
    perform(handle, [kind, 1, 2, 1])
  handle.run("insert into list_choices (user_id, source, source_id, work_id) values (1, 'mal', '5', 1)")
  handle.run("insert into external_ids (kind, ns, external_id, local_id) values ('work', 'mal', '40001', 1)")
  handle.run("insert into external_ids (kind, ns, external_id, local_id) values ('work', 'annict', '1', 1)")
  for (const kind of [...all, ...marks]) perform(handle, [kind, 1, 2, 1])
  perform(handle, ['application', 2, 1, 1])
  perform(handle, ['grant', 1, 2, 1])
  // Of somebody who is blocked, nothing is seen.
  handle.run('delete from comments where user_id = 4')
  for (const kind of ['block', 'request', 'report', 'moderation'] as const) perform(handle, [kind, 1, 4, 1])
  perform(handle, ['request', 4, 1, 1])
  perform(handle, ['like', 1, 2, 1])
  perform(handle, ['like review', 1, 2, 1])
})
afterAll(() => kiroku.close())

const action = '/settings/export/download'
const download = async (): Promise<Body> =>
  JSON.parse((await mio.submit('/settings/export', { file: 'kiroku' }, action)).text)

describe('a download is refused', () => {
  test('to strangers, and to a session not confirmed within a quarter of an hour (§2.2)', async () => {
    const asked = await createVisitor(kiroku).open('/settings/export')
    expect(asked.location).toBe('/sign_in?return_to=%2Fsettings%2Fexport')
    const idle = await createMember(kiroku, 'mio')
    const inputs = hiddenInputs((await idle.open('/settings/export')).text, action)
    kiroku.clock.now += 15 * 60_000 + 1
    const sent = await idle.post(action, inputs)
    expect([sent.status, sent.location.startsWith('/confirm?')]).toEqual([303, true])
    kiroku.clock.now -= 15 * 60_000 + 1
  })

  test('without a CSRF token, from another site, and by GET (§2.3)', async () => {
    expect((await mio.post(action, { csrf: 'x' })).status).toBe(403)
    const inputs = hiddenInputs((await mio.open('/settings/export')).text, action)
    expect((await mio.post(action, inputs, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await mio.open(action)).status).toBe(405)
  })
})

test('a download is one JSON file that must not be cached', async () => {
  const page = await mio.submit('/settings/export', { file: 'kiroku' }, action)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(page.headers.get('content-disposition')).toBe('attachment; filename="kiroku-mio-2026-04-01.json"')
  expect(page.headers.get('cache-control')).toBe('private, no-store')
  expect(kiroku.lines.some(({ event }) => event === 'data_downloaded')).toBe(true)
  expect(
    (await (await createMember(kiroku, 'mio', { language: 'ja' })).open('/settings/export')).text,
  ).toContain('データの書き出し')
})

test('it contains everything the user did, in full', async () => {
  const file = await download()
  expect(file).toMatchObject({ format: 'kiroku user', version: 2, exported_at: '2026-04-01T12:00:00.000Z' })
  expect(file.profile).toMatchObject({
    id: 1,
    username: 'mio',
    email: 'mio@example.com',
    two_step_since: null,
  })
  expect(file.records[0]).toEqual({
    id: 1,
    comment: 'よかった',
    rating: 4.5,
    rating_state: 'great',
    is_modified: false,
    likes_count: 1,
    share_twitter: false,
    share_facebook: false,
    watched_at: '2026-03-28T09:00:00.000Z',
    watched_at_precision: 'time',
    lap: 1,
    created_at: '2026-03-28T09:00:00.000Z',
    private: false,
    score: null,
    work: { id: 1, title: '星降る庭' },
    episode: { id: 1, number: '1', sort_number: 30, number_text: '第1話', title: '庭のはじまり' },
  })
  expect(file.statuses[0]).toEqual({
    work: { id: 1, title: '星降る庭' },
    kind: 'watching',
    changed_at: '2026-03-28T18:00:00.000Z',
    started_on: null,
    finished_on: null,
    rewatches: null,
    private: false,
  })
  expect(file.works[0]).toMatchObject({ id: 1, title: '星降る庭', ids: { annict: '1', mal: '40001' } })
  expect(file.following.map(({ username }: Body) => username)).toEqual(['Ritsu_T', 'azusa'])
  expect(file.followers.map(({ username }: Body) => username)).toEqual(['Ritsu_T'])
  expect(file.mutes).toEqual([{ username: 'azusa', created_at: '2026-03-31T16:00:00.000Z' }])
  expect(file.activities.at(-1)).toMatchObject({
    action: 'create_multiple_records',
    record_ids: [expect.any(Number), expect.any(Number)],
  })
  expect(file.tokens.map(({ application }: Body) => application)).toEqual([null, 'an app'])
  expect(file.notifications[0]).toMatchObject({ action: 'follow', username: 'Ritsu_T', record_id: null })
})

test('an unknown time is null, whatever its column contains (D61)', async () => {
  const { handle } = kiroku.store
  handle.run("update records set watched_at_precision = 'none' where id = 1")
  const [record] = (await download()).records
  expect([record.id, record.watched_at, record.watched_at_precision]).toEqual([1, null, 'none'])
  handle.run("update records set watched_at_precision = 'time' where id = 1")
})

// Columns that are secret or say nothing new to their user.
const leftOut =
  /^(?:devices|one_time_links|second_factors|recovery_codes|authorization_codes|device_grants|deletions|form_receipts|changes|catalogue_moves|privacy_moves)\./

test('it contains every row that belongs to the user, from every table', async () => {
  const same =
    'activities acts blocks catalogue_changes catalogue_proposals comments favorites deliveries hooks left_out_series laps' +
    ' library_entries likes lists meetings moderations mutes table_shapes waiting_tables notes own_slots' +
    ' feeds destinations notifications records reviews sessions passkeys identities shares sign_ins skips statuses tokens'
  const lists: Record<string, string> = {
    ...Object.fromEntries(same.split(' ').map((name) => [`${name}.user_id`, name])),
    'applications.owner_id': 'applications',
    'comments.owner_id': 'comments_received',
    'follow_requests.followed_id': 'follow_requests',
    'follow_requests.follower_id': 'requested',
    'follows.followed_id': 'followers',
    'follows.follower_id': 'following',
    'images.user_id': 'pictures',
    'former_images.user_id': 'former_pictures',
    'invitations.created_by': 'invitations',
    'list_choices.user_id': 'import_choices',
    'list_works.user_id': 'lists',
    'list_imports.user_id': 'imports',
    'meeting_people.user_id': 'meeting_answers',
    'outgoing.user_id': 'messages',
    'reports.reporter_id': 'reports',
    'user_channels.user_id': 'channels',
  }
  const file = await download()
  const ofOthers = ['blocks.blocked_id', 'mutes.muted_id', 'notifications.actor_id', 'reports.user_id']
  const isOwned = (name: string) => !leftOut.test(name) && ![...ofOthers, 'users.invited_by'].includes(name)
  const columns = references(kiroku.store.handle).map((column) => column.join('.'))
  expect(columns.filter(isOwned).sort()).toEqual(Object.keys(lists).sort())
  const owned = Object.entries(rowsOf(kiroku.store.handle, 1)).filter(([name]) => isOwned(name))
  expect(owned.map(([name]) => name).sort()).toEqual(Object.keys(lists).sort())
  const rowsIn = (name: string): Body[] =>
    name === 'list_works.user_id' ? file.lists.flatMap(({ items }: Body) => items) : file[lists[name] ?? '']
  for (const [name, n] of owned) expect([name, rowsIn(name).length]).toEqual([name, n])
  const sections = exportSections.map(({ name }) => name)
  expect(new Set(sections)).toEqual(new Set([...Object.values(lists), 'works']))
})

test('it contains no secret, no hash and nobody else’s address', async () => {
  await enrol(kiroku, mio)
  const text = JSON.stringify(await download())
  expect(text).not.toMatch(/kir_|\$argon2|hash|secret|password|csrf/i)
  const { handle } = kiroku.store
  const secrets = [
    'tokens.token_hash',
    'sessions.session_hash',
    'passkeys.credential_id',
    'passkeys.public_key',
    'second_factors.secret',
    'recovery_codes.code_hash',
  ]
  for (const [table, column] of secrets.map((name) => name.split('.')))
    for (const [bytes] of handle.query(`select ${column} from ${table}`).values() as [Uint8Array][])
      for (const form of ['hex', 'base64', 'base64url'] as const)
        expect(text).not.toContain(Buffer.from(bytes).toString(form))
  for (const [email] of handle.query('select email from users where id <> 1').values() as [string][])
    expect(text).not.toContain(email)
  expect(JSON.parse(text).profile.two_step_since).toBe('2026-04-01T12:00:00.000Z')
})

test('a list longer than one read contains every row exactly once, in order', async () => {
  const { handle } = kiroku.store
  for (let n = 0; n < 1201; n += 1) perform(handle, ['record', 4, 1, (n % 4) + 1])
  let pieces = 0
  let text = ''
  for await (const piece of exportUser(kiroku.deps, 4)) {
    pieces += 1
    text += piece
  }
  const { id } = handle.query<Body, []>('select id from users where id = 4').get()
  const ids = handle.query('select id from records where user_id = ? order by id').values(id).flat()
  expect(JSON.parse(text).records.map((record: Body) => record.id)).toEqual(ids)
  expect(ids.length).toBeGreaterThan(1200)
  expect(pieces).toBeGreaterThan(2 * exportSections.length)
})

test('the documentation names all of its keys', async () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/user-export.md'), 'utf8')
  const file = await download()
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name = '', keys = '']) => [
    name,
    [...keys.matchAll(/`([\w.]+)`/g)].map(([, key]) => key).sort(),
  ])
  const actual = Object.entries(file)
    .filter(([, value]) => typeof value === 'object')
    .map(([name, value]) => [name, keysOf(Array.isArray(value) ? value[0] : value).sort()])
  expect(rows).toEqual(actual)
})

/** The keys of an object, with those of nested objects as `work.title`. */
const keysOf = (value: Record<string, unknown>): string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.keys(inner).map((key) => `${name}.${key}`)
      : [name],
  )
