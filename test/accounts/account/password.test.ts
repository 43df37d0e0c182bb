import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commonPasswords } from '../../../db/common-passwords'
import { createResetLink } from '../../../src/accounts/account/new-password'
import {
  hashPassword,
  isWeak,
  newPassword,
  nobodysHash,
  PasswordsBusy,
  passwordCost,
  passwordMatches,
} from '../../../src/accounts/account/password'
import { createUser } from '../../../src/accounts/account/user'
import { nameThrottle } from '../../../src/accounts/sign-in/throttle-kinds'
import { createApp } from '../../../src/app'
import { valid } from '../../../src/values/field-problem'
import { cheapPasswords, createInstance, type Instance, requestOf, withToken } from '../../support/instance'
import { createMember, createVisitor } from '../../support/visitor'

let kiroku: Instance
let nodoka: number
const password = 'correct horse battery'

beforeAll(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  nodoka = await createUser(kiroku.deps, asked)
})
afterAll(() => kiroku.close())

const owner = { username: 'nodoka', email: 'manabe@sakuragaoka.example' }
const problem = (text: string) => {
  try {
    valid('password', newPassword(owner), text)
    return ''
  } catch (cause) {
    return String(cause)
  }
}

describe('a password (§2.1, D50)', () => {
  test('that everybody tries first is refused in any case: the 3000 most common ones of the right length', () => {
    const all = commonPasswords()
    expect([all.length, new Set(all).size]).toEqual([3000, 3000])
    for (const text of [...all, 'PASSWORD', 'Qwertyuiop', 'iloveyou'])
      expect([text, problem(text)]).toEqual([text, expect.stringContaining('many people use')])
  })

  test.each([
    'nodoka123',
    'NodokaNodoka',
    'kiroku2026',
    'manabe@sakuragaoka.example',
    'manabe!!',
    'nodokakiroku1',
    'nodoka123456',
    'kiroku-8fk2n1',
    'nodoka12345678',
    'iloveyouNodoka',
    'nodoka_12345678!',
  ])('%s is hardly more than names, and refused', (text) =>
    expect(problem(text)).toContain('besides the username'),
  )

  test.each([
    ...[
      'aaaaaaab',
      'correcthorse',
      'x'.repeat(64),
      '長い長い合言葉です',
      'tab is not in it',
      ' spaces  count ',
    ],
    ...['nodoka is my name', 'kiroku-8fk2n1x'],
  ])('%s is accepted: no rule says what it is made of', (text) => expect(problem(text)).toBe(''))

  test('may be pasted, filled in by a password manager, and typed in any Unicode form', async () => {
    const page = await (await createMember(kiroku, 'nodoka')).open('/settings/password')
    expect(page.text).toContain('autocomplete="current-password"')
    expect(page.text).toContain('autocomplete="new-password"')
    expect(page.text).not.toMatch(/onpaste|maxlength|pattern=/)
    const hash = await hashPassword('pa\u0308sswort ①', cheapPasswords)
    expect(await passwordMatches('p\u00e4sswort ①', hash)).toBe(true)
    // Only NFC: NFKC would make these two the same password (§2.1).
    expect(await passwordMatches('p\u00e4sswort 1', hash)).toBe(false)
  })
})

describe('hashing (§2.1)', () => {
  test('an unknown user is checked against a hash with the same parameters as new ones', async () => {
    const parameters = /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/
    expect(nobodysHash(passwordCost)).toMatch(parameters)
    expect(await hashPassword(password, passwordCost)).toMatch(parameters)
    expect(isWeak(nobodysHash(passwordCost), passwordCost)).toBe(false)
  })

  test('a weaker hash is replaced at the next sign-in, even of a password that would be refused now', async () => {
    const weak = await Bun.password.hash('password', {
      algorithm: 'argon2id',
      memoryCost: 19_456,
      timeCost: 2,
    })
    await kiroku.deps.write((tx) =>
      tx.updateTable('users').set({ password_hash: weak }).where('username', '=', 'azusa').execute(),
    )
    expect(isWeak(weak, passwordCost)).toBe(true)
    const app = createApp({ ...kiroku.deps, passwordCost })
    const visitor = () =>
      createVisitor({ ask: (target, init, peer = '192.0.2.1') => app.handle(requestOf(target, init), peer) })
    expect((await visitor().signIn('azusa', 'wrong password')).status).toBe(422)
    expect((await visitor().signIn('azusa', 'password')).status).toBe(303)
    const row = await kiroku.deps.read
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', 'azusa')
      .executeTakeFirstOrThrow()
    expect(isWeak(row.password_hash, passwordCost)).toBe(false)
    expect(await passwordMatches('password', row.password_hash)).toBe(true)
  })

  test('one runs and twenty wait; further ones must come back later (promise 12)', async () => {
    const weak = await Bun.password.hash('x', { algorithm: 'argon2id', memoryCost: 8192, timeCost: 1 })
    const asked = Array.from({ length: 24 }, () => passwordMatches('x', weak))
    const settled = await Promise.allSettled(asked)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(21)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(PasswordsBusy)
  })

  test('a sign-in that finds the queue full gets 503 with Retry-After, and does not count as a failure', async () => {
    const weak = await Bun.password.hash('x', { algorithm: 'argon2id', memoryCost: 8192, timeCost: 1 })
    let isOver = false
    const crowd = Array.from({ length: 30 }, async () => {
      while (!isOver) {
        await passwordMatches('x', weak).catch(() => {})
        await new Promise(setImmediate)
      }
    })
    const page = await createVisitor(kiroku, { peer: '198.51.100.9' }).signIn('nodoka', password)
    isOver = true
    await Promise.all(crowd)
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
    const counted = await kiroku.deps.read.selectFrom('throttles').select('key').execute()
    expect(
      counted.filter(({ key }) => key.endsWith('198.51.100.9') || key === nameThrottle('nodoka').key),
    ).toEqual([])
  })
})

