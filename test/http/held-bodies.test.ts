import { afterAll, afterEach, expect, test } from 'bun:test'
import { listen } from '../../src/cli/server/server'
import { bodiesInFlight, cutOffSlowBodies } from '../../src/http/bodies-in-flight'
import { type Connection, open } from '../support/connection'
import { createInstance, type Instance, types, withToken } from '../support/instance'
import { registerClient } from '../support/oauth'
import { until } from '../support/until'
import { createMember, createVisitor, sameOrigin } from '../support/visitor'

const kiroku: Instance = await createInstance({ config: { trustedProxies: ['127.0.0.1/32'] } })
const server = listen({ host: '127.0.0.1', port: 0 }, kiroku.handle)
const port = server.port ?? 0
const held: Connection[] = []
afterAll(async () => {
  await server.stop(true)
  await kiroku.close()
})

const inUse = () => Object.values(bodiesInFlight()).reduce((sum, bytes) => sum + bytes)

/** Whatever a test has filled is given back when its clients hang up. */
afterEach(async () => {
  await hangUp()
  await until(() => inUse() === 0)
})

const hangUp = async () => {
  await Promise.all(held.splice(0).map((client) => client[Symbol.asyncDispose]()))
}

interface Held {
  readonly from?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly declared?: number
  readonly sent?: string
}

