import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { databasePath } from '../../src/db/open'
import { output, run } from '../support/in-process'
import { type Body, idsOf } from '../support/instance'
import { type Directory, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'

const verbs = ['follow', 'unfollow', 'mute', 'unmute'] as const

const tokenOf = async (directory: Directory, username: string) =>
  (
    await output(directory, ['token', 'create', username, '--description', 'shell', '--scope', 'read write'])
  ).trim()

/** How many rows record relations between users. */
function rowsIn(path: string) {
  using database = new Database(databasePath(path), { readonly: true })
  const count = (table: string) => database.query(`select count(*) from ${table}`).values()[0]?.[0]
  return { follows: count('follows'), mutes: count('mutes'), notifications: count('notifications') }
}

/** A running server's response to the owner of a token. */
async function json({ url }: Server, token: string, target: string): Promise<Body> {
  const response = await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${token}` } })
  expect([target, response.status]).toEqual([target, 200])
  return response.json()
}

describe.each(verbs)('kiroku user %s is refused', (verb) => {
  const refused = async (directory: Directory, ...names: string[]) => {
    const { code, stdout, stderr } = await run(directory, ['user', verb, ...names])
    expect(stdout).toBe('')
    return [code, stderr]
  }

  test('without two names, and with three: 64', async () => {
    using directory = temporaryDirectory()
    const see = `; see kiroku help user ${verb}\n`
    expect(await refused(directory)).toEqual([64, `kiroku: USER is missing${see}`])
    expect(await refused(directory, 'mio')).toEqual([64, `kiroku: OTHER is missing${see}`])
    const extra = `kiroku: unexpected argument "yui"${see}`
    expect(await refused(directory, 'mio', 'ritsu', 'yui')).toEqual([64, extra])
  })

  test('for unknown users and for oneself: 65, and nothing is written', async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio', 'ritsu')
    const unknown = 'kiroku: there is no user called "yui"\n'
    expect(await refused(directory, 'mio', 'yui')).toEqual([65, unknown])
    expect(await refused(directory, 'yui', 'mio')).toEqual([65, unknown])
    expect(await refused(directory, 'yui', 'yui')).toEqual([65, unknown])
    const oneself = `kiroku: users cannot ${verb} themselves\n`
    expect(await refused(directory, 'mio', 'mio')).toEqual([65, oneself])
    expect(await refused(directory, 'mio', 'MIO')).toEqual([65, oneself])
    expect(rowsIn(directory.file('data'))).toEqual({ follows: 0, mutes: 0, notifications: 0 })
  })
})

test('doing it twice changes nothing, whatever the case of the names, in the directory that --data names', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio', 'ritsu')
  renameSync(directory.file('data'), directory.file('other'))
  const twice = async (verb: (typeof verbs)[number], said: string) => {
    for (const names of [
      ['mio', 'ritsu'],
      ['MIO', 'Ritsu'],
    ]) {
      const printed = await output(directory, ['user', verb, ...names, '--data', 'other'])
      expect(printed).toBe(`${names.join(` ${said} `)}\n`)
    }
    return rowsIn(directory.file('other'))
  }
  expect(await twice('unfollow', 'does not follow')).toEqual({ follows: 0, mutes: 0, notifications: 0 })
  expect(await twice('unmute', 'does not mute')).toEqual({ follows: 0, mutes: 0, notifications: 0 })
  expect(await twice('follow', 'follows')).toEqual({ follows: 1, mutes: 0, notifications: 1 })
  expect(await twice('mute', 'mutes')).toEqual({ follows: 1, mutes: 1, notifications: 1 })
  expect(await twice('unmute', 'does not mute')).toMatchObject({ follows: 1, mutes: 0 })
  expect(await twice('unfollow', 'does not follow')).toMatchObject({ follows: 0, mutes: 0 })
}, 60_000)

test('a running server sees each change at once', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio', 'ritsu')
  await output(directory, ['catalogue', 'import', '-'], { input: oneWork })
  await using server = await startServer(directory)
  const mio = await tokenOf(directory, 'mio')
  await watch(server, await tokenOf(directory, 'ritsu'))
  const seen = async () => ({
    following: idsOf(await json(server, mio, '/v1/following?filter_username=mio')),
    followers: idsOf(await json(server, mio, '/v1/followers?filter_username=ritsu')),
    unmuted: (await json(server, mio, `${feed}?filter_muted=true`)).total_count,
    all: (await json(server, mio, `${feed}?filter_muted=false`)).total_count,
  })
  const after = async (verb: (typeof verbs)[number]) => {
    await output(directory, ['user', verb, 'mio', 'ritsu'])
    return await seen()
  }
  const followed = { following: [2], followers: [1], unmuted: 1, all: 1 }
  const apart = { following: [], followers: [], unmuted: 0, all: 0 }
  expect(await seen()).toEqual(apart)
  expect(await after('follow')).toEqual(followed)
  expect(await after('mute')).toEqual({ ...followed, unmuted: 0 })
  expect(await after('mute')).toEqual({ ...followed, unmuted: 0 })
  expect(await after('unmute')).toEqual(followed)
  expect(await after('unfollow')).toEqual(apart)
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 60_000)

test('help lists them among the user commands', async () => {
  using directory = temporaryDirectory()
  const text = await output(directory, ['help', 'user'])
  for (const verb of verbs) expect(text).toContain(`\n  user ${verb} `)
  expect(await output(directory, ['help', 'user', 'mute'])).toContain('user mute USER OTHER')
})

const feed = '/v1/me/following_activities'

const oneWork = [
  { type: 'catalogue', version: 1, name: 'mine', mode: 'upsert' },
  { type: 'work', key: 'mine:1', title: '一作目', media: 'tv' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

/** Creates an activity of the token's owner. */
async function watch(server: Server, token: string): Promise<void> {
  const [id] = idsOf(await json(server, token, '/v1/works'))
  const response = await fetch(`${server.url}/v1/me/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ work_id: id, kind: 'watching' }),
  })
  expect(response.status).toBe(204)
}
