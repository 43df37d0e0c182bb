import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rememberDevice } from '../../../src/accounts/sign-in/device'
import { startSession } from '../../../src/accounts/sign-in/session'
import { createToken } from '../../../src/accounts/token'
import type { DB } from '../../../src/db/schema'
import { createSecret } from '../../../src/lib/secret'
import { registerApplication } from '../../../src/oauth/clients/registration'
import { createInstance, type Instance } from '../../support/instance'
import { createMember } from '../../support/visitor'

let kiroku: Instance
const mio = 1

beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

const times = async (n: number, make: (at: number) => Promise<unknown>) => {
  for (let at = 0; at < n; at += 1) await make(at)
}

const count = (table: keyof DB & ('sessions' | 'devices')) =>
  kiroku.deps.read.selectFrom(table).select('id').where('user_id', '=', mio).execute()

test('of more than a hundred sessions of a user, the one unused for the longest time ends', async () => {
  const first = await createMember(kiroku, 'mio')
  kiroku.clock.now += 1
  const second = await createMember(kiroku, 'mio')
  await times(99, async () => {
    kiroku.clock.now += 1
    await createMember(kiroku, 'mio')
  })
  expect((await first.open('/settings')).status).toBe(303)
  expect((await second.open('/settings')).status).toBe(200)
  expect(await count('sessions')).toHaveLength(100)
})

test('half-finished sign-ins that still need a code never end a session, however many there are', async () => {
  const visitor = await createMember(kiroku, 'mio')
  const { now: at } = kiroku.clock
  const half = {
    userId: mio,
    browser: { userAgent: '', address: '' },
    at: at + 1,
    believed: at,
    awaitsFactor: true,
  }
  await kiroku.deps.write((tx) =>
    times(101, () => startSession(tx, { ...half, cookie: createSecret('se', kiroku.deps.random) })),
  )
  expect((await visitor.open('/settings')).status).toBe(200)
  expect(await count('sessions')).toHaveLength(200)
})

test('up to a hundred browsers of a user are remembered', async () => {
  await kiroku.deps.write((tx) =>
    times(101, (at) =>
      rememberDevice(tx, { userId: mio, device: `${at}`, before: '', at: at + 1, believed: 0 }),
    ),
  )
  expect(await count('devices')).toHaveLength(100)
})

test('a user can have 500 personal access tokens, and is told about the limit', async () => {
  const asked = { userId: mio, description: 'one of many', scope: 'read' } as const
  // Every instance begins with one token.
  await times(499, () => createToken(kiroku.deps, asked))
  await expect(createToken(kiroku.deps, asked)).rejects.toThrow('at most 500 tokens')
  const visitor = await createMember(kiroku, 'mio')
  const page = await visitor.submit('/settings/tokens', { description: 'one more' })
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('revoke some first')])
})

test('a user can have 500 applications, and is told about the limit', async () => {
  const deps = { ...kiroku.deps, baseUrl: kiroku.deps.config.baseUrl }
  const said = { name: 'One of many', redirectUris: 'https://example.com/', scope: 'read' } as const
  const asked = { ...said, hasDeviceGrant: false, sendsIss: false, isConfidential: false, ownerId: mio }
  await times(500, () => registerApplication(deps, asked))
  await expect(registerApplication(deps, asked)).rejects.toThrow('at most 500 applications')
  const visitor = await createMember(kiroku, 'mio')
  const values = { name: 'One more', redirect_uri: 'https://example.com/', scopes: 'read' }
  const page = await visitor.submit('/oauth/applications/new', values)
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('delete some first')])
})