/** Begins a request whose body does not arrive. */
async function hold({
  from = '192.0.2.1',
  path = '/sign_in',
  headers = {},
  ...body
}: Held): Promise<Connection> {
  const { declared = 65_536, sent = 'x' } = body
  const lines = Object.entries({
    host: 'localhost',
    'content-type': types.form,
    'x-forwarded-for': from,
    'content-length': String(declared),
    ...sameOrigin,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const client = await open(port, `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${sent}`)
  held.push(client)
  return client
}

async function holdMany(count: number, make: (nth: number) => Held): Promise<readonly Connection[]> {
  const clients = await Promise.all(Array.from({ length: count }, (_, nth) => hold(make(nth))))
  // What comes later arrives after all of them.
  await fetch(`http://127.0.0.1:${port}/livez`)
  return clients
}

const ask: Instance['ask'] = (target, init = {}, peer = '192.0.2.1') => {
  const headers = new Headers(init.headers)
  headers.set('x-forwarded-for', peer)
  return fetch(`http://127.0.0.1:${port}${target}`, { ...init, headers, redirect: 'manual' })
}

const client = await registerClient(kiroku)
const member = await createMember(kiroku, 'azusa')

/** A stranger signs in and asks for a token; a member sends a form and a picture, and writes by the API. */
async function statusesFrom(peer: string): Promise<readonly number[]> {
  const stranger = createVisitor({ ask }, { peer })
  const asked = {
    grant_type: 'authorization_code',
    code: 'x',
    client_id: client.uid,
    client_secret: client.secret,
  }
  const visitor = createVisitor({ ask }, { peer })
  for (const [name, value] of member.cookies) visitor.cookies.set(name, value)
  const write = withToken(kiroku.token, { method: 'POST', body: new URLSearchParams({ kind: 'watching' }) })
  return [
    (await stranger.signIn(`from ${peer}`, 'wrong password')).status,
    (await ask('/oauth/token', { method: 'POST', body: new URLSearchParams(asked) }, peer)).status,
    (await visitor.submit('/settings/profile', { name: 'Azusa' })).status,
    (await ask('/v1/me/statuses?work_id=1', write, peer)).status,
  ]
}

const allWork = [422, 400, 303, 204]

const answered = async (clients: readonly Connection[], words: string) =>
  Promise.all(clients.map((one) => one.until(words)))

test('a stranger with 258 bodies that do not arrive keeps nobody out, not even others at the same address', async () => {
  const clients = await holdMany(258, () => ({}))
  await answered(clients.slice(0, 258 - 63), 'HTTP/1.1 503')
  await clients[0]?.closed
  expect(bodiesInFlight().strangers).toBeLessThanOrEqual(1024 * 1024)
  expect(await statusesFrom('192.0.2.1')).toEqual(allWork)
  expect(await statusesFrom('192.0.2.2')).toEqual(allWork)
})

test('the addresses of an IPv6 /64 have one share, those of other networks have others', async () => {
  const clients = await holdMany(64, (nth) => ({ from: `2001:db8::${nth}`, declared: 10 }))
  await holdMany(1, () => ({ from: '2001:db8:0:1::1', declared: 10 }))
  await holdMany(1, () => ({ from: '2001:db8::ffff', declared: 10 }))
  await clients[0]?.until('HTTP/1.1 503')
  expect(bodiesInFlight().strangers).toBe(65 * 16 * 1024)
})

test('nor do 600 addresses behind a proxy, which together use no more than 8 MiB', async () => {
  const clients = await holdMany(600, (nth) => ({ from: `198.51.${100 + (nth >> 8)}.${nth & 255}` }))
  await answered(clients.slice(0, 600 - 512), 'HTTP/1.1 503')
  expect(bodiesInFlight().strangers).toBeLessThanOrEqual(8 * 1024 * 1024)
  expect(await statusesFrom('192.0.2.3')).toEqual(allWork)
})

test.each([
  ['writes of the API', { path: '/v1/me/statuses', headers: { authorization: `Bearer ${kiroku.token}` } }],
  [
    'forms',
    {
      path: '/settings/profile',
      headers: { cookie: [...member.cookies].map((one) => one.join('=')).join() },
    },
  ],
])('a member whose %s do not arrive keeps out neither others nor their own', async (_, body) => {
  const clients = await holdMany(500, () => body)
  await answered(clients.slice(0, 500 - 384), 'HTTP/1.1 503')
  expect(await statusesFrom('192.0.2.4')).toEqual(allWork)
})

test('what has arrived is counted, not what was declared', async () => {
  const sent = 'x'.repeat(30_000)
  await holdMany(10, () => ({ sent, declared: 65_536 }))
  const arrived = 10 * (16 * 1024 + 30_000)
  await until(() => bodiesInFlight().strangers >= arrived)
  expect(bodiesInFlight().strangers).toBe(arrived)
})

test('a body that arrives at less than 1 KiB/s is cut off', async () => {
  const small = await hold({ declared: 500 })
  const large = await hold({ declared: 65_536 })
  await until(() => bodiesInFlight().strangers >= 2 * 16 * 1024)
  for (let second = 0; second < 16; second += 1) cutOffSlowBodies()
  for (const one of [small, large]) {
    await one.until('too slowly')
    await one.closed
  }
  expect(inUse()).toBe(0)
})

test('a body that arrives at 2 KB/s is answered', async () => {
  const piece = 'x'.repeat(2000)
  const slow = await hold({ path: '/oauth/token', declared: 60_000, sent: piece })
  for (let second = 1; second < 30; second += 1) {
    await until(() => bodiesInFlight().strangers >= 16 * 1024 + 2000 * second)
    cutOffSlowBodies()
    slow.send(piece)
  }
  await slow.until('HTTP/1.1 400')
  await slow.until('invalid_request')
})

test('a body that hangs up half-way gives back what it used', async () => {
  await holdMany(20, (nth) => ({ declared: nth % 2 === 0 ? 65_536 : 1000 }))
  expect(bodiesInFlight().strangers).toBeGreaterThan(20 * 16 * 1024)
  await hangUp()
  await until(() => inUse() === 0)
})

test('a third list of a user takes the place of the slowest, and slow lists are cut off', async () => {
  const begin = async (username: string) => {
    const token = await kiroku.tokenOf(username, 'write')
    const multipart = {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=edge',
    }
    return hold({ path: '/v1/me/imports', headers: multipart, sent: '--edge\r\n' })
  }
  const MiB = 1024 * 1024
  const clients = [await begin('mio'), await begin('mio')]
  await until(() => bodiesInFlight().uploads >= 2 * MiB)
  clients.push(await begin('mio'))
  await clients[0]?.until('HTTP/1.1 503')
  for (const username of ['azusa', 'azusa', 'Ritsu_T', 'Ritsu_T']) clients.push(await begin(username))
  await until(() => bodiesInFlight().uploads >= 6 * MiB)
  for (let second = 0; second < 16; second += 1) cutOffSlowBodies()
  await clients.at(-1)?.until('too slowly')
  expect(inUse()).toBe(0)
})
