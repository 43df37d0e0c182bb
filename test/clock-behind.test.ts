import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { startSession } from '../src/accounts/sign-in/session'
import { createApp } from '../src/app'
import { waitForClock } from '../src/cli/server/clock-at-start'
import { WallClock } from '../src/db/health/wall-clock'
import { exitCodes } from '../src/lib/failure'
import { output } from './support/in-process'
import { createInstance, requestOf } from './support/instance'
import { type Directory, freePort, spawn, startServer, temporaryDirectory } from './support/kiroku'
import { until } from './support/until'
import { createMember } from './support/visitor'

const day = 86_400_000
const hour = 3_600_000

describe('a clock, judged by the last commit', () => {
  const last = Date.UTC(2026, 10, 1)
  const clockAt = (offset: number) => {
    const times = { now: last + offset, steady: 0 }
    const clock = new WallClock(
      last,
      () => times.now,
      () => times.steady,
    )
    return { times, clock }
  }

  test('is behind from a day on', () => {
    expect(clockAt(-day).clock.behind()).toBeUndefined()
    expect(clockAt(-day - 1).clock.behind()).toBe(last)
    expect(new WallClock(undefined, () => 0).behind()).toBeUndefined()
  })

  test('deletes nothing for its age in the first hour that it is a day ahead', () => {
    const { times, clock } = clockAt(400 * day)
    expect(clock.believed()).toBe(last)
    expect(clock.committedAt()).toBe(last)
    times.steady += hour - 1
    expect(clock.believed()).toBe(last)
    times.steady += 1
    expect(clock.believed()).toBe(times.now)
    expect(clock.committedAt()).toBe(times.now)
  })

  test('that was ahead for less than an hour is not behind once it is right', () => {
    const { times, clock } = clockAt(400 * day)
    clock.committedAt()
    times.now = last + 60_000
    expect(clock.behind()).toBeUndefined()
    expect(clock.believed()).toBe(times.now)
  })

  test('that is set back by hours does not take the time of the last commit back', () => {
    const { times, clock } = clockAt(0)
    times.now -= 23 * hour
    expect(clock.committedAt()).toBe(last)
    times.now -= hour + 1
    expect(clock.behind()).toBe(last)
  })
})

test('a server does not wait for ever for its clock: it ends with 75, and says what to do', async () => {
  const behind = { behind: () => Date.UTC(2026, 10, 1) }
  const place = { host: '127.0.0.1', port: 0, data: 'data' }
  const events: string[] = []
  const waiting = waitForClock(behind, place, (event) => void events.push(event), { patienceMs: 0 })
  const cause = await waiting.catch((cause: unknown) => cause)
  expect(cause).toMatchObject({ exitCode: exitCodes.busy })
  expect(String(cause)).toContain('the last write was at 2026-11-01T00:00:00.000Z. Set the clock.')
  expect(String(cause)).toEndWith('kiroku doctor --accept-database --data data')
  expect(events).toEqual(['clock_behind'])
})

test('a server whose clock is set far back answers 503 and rewrites nothing until it is right again', async () => {
  const kiroku = await createInstance()
  let last: number | undefined
  const wallClock = { behind: () => last, believed: kiroku.deps.now }
  const app = createApp({ ...kiroku.deps, wallClock })
  const ask = async (path: string) => {
    const { status } = await app.handle(requestOf(path), '192.0.2.1')
    await kiroku.deps.write(async () => {})
    return status
  }
  const now = kiroku.clock.now
  kiroku.store.handle.run(
    `insert into devices (user_id, device_hash, last_used_at) values (1, randomblob(32), ${now})`,
  )
  const usedAt = () => kiroku.store.handle.query('select last_used_at from devices').values()
  expect(await ask('/v1/works')).toBe(401)
  kiroku.clock.now -= 400 * day
  kiroku.clock.setBy -= 400 * day
  last = now
  expect([await ask('/v1/works'), await ask('/'), await ask('/livez')]).toEqual([503, 503, 200])
  const readiness = await app.handle(requestOf('/readyz'), '192.0.2.1')
  expect(await readiness.json()).toMatchObject({ status: 'unavailable', problems: ['clock'] })
  kiroku.clock.now += 400 * day
  kiroku.clock.setBy += 400 * day
  last = undefined
  expect(await ask('/v1/works')).toBe(401)
  expect(usedAt()).toEqual([[now]])
  expect(kiroku.lines.map(({ event }) => event)).toContain('clock_behind')
  await kiroku.close()
})

