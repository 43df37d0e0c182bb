import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { KyselyPlugin } from 'kysely'
import { beginDeletion } from '../../../src/accounts/account/deletion'
import { createUser } from '../../../src/accounts/account/user'
import { takeLetter } from '../../../src/accounts/sign-in/letter-quota'
import { beginAttempt, mostKeys } from '../../../src/accounts/sign-in/throttle'
import {
  addressThrottle,
  browserThrottle,
  codeAddressThrottle,
  codeUserThrottle,
  factorThrottle,
  mailThrottle,
  nameThrottle,
  signUpThrottle,
} from '../../../src/accounts/sign-in/throttle-kinds'
import { createApp } from '../../../src/app'
import { createInstance, type Instance, requestOf } from '../../support/instance'
import { createVisitor, type Page } from '../../support/visitor'

let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance()
})
afterEach(() => kiroku.close())

/** A new address each time. */
let used = 0
const elsewhere = () => `198.51.${(used >> 8) + 1}.${used++ & 255}`

/** Everything in a response that could reveal a difference. */
const seen = ({ status, headers, text }: Page) => ({
  status,
  wait: headers.get('retry-after'),
  cookies: headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '')),
  // The typed text, the CSRF token and the challenge for passkeys differ.
  text: text.replaceAll(/value="[^"]*"|&#34;challenge&#34;:&#34;[^&]*/g, ''),
})

const attempt = async (name: string, typed = 'wrong password') =>
  seen(await createVisitor(kiroku, { peer: elsewhere() }).signIn(name, typed))

/** Tries wrong passwords, waiting as long as requested. */
async function guess(name: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const { wait } = await attempt(name)
    kiroku.clock.now += Number(wait ?? 0) * 1000
    if (wait !== null) count -= 1
  }
}

describe('nothing reveals whose an e-mail address is (D53)', () => {
  test('not even after nine wrong passwords by name: the address waits as long as an unknown one', async () => {
    await guess('mio', 9)
    const answers = []
    for (const name of ['nobody@example.com', 'mio@example.com', 'azusa@example.com'])
      answers.push(await attempt(name))
    expect(answers[0]?.status).toBe(422)
    for (const answer of answers) expect(answer).toEqual(answers[0] as never)
  }, 60_000)

  test('nor after nine by address: all names wait equally long', async () => {
    await guess('mio@example.com', 9)
    const answers = []
    for (const name of ['nobody', 'mio', 'azusa']) answers.push(await attempt(name))
    expect(answers[0]?.status).toBe(422)
    for (const answer of answers) expect(answer).toEqual(answers[0] as never)
  }, 60_000)

  test('an unknown name or address waits equally long at every attempt', async () => {
    const all = []
    for (const name of ['mio', 'nobody', 'mio@example.com', 'nobody@example.com']) {
      const answers = []
      for (let count = 0; count < 9; count++) {
        answers.push(await attempt(name))
        kiroku.clock.now += count < 6 ? 0 : 1500
      }
      all.push(answers)
    }
    expect(all[0]?.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429, 429, 422, 429])
    for (const answers of all) expect(answers).toEqual(all[0] as never)
  }, 60_000)

  test('and costs the same: as many queries and writes, and one password hash', async () => {
    for (const username of ['nodoka', 'stopped', 'leaving']) {
      const email = `${username}@example.com`
      await createUser(kiroku.deps, { username, email, password: 'correct horse battery', isAdmin: false })
    }
    kiroku.store.handle.run("update users set disabled_at = 1 where username = 'stopped'")
    const [[id] = []] = kiroku.store.handle.query('select max(id) from users').values()
    await beginDeletion(kiroku.deps, { userId: Number(id), keepsComments: true })
    using verify = spyOn(Bun.password, 'verify')
    const costs = []
    const names = ['nobody', 'nobody@example.com', 'nodoka', 'nodoka@example.com', 'stopped', `deleted_${id}`]
    for (const name of names)
      for (const device of ['', 'kir_br_unknown']) {
        verify.mockClear()
        const statements = await statementsOf(name, device)
        const strength = verify.mock.calls.map(([, hash]) => /m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0])
        costs.push({ device, statements, strength })
      }
    const { memoryCost, timeCost } = kiroku.deps.passwordCost
    expect(costs[0]).toMatchObject({
      device: '',
      statements: expect.any(Number),
      strength: [`m=${memoryCost},t=${timeCost},p=1`],
    })
    for (const cost of costs)
      expect(cost).toEqual(costs.find(({ device }) => device === cost.device) as never)
  }, 60_000)
})

