import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../src/app'
import { clampFutureTimes, expiringTables, hasFutureTimes, timestampColumns } from '../src/db/future-times'
import { StorageFault } from '../src/db/storage-fault'
import { isClient, register } from './support/apps'
import { codeOf, enrolled } from './support/authenticator'
import { codesFor, poll, registerDevice } from './support/device'
import { output } from './support/in-process'
import { createInstance, type Instance, requestOf, setClock } from './support/instance'
import { startServer, temporaryDirectory } from './support/kiroku'
import { codeFor, exchange, expectError, postAs, registerClient } from './support/oauth'
import { createMember, type Visitor } from './support/visitor'

let kiroku: Instance
let mio: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

const minute = 60_000
const day = 86_400_000

/** Does something while the clock is a day ahead, and returns the result. */
async function aDayAhead<T>(act: () => Promise<T>): Promise<T> {
  setClock(kiroku, day)
  mio = await createMember(kiroku, 'mio')
  const result = await act()
  setClock(kiroku, -day)
  await noticed()
  mio = await createMember(kiroku, 'mio')
  return result
}

/** The next request notices; waits for what it writes. */
async function noticed(): Promise<void> {
  await kiroku.ask('/livez')
  await kiroku.deps.write(async () => {})
}

describe('what was created while the clock was ahead expires at the right time after it was set back', () => {
  test('an authorization code after a minute (TK-17)', async () => {
    const client = await registerClient(kiroku)
    const [early, late] = await aDayAhead(async () => [
      await codeFor(kiroku, client),
      await codeFor(kiroku, client),
    ])
    const redeem = (code: string) => postAs(kiroku, '/oauth/token', exchange(client, code))
    kiroku.clock.now += minute - 1
    expect((await redeem(early)).status).toBe(200)
    kiroku.clock.now += 1
    await expectError(await redeem(late), '400 invalid_grant')
  })

  test('the codes of a device after ten, and it does not poll too fast for that (RFC 8628)', async () => {
    const [tv, codes] = await aDayAhead(async () => {
      const client = await registerDevice(kiroku, mio)
      const asked = await codesFor(kiroku, client)
      await poll(kiroku, client, asked)
      return [client, asked] as const
    })
    kiroku.clock.now += 5000
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
    kiroku.clock.now += 10 * minute - 5000
    await expectError(await poll(kiroku, tv, codes), '400 expired_token')
  })

  test('a client secret that was replaced with its overlap (AP-04)', async () => {
    const { id, uid, secret } = await register(kiroku, await createMember(kiroku, 'mio'))
    const path = `/oauth/applications/${id}/rotate`
    const next = await aDayAhead(async () =>
      (await mio.submit(path, { overlap: '1' })).textOf('client_secret'),
    )
    kiroku.clock.now += day - 1
    expect(await isClient(kiroku, uid, secret)).toBe(true)
    kiroku.clock.now += 1
    expect([await isClient(kiroku, uid, secret), await isClient(kiroku, uid, next)]).toEqual([false, true])
  })
})

test('a user who typed a two-step code while the clock was ahead can type one after it was set back', async () => {
  const { key } = await aDayAhead(() => enrolled(kiroku, 'azusa'))
  const member = await createMember(kiroku, 'azusa')
  kiroku.clock.now += 30_000
  const page = await member.submit('/settings/two_step/off', { code: codeOf(key, kiroku.clock.now) })
  expect(page.status).toBe(303)
})

test('a code stays used up when the clock is set back by a few seconds', async () => {
  const { key } = await enrolled(kiroku, 'Ritsu_T')
  const code = codeOf(key, kiroku.clock.now)
  const member = await createMember(kiroku, 'Ritsu_T')
  setClock(kiroku, -30_000)
  await noticed()
  kiroku.clock.now += 30_000
  expect((await member.submit('/settings/two_step/off', { code })).status).toBe(422)
})