test('who signs in while the clock may be ahead ends none of their other sessions', async () => {
  const kiroku = await createInstance()
  const visitor = await createMember(kiroku, 'mio')
  const believed = kiroku.clock.now
  kiroku.clock.now += 400 * day
  const session = { userId: 1, cookie: '', browser: { userAgent: '', address: '' }, at: kiroku.clock.now }
  const sessions = () => kiroku.store.handle.query('select count(*) from sessions').values()
  await kiroku.deps.write((tx) => startSession(tx, { ...session, cookie: 'a', believed }))
  expect(sessions()).toEqual([[2]])
  kiroku.clock.now = believed
  expect((await visitor.open('/settings')).status).toBe(200)
  kiroku.clock.now += 400 * day
  await kiroku.deps.write((tx) => startSession(tx, { ...session, cookie: 'b', believed: kiroku.clock.now }))
  expect(sessions()).toEqual([[2]])
  await kiroku.close()
})

const [library] = [...new Bun.Glob('/usr/lib/*/faketime/libfaketimeMT.so.1').scanSync('/')]

describe.skipIf(library === undefined)('a server that starts with a wrong clock', () => {
  let directory: Directory
  let token: string
  beforeEach(async () => {
    directory = temporaryDirectory()
    await output(directory, ['user', 'create', 'mio', '--email', 'm@example.com', '--password-stdin'], {
      input: 'correct horse',
    })
    const words = ['token', 'create', 'mio', '--description', 'x', '--scope', 'read', '--expires-in', '30d']
    token = (await output(directory, words)).trim()
    setClock('+0')
    await use(200)
    using database = new Database(directory.file('data/kiroku.db'))
    database.run(`insert into sessions (user_id, session_hash, user_agent, address, created_at, last_used_at, confirmed_at)
      values (1, randomblob(32), '', '', ${Date.now()}, ${Date.now()}, ${Date.now()})`)
  })
  afterEach(() => directory[Symbol.dispose]())

  const setClock = (offset: string) => writeFileSync(directory.file('clock'), offset)
  /** Timers keep the real clock, as the monotonic one of a machine does. */
  const faked = () => ({
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_TIMESTAMP_FILE: directory.file('clock'),
      FAKETIME_NO_CACHE: '1',
      TZ: 'UTC',
    },
  })

  const statusAt = async (url: string, path: string) =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status

  /** Starts a server, uses the token and stops it. */
  async function use(expected: number): Promise<void> {
    await using server = await startServer(directory, [], faked())
    expect(await statusAt(server.url, '/v1/me')).toBe(expected)
    await server.end('SIGTERM')
  }

  const rows = () => {
    using database = new Database(directory.file('data/kiroku.db'))
    return [
      database.query('select created_at, expires_at from tokens').values(),
      database.query('select created_at, last_used_at from sessions').values(),
    ]
  }

  test('400 days behind waits with 503 until the clock is set, and no token has ended', async () => {
    const before = rows()
    const port = freePort()
    setClock('-400d')
    const child = spawn(directory, ['serve', '--port', `${port}`, '--no-catalogue'], faked())
    const url = `http://127.0.0.1:${port}`
    const readyz = () => fetch(`${url}/readyz`).catch(() => undefined)
    await until(async () => (await readyz()) !== undefined)
    const answer = await readyz()
    expect([answer?.status, await answer?.json()]).toEqual([
      503,
      expect.objectContaining({ problems: ['clock'] }),
    ])
    expect(await statusAt(url, '/v1/me')).toBe(503)
    setClock('+0')
    await until(async () => (await readyz())?.status === 200)
    expect(await statusAt(url, '/v1/me')).toBe(200)
    child.kill()
    await child.exited
    expect(await child.stderr.text()).toMatch(/clock_behind.*the last write was at/)
    expect(rows()).toEqual(before)
    await use(200)
  }, 60_000)

  test('400 days ahead ends nothing for good: once the clock is right, the token is valid again', async () => {
    setClock('+400d')
    await use(401)
    setClock('+60')
    await use(200)
  }, 60_000)
})