describe('/settings/password (§2.2)', () => {
  const chosen = 'another horse battery'

  test('asks for the current password, throttled like a sign-in', async () => {
    const member = await createMember(kiroku, 'nodoka')
    const page = await member.submit('/settings/password', {
      current_password: 'wrong one',
      password: chosen,
    })
    expect([page.status, page.textOf('current_password-problem')]).toEqual([422, 'Incorrect password.'])
    const common = await member.submit('/settings/password', {
      current_password: password,
      password: 'iloveyou',
    })
    expect([common.status, common.textOf('password-problem')]).toEqual([
      422,
      expect.stringContaining('many people'),
    ])
    expect((await createVisitor(kiroku).open('/settings/password')).location).toStartWith('/sign_in?')
  })

  test('ends the other sessions, known browsers and links, rotates this session, and keeps tokens unless asked', async () => {
    const [here, there] = [await createMember(kiroku, 'nodoka'), await createMember(kiroku, 'nodoka')]
    const token = await kiroku.tokenOf('nodoka', 'read')
    const link = await createResetLink(kiroku.deps, nodoka)
    const before = here.cookies.get('sid_3000') ?? ''
    const change = async (current: string, next: string, more: Record<string, string>) => {
      const page = await here.submit('/settings/password', {
        current_password: current,
        password: next,
        ...more,
      })
      expect(page.status).toBe(200)
    }
    const asks = async () => (await kiroku.ask('/v1/me', withToken(token))).status
    await change(password, chosen, {})
    expect(here.cookies.get('sid_3000')).not.toBe(before)
    expect((await here.open('/settings/password')).status).toBe(200)
    expect((await there.open('/settings/password')).status).toBe(303)
    expect(
      (await createVisitor(kiroku).open('/settings/password', { headers: { cookie: `sid_3000=${before}` } }))
        .status,
    ).toBe(303)
    expect((await createVisitor(kiroku).open(`/reset_password/${link}`)).status).toBe(404)
    expect(await asks()).toBe(200)
    await change(chosen, password, { revoke_tokens: '1' })
    expect(await asks()).toBe(401)
    const devices = await kiroku.deps.read
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', nodoka)
      .execute()
    expect(devices).toHaveLength(1)
  })
})

describe('a link for a new password (§2.1)', () => {
  test('is valid for an hour, once, and only if it is the newest; a refused password does not use it up', async () => {
    const older = await createResetLink(kiroku.deps, nodoka)
    const link = `/reset_password/${await createResetLink(kiroku.deps, nodoka)}`
    const visitor = createVisitor(kiroku)
    expect((await visitor.open(`/reset_password/${older}`)).status).toBe(404)
    expect((await visitor.open('/reset_password/kir_ln_x')).status).toBe(404)
    const shown = await visitor.open(link)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('referrer-policy')).toBe('same-origin')
    const before = await createMember(kiroku, 'nodoka')
    const token = await kiroku.tokenOf('nodoka', 'read')
    expect((await visitor.submit(link, { password: 'short' })).status).toBe(422)
    expect((await visitor.submit(link, { password: 'a third horse', revoke_tokens: '1' })).status).toBe(200)
    expect((await visitor.open(link)).status).toBe(404)
    expect((await before.open('/settings/password')).status).toBe(303)
    expect((await kiroku.ask('/v1/me', withToken(token))).status).toBe(401)
    // It signs nobody in, because that would bypass a second factor.
    expect((await visitor.open('/')).text).not.toContain('>nodoka</a>')
    expect((await visitor.signIn('nodoka', password)).status).toBe(422)
    expect((await visitor.signIn('nodoka', 'a third horse')).status).toBe(303)
    const late = `/reset_password/${await createResetLink(kiroku.deps, nodoka)}`
    kiroku.clock.now += 3_600_000
    expect((await visitor.open(late)).status).toBe(404)
  })

  test('without mail, the page says whom to ask and accepts no form', async () => {
    const page = await createVisitor(kiroku).open('/reset_password')
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('kiroku user reset-password USERNAME'),
    ])
    expect(page.text).not.toContain('<form method="post" action="/reset_password"')
    expect((await createVisitor(kiroku).post('/reset_password', { name: 'mio' })).status).toBe(200)
    expect(
      await kiroku.deps.read.selectFrom('one_time_links').select('id').where('user_id', '=', 1).execute(),
    ).toEqual([])
  })
})
