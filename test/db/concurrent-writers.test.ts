import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createUser } from '../../src/accounts/account/user'
import { createToken } from '../../src/accounts/token'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { databasePath, openStore, prepareDirectory } from '../../src/db/open'
import { anyWrite, resolved, type Write } from '../support/any-write'
import { bytesOf, episode, header, textOf, work } from '../support/catalogue-store'
import { checkCounters, type Row, rowsOf } from '../support/counted'
import { openCopy } from '../support/database-copy'
import { output } from '../support/in-process'
import { type Body, cheapPasswords, types } from '../support/instance'
import { run, startServer, temporaryDirectory } from '../support/kiroku'

/** How many clients write at once, each one request after another. */
const connections = 32
const usernames = ['mio', 'ritsu_t', 'azusa']

const numbers = [1, 2, 3, 4, 5, 6, 7]
const others = ['person', 'organization', 'character', 'channel']
const catalogue = [
  ...numbers.map((n) => work(`annict:${n}`)),
  ...numbers.map((n) => episode(`annict:${n}`, `annict:${1 + (n % 4)}`, n)),
  ...others.flatMap((type) => [1, 2, 3].map((n) => ({ type, key: `annict:${n}`, name: `${type} ${n}` }))),
  ...[1, 2, 3].map((n) => ({
    type: 'cast',
    work: `annict:${n}`,
    character: `annict:${n}`,
    person: 'annict:1',
  })),
]