/** How many statements a failed sign-in sends to the database. */
async function statementsOf(name: string, device: string): Promise<number> {
  let statements = 0
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1
      return result
    },
  }
  const { read, write } = kiroku.deps
  const deps = {
    ...kiroku.deps,
    read: read.withPlugin(count),
    write: ((change) => write((tx) => change(tx.withPlugin(count)))) as typeof write,
  }
  const app = createApp(deps)
  const visitor = createVisitor({
    ask: (target, init) => app.handle(requestOf(target, init), elsewhere()),
  })
  if (device !== '') visitor.cookies.set('device_3000', device)
  await visitor.signIn(name, 'wrong password')
  return statements
}

describe('however a name is typed, whatever its case, width and spaces', () => {
  const spellings = ['mio', 'MIO', 'ｍｉｏ', ' Ｍio　', 'mi o']

  test('it shares one allowance', async () => {
    for (const spelling of spellings) expect((await attempt(spelling)).status).toBe(422)
    for (const spelling of spellings) expect((await attempt(spelling)).status).toBe(429)
  }, 60_000)

  test('so does an address, and an unknown name', async () => {
    for (const name of ['mio@example.com', 'nobody']) {
      const wide = [...name].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('')
      for (const spelling of [name, name.toUpperCase(), wide, ` ${name} `, wide.toUpperCase()])
        expect([spelling, (await attempt(spelling)).status]).toEqual([spelling, 422])
      for (const spelling of [name, name.toUpperCase(), wide, ` ${name} `])
        expect([spelling, (await attempt(spelling)).status]).toEqual([spelling, 429])
    }
  }, 60_000)

  test('it signs in', async () => {
    const password = 'correct horse battery'
    await createUser(kiroku.deps, {
      username: 'nodoka',
      email: 'Nodoka@example.com',
      password,
      isAdmin: false,
    })
    for (const name of ['ＮＯＤＯＫＡ', ' Nodoka', 'ｎｏｄｏｋａ＠ｅｘａｍｐｌｅ．ｃｏｍ'])
      expect([name, (await attempt(name, password)).status]).toEqual([name, 303])
  }, 60_000)
})

describe('records of failed sign-ins are bounded (promise 12)', () => {
  const rows = (kind: string) =>
    Number(
      kiroku.store.handle
        .query('select count(*) from throttles where key glob ?')
        .values(`${kind}:*`)[0]?.[0],
    )
  /** Fills a kind with keys whose failures are at least a minute old and a millisecond apart. */
  const fill = (kind: string, most: number) =>
    kiroku.store.handle.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most})
       insert into throttles select '${kind}:filled_' || i, 3, ${kiroku.clock.now - 60_000} - i from n`,
    )

  test('endless attempts with unknown names evict only the oldest ones, and no address', async () => {
    fill('name', mostKeys)
    fill('address', mostKeys - 100)
    await guess('mio', 6)
    for (const name of ['a_1', 'a_2', 'a_3']) await guess(name, 1)
    expect(rows('name')).toBeLessThanOrEqual(mostKeys)
    expect(rows('name')).toBeGreaterThan(mostKeys * 0.85)
    expect(rows('address')).toBe(mostKeys - 100 + 9)
    expect((await attempt('mio')).status).toBe(429)
    const left = kiroku.store.handle
      .query('select max(cast(substr(key, 13) as integer)) from throttles where key glob ?')
      .values('name:filled_*')
    expect(Number(left[0]?.[0])).toBeLessThan(mostKeys)
  }, 60_000)

  test('letters, which are counted there too, are bounded', async () => {
    fill('letter', mostKeys + 500)
    await kiroku.deps.write((tx) => takeLetter(tx, { email: 'x@example.com' }, kiroku.clock.now))
    expect(rows('letter')).toBe(mostKeys * 0.9)
  })

  test('so is every kind of them', async () => {
    const kinds = [
      addressThrottle('192.0.2.9'),
      nameThrottle('x'),
      browserThrottle(1, 'x'),
      codeAddressThrottle('192.0.2.9'),
      codeUserThrottle(1),
      factorThrottle(1),
      signUpThrottle('192.0.2.9'),
      mailThrottle('192.0.2.9'),
    ]
    for (const counted of kinds) {
      const kind = counted.key.replace(/:.*/, '')
      fill(kind, mostKeys + 500)
      const { wait } = await kiroku.deps.write((tx) => beginAttempt(tx, [counted], kiroku.clock.now))
      expect([kind, wait, rows(kind)]).toEqual([kind, 0, mostKeys * 0.9])
    }
  }, 60_000)
})
