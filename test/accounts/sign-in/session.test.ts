import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import type { Config } from '../../../src/config'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, sameOrigin } from '../../support/visitor'

const password = 'correct horse battery'
const day = 86_400_000

async function withInstance(config: Partial<Config>, check: (kiroku: Instance) => Promise<void>) {
  const kiroku = await createInstance({ config })
  await createUser(kiroku.deps, { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false })
  await check(kiroku).finally(() => kiroku.close())
}

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

const isIn = async (cookie: string) => {
  const page = await createVisitor(kiroku).open('/', { headers: { cookie } })
  expect(page.status).toBe(200)
  return page.text.includes('>azusa</a>')
}

describe('a session (§2.2)', () => {
  test('expires after 14 days without use, and after 90 days in any case', async () => {
    const idle = await createMember(kiroku, 'azusa')
    const busy = await createMember(kiroku, 'azusa')
    const begun = kiroku.clock.now
    const signedIn = async (visitor: typeof idle) => {
      const { text } = await visitor.open('/')
      // Its use is noted after the response.
      await kiroku.deps.write(async () => {})
      return text.includes('>azusa</a>')
    }
    kiroku.clock.now = begun + 14 * day - 1
    expect([await signedIn(busy)]).toEqual([true])
    kiroku.clock.now = begun + 14 * day
    expect([await signedIn(busy), await signedIn(idle)]).toEqual([true, false])
    for (let days = 20; days < 90; days += 10) {
      kiroku.clock.now = begun + days * day
      expect([days, await signedIn(busy)]).toEqual([days, true])
    }
    kiroku.clock.now = begun + 90 * day - 1
    expect(await signedIn(busy)).toBe(true)
    kiroku.clock.now = begun + 90 * day
    expect(await signedIn(busy)).toBe(false)
  })

  test('is ignored if its cookie is sent twice or malformed, which is no error (D12)', async () => {
    const { cookies } = await createMember(kiroku, 'azusa')
    const good = cookies.get('sid_3000') ?? ''
    const other = (await createMember(kiroku, 'Ritsu_T')).cookies.get('sid_3000') ?? ''
    expect(await isIn(`sid_3000=${good}`)).toBe(true)
    expect(await isIn(`a=b; sid_3000=${good}; c`)).toBe(true)
    const wrong = [
      ...[`sid_3000=${good}; sid_3000=${other}`, `sid_3000=${other}; sid_3000=${good}`],
      ...[`sid_3000=${good}; sid_3000=${good}`, `sid_3000=${good},sid_3000=${good}`],
      ...[`sid=${good}`, `SID_3000=${good}`, `sid_3001=${good}`, `__Host-sid_3000=${good}`],
      ...['sid_3000=', 'sid_3000', '=;;=', 'sid_3000=%', 'sid_3000=x%00', `sid_3000="${good}"`, `${good}`],
      ...[`sid_3000=${good.slice(0, -1)}`, `sid_3000=${good}x`, `sid_3000=${good.replace('_se_', '_at_')}`],
    ]
    for (const cookie of wrong) expect([cookie, await isIn(cookie)]).toEqual([cookie, false])
  })

  test('of a disabled user ends at once', async () => {
    const member = await createMember(kiroku, 'Ritsu_T')
    expect((await member.open('/')).text).toContain('>Ritsu_T</a>')
    const disabled = { disabled_at: kiroku.clock.now }
    await kiroku.deps.write((tx) =>
      tx.updateTable('users').set(disabled).where('username', '=', 'Ritsu_T').execute(),
    )
    expect((await member.open('/')).text).not.toContain('>Ritsu_T</a>')
  })
})

