import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { codeOf, enrolled } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { hiddenInputs, type Page, type Visitor } from '../../support/visitor'

let kiroku: Instance
let nodoka: Awaited<ReturnType<typeof enrolled>>
const password = 'correct horse battery'

beforeAll(async () => {
  kiroku = await createInstance()
  await createUser(kiroku.deps, { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false })
  nodoka = await enrolled(kiroku, 'nodoka')
})
afterAll(() => kiroku.close())

/** A visitor between the two steps, and an unused code. */
async function halfway(peer?: string) {
  kiroku.clock.now += 60_000
  const { visitor, page } = await nodoka.halfway(password, peer)
  expect([page.status, page.location]).toEqual([303, '/sign_in/code?return_to=%2F'])
  return { visitor, code: codeOf(nodoka.key, kiroku.clock.now) }
}

const type = (visitor: Visitor, code: string) => visitor.submit('/sign_in/code?return_to=%2F', { code })
const isSignedIn = async (visitor: Visitor) => (await visitor.open('/')).text.includes('>nodoka</a>')
const shown = ({ status, location }: Page) => [status, location]

describe('between the password and the code', () => {
  test('the session allows nothing but entering the code (§2.2)', async () => {
    const { visitor } = await halfway()
    expect(await isSignedIn(visitor)).toBe(false)
    expect((await visitor.open('/settings')).location).toBe('/sign_in?return_to=%2Fsettings')
    expect(visitor.cookies.has('device_3000')).toBe(false)
    const cookie = visitor.cookies.get('sid_3000') ?? ''
    const bearer = await kiroku.ask('/v1/me', { headers: { authorization: `Bearer ${cookie}` } })
    expect(bearer.status).toBe(401)
  })

  test('nobody gets there without a password, and signed-in users need not', async () => {
    expect((await nodoka.member.open('/sign_in/code')).location).toBe('/sign_in')
  })

  test('the code is too late after ten minutes', async () => {
    const { visitor } = await halfway()
    kiroku.clock.now += 10 * 60_000 - 1
    const page = await visitor.open('/sign_in/code?return_to=%2F')
    expect(page.status).toBe(200)
    kiroku.clock.now += 1
    const inputs = hiddenInputs(page.text, '/sign_in/code')
    const late = await visitor.post('/sign_in/code', {
      ...inputs,
      code: codeOf(nodoka.key, kiroku.clock.now),
    })
    expect(shown(late)).toEqual([303, '/sign_in'])
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('a wrong code, an old one and one of two codes in a field are refused', async () => {
    const { visitor, code } = await halfway()
    const old = codeOf(nodoka.key, kiroku.clock.now - 60_000)
    for (const wrong of ['123', old, `${code}${code}`, 'xxxx-xxxx-xxxx-xxxx-xxxx-xxxx']) {
      const page = await type(visitor, wrong)
      expect([wrong, page.status]).toEqual([wrong, 422])
    }
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('a code without a CSRF token is refused', async () => {
    const { visitor, code } = await halfway()
    expect((await visitor.post('/sign_in/code', { code, csrf: 'x' })).status).toBe(403)
  })
})

test('the right code signs in with a new session, and works once (§2.1, §2.2)', async () => {
  const first = await halfway()
  const second = await halfway()
  const before = second.visitor.cookies.get('sid_3000') ?? ''
  expect(shown(await type(second.visitor, second.code))).toEqual([303, '/'])
  expect(await isSignedIn(second.visitor)).toBe(true)
  expect(second.visitor.cookies.get('sid_3000')).not.toBe(before)
  expect(second.visitor.cookies.has('device_3000')).toBe(true)
  expect((await type(first.visitor, second.code)).status).toBe(422)
  second.visitor.cookies.set('sid_3000', before)
  expect(shown(await second.visitor.open('/sign_in/code'))).toEqual([303, '/sign_in'])
  const logged = kiroku.lines.filter(({ event }) => event === 'sign_in_code')
  expect(logged.at(-2)?.facts).toMatchObject({ outcome: 'ok' })
  expect(logged.at(-1)?.facts).toMatchObject({ outcome: 'wrong' })
  expect(JSON.stringify(kiroku.lines)).not.toContain(second.code)
})

test('of ten visitors who send the same code at once, one gets in (§2.1)', async () => {
  const visitors: Visitor[] = []
  let code = ''
  for (const n of Array(10).keys()) {
    const half = await halfway(`198.51.100.${n}`)
    visitors.push(half.visitor)
    code = half.code
  }
  kiroku.store.handle.run('delete from throttles')
  const pages = await Promise.all(visitors.map((visitor) => type(visitor, code)))
  expect(pages.filter(({ status }) => status === 303)).toHaveLength(1)
})

test('a recovery code can replace it, however it is typed, and works once', async () => {
  kiroku.store.handle.run('delete from throttles')
  const [code = '', other = ''] = nodoka.recoveryCodes
  const first = await halfway()
  expect(shown(await type(first.visitor, code.toUpperCase().replaceAll('-', ' ')))).toEqual([303, '/'])
  const second = await halfway()
  expect((await type(second.visitor, code)).status).toBe(422)
  expect(shown(await type(second.visitor, other.replaceAll('-', '')))).toEqual([303, '/'])
  expect((await second.visitor.open('/settings/two_step')).textOf('codes_left')).toBe('8')
})

test('two codes sent at once from one visit start one session', async () => {
  const { visitor, code } = await halfway()
  const page = await visitor.open('/sign_in/code')
  const send = (typed: string) =>
    visitor.post('/sign_in/code', { ...hiddenInputs(page.text, '/sign_in/code'), code: typed })
  const sent = await Promise.all([code, nodoka.recoveryCodes[5] ?? ''].map(send))
  expect(sent.map(({ location }) => location).sort()).toEqual(['/', '/sign_in'])
})

test('after the code the visit continues where it was going, never elsewhere (§2.5)', async () => {
  for (const [asked, reached] of [
    ['/settings?tab=1', '/settings?tab=1'],
    ['//evil.example', '/'],
  ] as const) {
    const { visitor, code } = await halfway()
    const target = `/sign_in/code?return_to=${encodeURIComponent(asked)}`
    expect((await visitor.submit(target, { code })).location).toBe(reached)
  }
})

describe('guesses by somebody who knows the password', () => {
  test('make everybody wait who knows it, and knowing it does not clear them (§2.1)', async () => {
    const outcomes = []
    for (const n of Array(7).keys()) {
      const { visitor } = await nodoka.halfway(password, `203.0.113.${n}`)
      outcomes.push(await type(visitor, '000000'))
    }
    expect(outcomes.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429, 429])
    expect(Number(outcomes.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('never make the owner wait longer than a quarter of an hour', async () => {
    kiroku.clock.now += 15 * 60_000
    const { visitor, code } = await halfway()
    expect(shown(await type(visitor, code))).toEqual([303, '/'])
  })
})

test('a user disabled between the two steps does not get in', async () => {
  const { visitor, code } = await halfway()
  const page = await visitor.open('/sign_in/code')
  kiroku.store.handle.run("update users set disabled_at = 1 where username = 'nodoka'")
  const sent = await visitor.post('/sign_in/code', { ...hiddenInputs(page.text, '/sign_in/code'), code })
  expect(shown(sent)).toEqual([303, '/sign_in'])
  expect(await isSignedIn(visitor)).toBe(false)
})
