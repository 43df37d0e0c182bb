import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { databasePath } from '../../src/db/open'
import { hundredWorks } from '../support/catalogue-store'
import { fillWithDefaultCatalogue, isBuilt, withPack } from '../support/default-catalogue'
import { contentsOf } from '../support/demo-instance'
import { output, run } from '../support/in-process'
import type { Body } from '../support/instance'
import {
  type Directory,
  output as outputOfExecutable,
  spawn,
  startServer,
  temporaryDirectory,
} from '../support/kiroku'

const see = '; see kiroku help demo\n'

/** Refused before anything is touched. */
const refusals = {
  'no number of users': [['--records', '5'], `--users is missing${see}`],
  'no number of records': [['--users', '5'], `--records is missing${see}`],
  'too many users': [
    ['--users', '100001', '--records', '5'],
    '--users must be a whole number from 0 to 100,000, not "100001"\n',
  ],
  'half a record': [
    ['--users', '5', '--records', '1.5'],
    '--records must be a whole number from 0 to 10,000,000, not "1.5"\n',
  ],
  'a negative seed': [
    ['--users', '5', '--records', '5', '--seed=-1'],
    '--seed must be a whole number from 0 to 4,294,967,295, not "-1"\n',
  ],
  'records of nobody': [
    ['--users', '0', '--records', '5'],
    `--users must be above 0 where --records is: somebody has to write them${see}`,
  ],
  'a day that is none': [
    ['--users', '5', '--records', '5', '--until', '2024-02-30'],
    '--until must be a date such as 2026-04-01, not "2024-02-30"\n',
  ],
  'a day to come': [
    ['--users', '5', '--records', '5', '--until', '2999-01-01'],
    `--until must not be in the future${see}`,
  ],
} as const

describe('kiroku demo is refused', () => {
  test.each(Object.entries(refusals))('for %s: 64', async (_, [args, problem]) => {
    using directory = temporaryDirectory()
    const { code, stdout, stderr } = await run(directory, ['demo', ...args])
    expect([code, stdout, stderr]).toEqual([64, '', `kiroku: ${problem}`])
    expect(await Bun.file(databasePath(directory.file('data'))).exists()).toBe(false)
  })

  test('if there is a user: 65, unless forced', async () => {
    using directory = temporaryDirectory()
    await withCatalogue(directory)
    const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
    await output(directory, user, { input: 'correct horse\n' })
    const before = hashes(directory)
    const asked = ['demo', '--users', '20', '--records', '100']
    const { code, stdout, stderr } = await run(directory, asked)
    const problem = 'kiroku: the instance already has users, such as mio; use --force to add to them\n'
    expect([code, stdout, stderr]).toEqual([65, '', problem])
    expect(hashes(directory)).toEqual(before)
    await output(directory, [...asked, '--force'])
    expect(await output(directory, ['user', 'list'])).toContain('mio@example.com')
  })

  test('if another process is writing: 75', async () => {
    using directory = temporaryDirectory()
    await withCatalogue(directory)
    using other = new Database(databasePath(directory.file('data')))
    other.run('begin immediate')
    const { code, stderr } = await run(directory, ['demo', '--users', '20', '--records', '100'])
    expect(code).toBe(75)
    expect(stderr).toStartWith('kiroku: another process keeps the database locked; try again')
  })
})

test('D56 an empty directory gets the default catalogue first', async () => {
  using directory = temporaryDirectory()
  // A smaller catalogue: loading all of it takes seconds.
  using _ = withPack(hundredWorks())
  expect(await output(directory, ['demo', '--users', '20', '--records', '300'])).toMatch(/ {2}records +300\n/)
  const status = JSON.parse(await output(directory, ['catalogue', 'status', '--json']))
  expect(status).toMatchObject({ defaultCatalogue: 'current', rows: { work: { shown: 100 } } })
  expect(await output(directory, ['check'])).toBe('ok\n')
})