describe('the cookies (§2.2)', () => {
  const bases: [string, string, string, string][] = [
    ['https://kiroku.example', '__Host-sid', '__Host-device', '; Secure'],
    ['https://kiroku.example:8443/log', '__Host-sid_8443%2Flog', '__Host-device_8443%2Flog', '; Secure'],
    ['http://192.168.1.5/a/log;1', 'sid%2Fa%2Flog%3B1', 'device%2Fa%2Flog%3B1', ''],
    ['http://192.168.1.5', 'sid', 'device', ''],
    ['http://localhost:4000', 'sid_4000', 'device_4000', ''],
  ]
  test.each(bases)(
    'of %s are called %s and %s, only for this host and not for scripts',
    async (baseUrl, sid, device, secure) =>
      withInstance({ baseUrl }, async (own) => {
        const visitor = createVisitor(own)
        const { pathname } = new URL(baseUrl)
        const action = `${pathname === '/' ? '' : pathname}/sign_in`
        const page = await visitor.submit(action, { username: 'nodoka', password })
        expect(page.status).toBe(303)
        const lines = page.headers.getSetCookie()
        expect(lines.map((line) => line.replace(/kir_.._\w{49}/, 'VALUE'))).toEqual([
          `${sid}=VALUE; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax${secure}`,
          `${device}=VALUE; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`,
        ])
      }),
  )

  test('of instances below paths of one host do not interfere (D54)', async () => {
    const browser = new Map<string, string>()
    const bases = ['https://kiroku.example', 'https://kiroku.example/a', 'https://kiroku.example/b']
    const owns = await Promise.all(bases.map((baseUrl) => createInstance({ config: { baseUrl } })))
    for (const own of owns) {
      const { cookies } = await createMember(own, 'mio')
      for (const pair of cookies) browser.set(...pair)
    }
    for (const own of owns) {
      const visitor = createVisitor(own)
      for (const pair of browser) visitor.cookies.set(...pair)
      expect((await visitor.open('/')).text).toContain('>mio</a>')
      await own.close()
    }
  })

  test('of two instances on one host do not interfere', () =>
    withInstance({ baseUrl: 'http://localhost:4000' }, async (own) => {
      const visitor = createVisitor(own)
      visitor.cookies.set('sid_3000', 'of another instance')
      await visitor.signIn('nodoka', password)
      expect((await visitor.open('/')).text).toContain('>nodoka</a>')
      expect(visitor.cookies.get('sid_3000')).toBe('of another instance')
    }))
})

describe('D54: below a path', () => {
  const config = { baseUrl: 'https://kiroku.example/log' }
  test.each([
    ['a proxy that does not strip it', '/log'],
    ['a proxy that does', ''],
  ])('somebody signs in, comes back and signs out through %s', (_, arrives) =>
    withInstance(config, async (own) => {
      const visitor = createVisitor(own)
      const open = (target: string) => visitor.open(target.replace(/^\/log/, arrives) || '/')
      const closed = await open('/log/settings/password?x=1')
      expect(closed.location).toBe('/log/sign_in?return_to=%2Fsettings%2Fpassword%3Fx%3D1')
      const form = await open(closed.location)
      const values = { ...hiddenInputs(form.text, '/log/sign_in'), username: 'nodoka', password }
      const signedIn = await visitor.post(`${arrives}/sign_in`, values, {
        ...sameOrigin,
        origin: 'https://kiroku.example',
      })
      expect(signedIn.location).toBe('/log/settings/password?x=1')
      const inside = await open(signedIn.location)
      expect([inside.status, inside.text]).toEqual([
        200,
        expect.stringContaining('action="/log/settings/password"'),
      ])
      const out = hiddenInputs(inside.text, '/log/sign_out')
      expect((await visitor.post(`${arrives}/sign_out`, out)).location).toBe('/log/')
      expect((await open('/log/settings/password')).status).toBe(303)
    }),
  )
})

describe('/confirm (§2.2)', () => {
  test(
    'asks for the password like a sign-in, rotates the session, and returns only to this site',
    () =>
      withInstance({}, async (own) => {
        const member = await createMember(own, 'nodoka')
        own.clock.now += 15 * 60_000 + 1
        const asked = await member.open('/settings/email')
        expect(asked.location).toBe('/confirm?return_to=%2Fsettings%2Femail')
        for (let count = 0; count < 2; count++) {
          const wrong = await member.submit(asked.location, { password: 'wrong one' })
          expect([wrong.status, wrong.textOf('password-problem')]).toEqual([422, 'Incorrect password.'])
        }
        expect((await member.open('/settings/email')).status).toBe(303)
        const before = member.cookies.get('sid_3000') ?? ''
        const right = await member.submit(asked.location, { password })
        expect([right.status, right.location]).toEqual([303, '/settings/email'])
        expect((await member.open('/settings/email')).status).toBe(200)
        expect(member.cookies.get('sid_3000')).not.toBe(before)
        const old = await createVisitor(own).open('/settings/password', {
          headers: { cookie: `sid_3000=${before}` },
        })
        expect(old.location).toStartWith('/sign_in?')
        const evil = await member.submit('/confirm?return_to=//evil.example', { password })
        expect(evil.location).toBe('/')
      }),
    30_000,
  )

  test('requires being signed in, and is throttled', async () => {
    expect((await createVisitor(kiroku).open('/confirm')).location).toStartWith('/sign_in?')
    const member = await createMember(kiroku, 'mio')
    const statuses = []
    for (let count = 0; count < 6; count++)
      statuses.push((await member.submit('/confirm', { password: 'x' })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })
})