const directory = temporaryDirectory()
const data = directory.file('data')
const tokens = await seed()
const handle = new Database(databasePath(data), { readonly: true })
const server = await startServer(directory, ['--rate-limit', 'off'])
afterAll(async () => {
  handle.close()
  await server[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

/** The users' tokens. */
async function seed(): Promise<string[]> {
  prepareDirectory(data)
  const store = openStore(data, await openCopy(data))
  await importCatalogue(store, bytesOf(textOf(header('annict'), catalogue), 1000), { now: Date.now() })
  const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
  const deps = { ...store, now: Date.now, random, passwordCost: cheapPasswords }
  const made: string[] = []
  for (const username of usernames) {
    const asked = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
    const userId = await createUser(deps, asked)
    made.push((await createToken(deps, { userId, description: 'test', scope: 'read write' })).token)
  }
  await store.close()
  return made
}

/** What imports do to the catalogue in the meantime: rows are hidden, merged, changed, and come back. */
const key = fc.constantFrom(...numbers).map((n) => `annict:${n}`)
const small = fc.constantFrom(1, 2, 3).map((n) => `annict:${n}`)
const change = fc.oneof(
  fc.tuple(fc.constantFrom('work', 'episode'), key).map(([type, key]) => ({ type, key, deleted: true })),
  fc.tuple(fc.constantFrom('work', 'episode'), key, key).map(mergeOf),
  fc.tuple(fc.constantFrom(...others), small).map(([type, key]) => ({ type, key, deleted: true })),
  fc.tuple(fc.constantFrom('person', 'organization', 'character'), small, small).map(mergeOf),
  key.map((key) => work(key, { title: '変わった' })),
  fc.tuple(key, key).map(([name, of]) => episode(name, of, 9)),
)

function mergeOf([type, key, merged_into]: readonly [string, string, string]): object {
  return key === merged_into ? { type, key, deleted: true } : { type, key, merged_into }
}

/** Imports one change after another by the command line; returns how many were accepted. */
async function importAll(changes: readonly object[]): Promise<number> {
  let taken = 0
  for (const row of changes) {
    const input = textOf(header('annict'), [row])
    const { code, stderr } = await run(directory, ['catalogue', 'import', '-'], { input })
    // Merged rows cannot be merged again: bad data, and nothing is changed.
    expect([code, stderr]).toEqual([
      code === 0 ? 0 : 65,
      code === 0 ? '' : expect.stringContaining('problem'),
    ])
    if (code === 0) taken++
  }
  return taken
}

async function send(who: number, method: string, target: string, params?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${tokens[who]}`, 'content-type': types.json }
  return fetch(server.url + target, { method, headers, ...(params && { body: JSON.stringify(params) }) })
}

/** Makes one connection's writes; returns how many succeeded. */
async function writeAll(writes: readonly Write[]): Promise<number> {
  let done = 0
  for (const [who, method, path, params] of writes) {
    const [target, body] = resolved(handle, path, params)
    const response = await send(who, method, target, body)
    expect(response.status).toBeOneOf([200, 204, 400, 404])
    await response.text()
    if (response.ok) done++
  }
  return done
}

const json = async (who: number, target: string): Promise<Body> => (await send(who, 'GET', target)).json()

/** The API's numbers equal those of the tables. */
async function checkAnswers(): Promise<void> {
  const hidden = (table: string) =>
    new Set(rowsOf(handle, table).flatMap((row) => (row.hidden ? [row.id] : [])))
  const [people, characters] = [hidden('people'), hidden('characters')]
  // Casts of hidden rows are not listed (D42).
  const shown = (table: string) =>
    rowsOf(handle, table).filter(
      (row) => !row.hidden && !people.has(row.person_id) && !characters.has(row.character_id),
    ).length
  const lists = [
    'works',
    'episodes',
    'characters',
    'people',
    'organizations',
    'casts',
    'users',
    'records',
    'reviews',
    'activities',
  ]
  for (const list of lists)
    expect([list, (await json(0, `/v1/${list}?per_page=1`)).total_count]).toEqual([list, shown(list)])
  expect((await json(0, '/v1/followers?per_page=1')).total_count).toBe(shown('follows'))
  for (const [who, user] of rowsOf(handle, 'users').entries()) await checkUser(who, user)
}

async function checkUser(who: number, { id, username, not_here }: Row): Promise<void> {
  const count = (table: string, is: (row: Row) => boolean) => rowsOf(handle, table).filter(is).length
  const own = (table: string) => count(table, ({ user_id }) => user_id === id)
  const apart = [
    ...rowsOf(handle, 'mutes').flatMap((row) => (row.user_id === id ? [row.muted_id] : [])),
    ...rowsOf(handle, 'blocks').flatMap((row) => (row.user_id === id ? [row.blocked_id] : [])),
    ...rowsOf(handle, 'blocks').flatMap((row) => (row.blocked_id === id ? [row.user_id] : [])),
  ]
  const unwanted = String(not_here).split(',')
  const isTold = ({ user_id, actor_id, kind }: Row) =>
    user_id === id &&
    !apart.includes(actor_id) &&
    !unwanted.includes(String(kind).replace(/^follow_.*/, 'follow'))
  const totals = {
    [`/v1/records?filter_username=${username}`]: own('records'),
    [`/v1/reviews?filter_username=${username}`]: own('reviews'),
    [`/v1/activities?filter_username=${username}`]: own('activities'),
    [`/v1/followers?filter_username=${username}`]: count('follows', ({ followed_id }) => followed_id === id),
    [`/v1/following?filter_username=${username}`]: count('follows', ({ follower_id }) => follower_id === id),
    '/v1/me/works?': own('statuses'),
    '/v1/me/notifications?': count('notifications', isTold),
  }
  for (const [target, total] of Object.entries(totals))
    expect([target, (await json(who, `${target}&per_page=1`)).total_count]).toEqual([target, total])
  expect(await json(who, '/v1/me')).toMatchObject({
    id,
    records_count: own('records'),
    followers_count: count('follows', ({ followed_id }) => followed_id === id),
    followings_count: count('follows', ({ follower_id }) => follower_id === id),
    watching_count: count('statuses', ({ user_id, kind }) => user_id === id && kind === 'watching'),
    notifications_count: count('notifications', (row) => isTold(row) && row.read_at === null),
  })
}

test(`D40: counters are exact after any writes of ${connections} connections at once, with imports at the same time`, async () => {
  let [done, taken] = [0, 0]
  const programs = fc.array(fc.array(anyWrite, { minLength: 4, maxLength: 12 }), {
    minLength: connections,
    maxLength: connections,
  })
  const changes = fc.array(change, { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(programs, changes, async (all, changed) => {
      const [imported, ...written] = await Promise.all([importAll(changed), ...all.map(writeAll)])
      taken += imported
      done += written.reduce((sum, some) => sum + some, 0)
      checkCounters(handle)
      await checkAnswers()
      expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
    }),
    { numRuns: 5, endOnFailure: true, includeErrorInReport: true },
  )
  expect(done).toBeGreaterThan(200)
  expect(taken).toBeGreaterThan(0)
}, 120_000)