test.skipIf(!isBuilt)(
  'D56 the default catalogue gets a community, which a token can read',
  async () => {
    using directory = temporaryDirectory()
    await fillWithDefaultCatalogue(directory)
    const args = ['demo', '--users', '100', '--records', '2000', '--seed', '3']
    const said = await outputOfExecutable(directory, args)
    expect(said).toMatch(/^made in [\d.]+ s:\n {2}users +100\n {2}records +2,000\n {2}reviews +\d+\n/)
    expect(await output(directory, ['check'])).toBe('ok\n')
    const [, username = ''] = /kiroku token create (\w+) --description demo > token\n/.exec(said) ?? []
    const token = await output(directory, ['token', 'create', username, '--description', 'demo'])
    await using server = await startServer(directory, ['--rate-limit', 'off'], { catalogue: true })
    const json = async (target: string) => {
      const response = await fetch(`${server.url}${target}`, {
        headers: { authorization: `Bearer ${token.trim()}` },
      })
      expect([target, response.status]).toEqual([target, 200])
      return response.json() as Body
    }
    expect(await json('/v1/records?per_page=1&sort_likes_count=desc')).toMatchObject({
      total_count: sharedRecords(directory),
    })
    // A third is private (D75).
    expect(await json('/v1/users?per_page=1')).toMatchObject({ total_count: 67 })
    const [first] = (await json('/v1/me/following_activities?per_page=1&sort_id=desc')).activities
    expect(first.user.username).not.toBe(username)
    const paths: Record<string, { get?: object }> = (await json('/openapi.json')).paths
    const lists = Object.keys(paths).filter(
      (path) => path.startsWith('/v1/') && paths[path]?.get !== undefined && path !== '/v1/comments',
    )
    expect(lists.length).toBeGreaterThan(15)
    for (const path of lists) if (!path.includes('{')) await json(path)
  },
  120_000,
)

test('a running server shows what was created', async () => {
  using directory = temporaryDirectory()
  await withCatalogue(directory)
  await using server = await startServer(directory)
  const said = await output(directory, ['demo', '--users', '20', '--records', '300'])
  const [, username = ''] = /kiroku token create (\w+)/.exec(said) ?? []
  const token = await output(directory, [
    'token',
    'create',
    username,
    '--description',
    'demo',
    '--scope',
    'read write',
  ])
  const headers = { authorization: `Bearer ${token.trim()}` }
  const records = await fetch(`${server.url}/v1/records?per_page=1`, { headers })
  const shared = sharedRecords(directory)
  expect(await records.json()).toMatchObject({ total_count: shared })
  expect(shared).toBeGreaterThan(100)
  expect(shared).toBeLessThan(300)
  const status = {
    method: 'POST',
    headers,
    body: new URLSearchParams({ work_id: '10000001', kind: 'on_hold' }),
  }
  expect((await fetch(`${server.url}/v1/me/statuses`, status)).status).toBe(204)
  expect(await output(directory, ['check'])).toBe('ok\n')
})

test('killed in the middle, it has changed nothing', async () => {
  using directory = temporaryDirectory()
  await withCatalogue(directory)
  const before = hashes(directory)
  const child = spawn(directory, ['demo', '--users', '500', '--records', '100000'])
  // The log grows once more was written than fits in memory: long after the start, long before the end.
  const log = `${databasePath(directory.file('data'))}-wal`
  const ended = new AbortController()
  child.exited.then(() => ended.abort())
  for await (const _ of watch(directory.file('data'), { signal: ended.signal })) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000) break
  }
  child.kill('SIGKILL')
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  expect(hashes(directory)).toEqual(before)
  expect(await output(directory, ['check'])).toBe('ok\n')
  await output(directory, ['demo', '--users', '5', '--records', '50'])
}, 240_000)

const withCatalogue = (directory: Directory) =>
  output(directory, ['catalogue', 'import', '-'], { input: hundredWorks() })

/** By those whose profile is not private (D73). */
function sharedRecords(directory: Directory): number {
  using handle = new Database(databasePath(directory.file('data')), { readonly: true })
  const others = "select 1 from records join users on users.id = user_id where privacy <> 'private'"
  return handle.query(others).all().length
}

function hashes(directory: Directory) {
  using handle = new Database(databasePath(directory.file('data')))
  return contentsOf(handle)
}
