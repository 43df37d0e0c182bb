import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { beginAttempt, takeBackAttempt } from '../../../src/accounts/sign-in/throttle'
import { addressThrottle, nameThrottle } from '../../../src/accounts/sign-in/throttle-kinds'
import { migrate } from '../../../src/db/migrate'
import { openHandle, openStore } from '../../../src/db/open'
import { createInstance, type Instance } from '../../support/instance'
import { temporaryDirectory } from '../../support/kiroku'
import { createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
const password = 'correct horse battery'
const makeNodoka = () =>
  createUser(kiroku.deps, { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false })

beforeEach(async () => {
  kiroku = await createInstance()
})
afterEach(() => kiroku.close())

/** The status of a sign-in, and after how many seconds to try again. */
async function attempt(
  name: string,
  peer: string,
  typed = 'wrong password',
): Promise<[number, string | null]> {
  const page = await createVisitor(kiroku, { peer }).signIn(name, typed)
  return [page.status, page.headers.get('retry-after')]
}

/** A new address each time. */
let used = 0
const elsewhere = () => `198.51.${(used >> 8) + 1}.${used++ & 255}`

describe('failed sign-ins for one account (§2.1, D53)', () => {
  test('wait longer and longer, up to a quarter of an hour, and never lock the owner out', async () => {
    await makeNodoka()
    const seconds = (value: string | null) => Number(value)
    for (let count = 0; count < 5; count++) expect(await attempt('mio', elsewhere())).toEqual([422, null])
    const waits: number[] = []
    for (let count = 0; count < 12; count++) {
      const [status, wait] = await attempt('MIO', elsewhere())
      expect(status).toBe(429)
      waits.push(seconds(wait))
      kiroku.clock.now += seconds(wait) * 1000 - 1
      expect((await attempt('mio', elsewhere()))[0]).toBe(429)
      kiroku.clock.now += 1
      expect((await attempt(' Ｍio', elsewhere()))[0]).toBe(422)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    expect(await attempt('nodoka', elsewhere(), password)).toEqual([303, null])
    kiroku.clock.now += 86_400_001
    await attempt('ritsu_t', elsewhere())
    expect(await attempt('mio', elsewhere())).toEqual([422, null])
  })

  test('do not get through together when sent at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => attempt('mio', elsewhere())))
    expect(all.filter(([status]) => status === 422)).toHaveLength(5)
    expect(all.filter(([status]) => status === 429)).toHaveLength(15)
  })

  test('do not slow down a browser that the owner has signed in with; other browsers do not help', async () => {
    await makeNodoka()
    const owner = createVisitor(kiroku, { peer: '203.0.113.1' })
    expect((await owner.signIn('nodoka', password)).status).toBe(303)
    for (let count = 0; count < 5; count++)
      await kiroku.deps.write((tx) => beginAttempt(tx, [nameThrottle('nodoka')], kiroku.clock.now))
    expect((await attempt('nodoka', '203.0.113.1', password))[0]).toBe(429)
    for (let count = 0; count < 5; count++) await attempt('mio', elsewhere())
    const signIn = (visitor: Visitor, name: string, typed: string) => visitor.signIn(name, typed)
    expect((await signIn(owner, 'mio', 'wrong password')).status).toBe(429)
    expect((await signIn(owner, 'nodoka', 'wrong password')).status).toBe(422)
    expect((await signIn(owner, 'nodoka', password)).status).toBe(303)
    kiroku.clock.now += 1000
    expect((await attempt('nodoka', elsewhere(), password))[0]).toBe(303)
  })

  test('on a known browser wait just as long, with a separate allowance that a sign-in restores', async () => {
    await makeNodoka()
    const owner = createVisitor(kiroku, { peer: '203.0.113.1' })
    const other = createVisitor(kiroku, { peer: '203.0.113.2' })
    for (const visitor of [owner, other]) expect((await visitor.signIn('nodoka', password)).status).toBe(303)
    const guess = async (visitor: Visitor) => {
      const page = await visitor.signIn('nodoka', 'wrong password')
      return [page.status, page.headers.get('retry-after')]
    }
    for (let count = 0; count < 5; count++) expect(await guess(owner)).toEqual([422, null])
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await guess(owner)).toEqual([429, String(wait)])
      kiroku.clock.now += wait * 1000
      expect(await guess(owner)).toEqual([422, null])
    }
    // Nobody else has to wait for that, and the others' allowance is kept.
    expect(await guess(other)).toEqual([422, null])
    expect(await attempt('nodoka', elsewhere())).toEqual([422, null])
    kiroku.clock.now += 900_000
    expect((await owner.signIn('nodoka', password)).status).toBe(303)
    for (let count = 0; count < 5; count++) expect(await guess(owner)).toEqual([422, null])
    expect(await guess(owner)).toEqual([429, '1'])
  }, 60_000)

  test('are forgotten one by one, one an hour', async () => {
    const begin = async (at: number) =>
      (await kiroku.deps.write((tx) => beginAttempt(tx, [nameThrottle('3')], at))).wait
    const hour = 3_600_000
    for (let count = 0; count < 5; count++) expect(await begin(0)).toBe(0)
    expect(await begin(hour - 1)).toBe(0)
    expect(await begin(hour)).toBe(1999)
    for (let count = 0; count < 2; count++) expect(await begin(hour * 4)).toBe(0)
    expect(await begin(hour * 4)).toBe(1000)
  })

  test('never wait longer than the longest wait, even if the last one lies in the future', async () => {
    const begin = async (at: number) =>
      (await kiroku.deps.write((tx) => beginAttempt(tx, [nameThrottle('4')], at))).wait
    for (let count = 0; count < 20; count++) await begin(86_400_000 + count * 900_000)
    expect(await begin(0)).toBe(900_000)
  })

  test('are still counted after a restart', async () => {
    using directory = temporaryDirectory()
    const first = openHandle(directory.path)
    await migrate(first)
    const store = openStore(directory.path, first)
    for (let count = 0; count < 7; count++)
      await store.write((tx) => beginAttempt(tx, [nameThrottle('1')], count * 1_000_000))
    await store.close()
    const again = openStore(directory.path, openHandle(directory.path))
    const waitOf = async (account: string) =>
      (await again.write((tx) => beginAttempt(tx, [nameThrottle(account)], 6_000_001))).wait
    expect([await waitOf('1'), await waitOf('2')]).toEqual([3999, 0])
    await again.close()
  })
})

