import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connectIdentity } from '../../../src/accounts/provider/identity'
import {
  comeBack,
  createHousehold,
  type Household,
  problemOf,
  signInWith,
} from '../../support/provider-visits'
import { createVisitor, type Visitor } from '../../support/visitor'

let household: Household
let mio: number

const { kiroku, home } = await (async () => {
  household = await createHousehold()
  return household
})()

const userOf = async (username: string) =>
  (
    await kiroku.deps.read
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

beforeAll(async () => {
  mio = await userOf('mio')
  const person = { issuer: home.issuer, subject: 'sub-mio', name: 'mio' }
  await kiroku.deps.write((tx) => connectIdentity(tx, mio, person, kiroku.clock.now))
})
beforeEach(() => {
  Object.assign(home, { faults: {}, person: { sub: 'sub-mio', preferred_username: 'mio_at_home' } })
  kiroku.lines.length = 0
})
afterAll(() => household.close())

const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)
const session = (visitor: Visitor) => visitor.open('/settings').then(({ status }) => status === 200)

test('an answer is of the browser that left, in time, and once (login CSRF; RFC 9700 §4.7)', async () => {
  const [left, other] = [createVisitor(kiroku), createVisitor(kiroku)]
  const { location } = await left.open('/sign_in/with/home')
  const { pathname, search } = new URL(home.visit(location))
  await other.open('/sign_in')
  const stranger = await other.open(pathname + search)
  expect([stranger.status, problemOf(stranger), await session(other)]).toEqual([400, 'attempt', false])
  const again = await left.open(pathname + search)
  expect([again.status, problemOf(again)]).toEqual([400, 'attempt'])

  const late = await left.open('/sign_in/with/home')
  const lateBack = new URL(home.visit(late.location))
  kiroku.clock.now += 600_000
  expect(problemOf(await left.open(lateBack.pathname + lateBack.search))).toBe('attempt')

  const good = new URL(home.visit((await left.open('/sign_in/with/home')).location))
  kiroku.clock.now += 599_000
  expect((await left.open(good.pathname + good.search)).status).toBe(303)
  const replayed = await left.open(good.pathname + good.search)
  expect([replayed.status, problemOf(replayed)]).toEqual([400, 'attempt'])
  expect(events('provider_refused').map(({ problem, why }) => [problem, why])).toEqual(
    Array(4).fill(['attempt', 'unknown, over, used, or of another browser']),
  )
})

test('two tabs that both leave can both come back, until one has signed in', async () => {
  const visitor = createVisitor(kiroku)
  const [first, second] = [await visitor.open('/sign_in/with/home'), await visitor.open('/sign_in/with/home')]
  expect((await comeBack(household, visitor, second)).status).toBe(303)
  expect(problemOf(await comeBack(household, visitor, first))).toBe('attempt')
  expect(await session(visitor)).toBe(true)
})

test('attempts are bounded: 50 of a network, 2,000 in all, and none is left after ten minutes', async () => {
  const count = async () =>
    (
      await kiroku.deps.read
        .selectFrom('provider_attempts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  for (let n = 0; n < 60; n++)
    await createVisitor(kiroku, { peer: '198.51.100.1' }).open('/sign_in/with/home')
  const ofOne = await kiroku.deps.read
    .selectFrom('provider_attempts')
    .select('id')
    .where('network', '=', '198.51.100.1')
    .execute()
  expect(ofOne.length).toBe(50)
  const rows = Array.from({ length: 2100 }, (_, n) => ({
    ...{
      state_hash: new Uint8Array(32)
        .fill(1)
        .with(0, n % 256)
        .with(1, n >> 8),
      browser_hash: new Uint8Array(32),
    },
    ...{ nonce: '', verifier: '', provider: 'home', purpose: 'sign_in', return_to: '/' },
    ...{ network: `n${n}`, created_at: kiroku.clock.now },
  }))
  await kiroku.deps.write(async (tx) => {
    for (let at = 0; at < rows.length; at += 100)
      await tx
        .insertInto('provider_attempts')
        .values(rows.slice(at, at + 100))
        .execute()
  })
  const visitor = createVisitor(kiroku, { peer: '203.0.113.9' })
  expect((await signInWith(household, visitor)).status).toBe(303)
  await createVisitor(kiroku).open('/sign_in/with/home')
  expect(await count()).toBe(2000)
  kiroku.clock.now += 600_000
  await createVisitor(kiroku).open('/sign_in/with/home')
  expect(await count()).toBe(1)
})