test('what cannot be corrected when the clock is set back is corrected with a later request', async () => {
  let isBusy = true
  const write: typeof kiroku.deps.write = (change) =>
    isBusy ? Promise.reject(new StorageFault('busy', 'busy')) : kiroku.deps.write(change)
  const app = createApp({ ...kiroku.deps, write })
  const ask = async () => {
    expect((await app.handle(requestOf('/livez'), '192.0.2.1')).status).toBe(200)
    await kiroku.deps.write(async () => {})
  }
  const { id } = await kiroku.deps.write((tx) =>
    tx
      .insertInto('devices')
      .values({ user_id: 1, device_hash: new Uint8Array(32), last_used_at: kiroku.clock.now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  setClock(kiroku, -day)
  const usedAt = () => kiroku.store.handle.query('select last_used_at from devices where id = ?').values(id)
  await ask()
  expect(usedAt()).toEqual([[kiroku.clock.now + day]])
  isBusy = false
  await ask()
  expect(usedAt()).toEqual([[kiroku.clock.now]])
  const events = kiroku.lines.map(({ event }) => event)
  expect(events).toContain('times_not_clamped')
})

test('a server that starts after the clock was set back has clamped times', async () => {
  using directory = temporaryDirectory()
  await output(directory, ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin'], {
    input: 'correct horse',
  })
  using database = new Database(directory.file('data/kiroku.db'))
  const later = Date.now() + 365 * day
  database.run(`insert into throttles (key, failures, last_failed_at) values ('address:x', 30, ${later})`)
  await using server = await startServer(directory)
  expect((await fetch(`${server.url}/livez`)).status).toBe(200)
  const [[at = 0] = []] = database.query<never, []>('select last_failed_at from throttles').values()
  expect(Number(at)).toBeLessThanOrEqual(Date.now())
})

test('a time in the future is found in each kind of column, and none once all are clamped', async () => {
  const { read, write } = kiroku.deps
  const found = () => hasFutureTimes(read, kiroku.clock.now)
  const later = kiroku.clock.now + day
  const insert = async (statement: string) => {
    kiroku.store.handle.run(statement)
    expect(await found()).toBe(true)
    await write((tx) => clampFutureTimes(tx, kiroku.clock.now))
    expect(await found()).toBe(false)
  }
  await write((tx) => clampFutureTimes(tx, kiroku.clock.now))
  expect(await found()).toBe(false)
  await insert(`insert into throttles (key, failures, last_failed_at) values ('address:y', 1, ${later})`)
  await insert(
    `insert into devices (user_id, device_hash, last_used_at) values (1, randomblob(32), ${later})`,
  )
  await insert(`update second_factors set last_step = ${Math.floor(later / 30_000)}`)
  await insert(`update tokens set created_at = ${later} where id = (select min(id) from tokens)`)
})

test('every column with a time is clamped, or only shown to people', () => {
  const handle = kiroku.store.handle
  const columns = handle
    .query<{ name: string }, []>(
      `select m.name || '.' || c.name as name from sqlite_schema m, pragma_table_info(m.name) c
       where m.type = 'table' and c.name glob '*_at' order by 1`,
    )
    .all()
    .map(({ name }) => name)
  const clamped = new Set([
    ...expiringTables.flatMap((table) => [`${table}.created_at`, `${table}.expires_at`]),
    ...timestampColumns.map((moment) => moment.join('.')),
    'client_secrets.expires_at',
  ])
  expect(columns.filter((name) => !clamped.has(name))).toEqual(onlyShown)
})

// Or only checked for null, as `disabled_at`; `streams` and `programs` belong to the catalogue. The pace of sources
// corrects the times of `source_hosts` itself (test/sources/fetch/pace.test.ts), their schedule that of the next run
// (test/sources/run/schedule.test.ts), and the jobs of src/delivery `next_at` of slots and messages,
// and `digest_at`.
const onlyShown =
  `activities.created_at acts.undone_at applications.created_at applications.updated_at authorization_codes.used_at blocks.created_at
  catalogue_changes.created_at catalogue_proposals.created_at catalogue_proposals.decided_at catalogue_proposals.updated_at catalogue_runs.ended_at catalogue_sources.next_run_at comments.created_at deletions.begun_at deletions.finished_at deliveries.received_at destinations.created_at destinations.last_ok_at favorites.created_at feeds.changed_at feeds.created_at follow_requests.created_at follow_requests.withdrawn_at follows.created_at former_images.created_at hooks.created_at hooks.last_used_at hooks.revoked_at identities.created_at identities.last_used_at images.created_at join_requests.created_at laps.started_at likes.created_at list_imports.applied_at list_imports.created_at
  list_imports.undone_at list_works.added_at lists.created_at lists.updated_at mapping_files.installed_at
  meeting_people.answered_at meeting_people.marked_at meetings.begins_at meetings.cancelled_at meetings.changed_at meetings.created_at meetings.done_at meetings.reminded_at
  moderations.created_at moderations.undone_at mutes.created_at notes.updated_at notifications.began_at notifications.created_at notifications.read_at outgoing.created_at outgoing.ended_at outgoing.next_at own_slots.changed_at own_slots.ended_at own_slots.next_at passkeys.created_at passkeys.last_used_at privacy_moves.began_at program_slots.created_at programs.changed_at programs.started_at records.created_at records.modified_at records.watched_at
  reports.closed_at reports.created_at
  reviews.created_at reviews.modified_at reviews.watched_at second_factors.confirmed_at shares.created_at skips.created_at
  source_hosts.day_began_at source_hosts.free_at source_hosts.hour_began_at source_values.seen_at statuses.changed_at streams.begin_at twin_works.denied_at twin_works.found_at
  users.created_at users.digest_at users.disabled_at users.password_set_at`.split(/\s+/)