describe('the form of somebody who has to wait', () => {
  test('says for how long in both languages, with the right plural', async () => {
    const said = async (language: string) => {
      const page = await createVisitor(kiroku, { peer: elsewhere(), language }).signIn(
        'mio',
        'wrong password',
      )
      return page.text
    }
    for (let count = 0; count < 5; count++) await attempt('mio', elsewhere())
    expect(await said('en')).toContain('Try again in 1 second.')
    expect(await said('ja')).toContain('1秒後にもう一度')
    kiroku.clock.now += 1000
    await attempt('mio', elsewhere())
    expect(await said('en')).toContain('Try again in 2 seconds.')
  })
})

describe('failed sign-ins from one address (§2.1)', () => {
  const names = ['mio', 'ritsu_t', 'azusa', 'yui']

  test('are counted across all accounts, and per IPv6 /64', async () => {
    for (let count = 0; count < 20; count++)
      expect((await attempt(names[count % 4] ?? '', `2001:db8::${count}`))[0]).toBe(422)
    expect(await attempt('name_x', '2001:db8::ffff')).toEqual([429, '1'])
    expect((await attempt('name_x', '2001:db8:0:1::1'))[0]).toBe(422)
  })

  test('are not cleared by signing in to one’s own account', async () => {
    await makeNodoka()
    for (let count = 0; count < 19; count++) await attempt(names[count % 4] ?? '', '203.0.113.7')
    expect((await attempt('nodoka', '203.0.113.7', password))[0]).toBe(303)
    expect((await attempt('name_a', '203.0.113.7'))[0]).toBe(422)
    expect((await attempt('name_b', '203.0.113.7'))[0]).toBe(429)
  })

  test('wait at most a minute, and one is forgotten each minute', async () => {
    const from = [addressThrottle('203.0.113.8')]
    const begin = async () => (await kiroku.deps.write((tx) => beginAttempt(tx, from, kiroku.clock.now))).wait
    const waits: number[] = []
    for (let count = 0; count < 20; count++) expect(await begin()).toBe(0)
    for (let count = 0; count < 9; count++) {
      waits.push((await begin()) / 1000)
      kiroku.clock.now += (await begin()) - 1
      expect(await begin()).toBe(1)
      kiroku.clock.now += 1
      expect(await begin()).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    // Ten of the 26 counted ones are forgotten, so four are allowed again.
    kiroku.clock.now += 10 * 60_000
    for (let count = 0; count < 4; count++) expect(await begin()).toBe(0)
    expect(await begin()).toBe(1000)
  })

  test('a right password after 25 failures of others from the same address does not make anybody wait longer', async () => {
    await makeNodoka()
    const from = [addressThrottle('203.0.113.9')]
    const left = async () => {
      const row = await kiroku.deps.read.selectFrom('throttles').selectAll().execute()
      return row.filter(({ key }) => key === 'address:203.0.113.9')
    }
    for (let count = 0; count < 25; count++) {
      await kiroku.deps.write((tx) => beginAttempt(tx, from, kiroku.clock.now))
      kiroku.clock.now += count < 19 ? 0 : 60_000 - 1
    }
    const before = await left()
    expect(before).toMatchObject([{ failures: 25 }])
    for (let count = 0; count < 4; count++)
      expect(await attempt('nodoka', '203.0.113.9', password)).toEqual([303, null])
    expect(await left()).toEqual(before)
    // Guesses in between still have to wait.
    expect((await attempt('name_c', '203.0.113.9'))[0]).toBe(422)
    expect((await attempt('nodoka', '203.0.113.9', password))[0]).toBe(429)
  })

  test('a failure during the check of a right password stays counted, from the time it failed', async () => {
    const from = [addressThrottle('203.0.113.10')]
    const begin = (at: number) => kiroku.deps.write((tx) => beginAttempt(tx, from, at))
    for (let count = 0; count < 19; count++) await begin(0)
    const right = await begin(10)
    expect((await begin(1010)).wait).toBe(0)
    await kiroku.deps.write((tx) => takeBackAttempt(tx, right))
    expect((await begin(1011)).wait).toBe(999)
  })
})
