import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  beginEnrolment,
  confirmEnrolment,
  factorStanding,
  removeSecondFactor,
  secretToConfirm,
} from '../../../src/accounts/sign-in/second-factor'
import { totpKey } from '../../../src/lib/totp'
import { codeOf, enrol, recoveryCodesIn } from '../../support/authenticator'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { createMember, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor
/** The key of `mio`, once two-step verification is on. */
let key = ''

beforeAll(async () => {
  kiroku = await createInstance()
})
beforeEach(async () => {
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const factors = () => kiroku.store.handle.query('select * from second_factors').all()
const codesLeft = () => kiroku.store.handle.query('select count(*) from recovery_codes').values()[0]?.[0]

describe('enrolment is refused', () => {
  test('to a session not confirmed within a quarter of an hour (§2.2)', async () => {
    const { csrf = '' } = hiddenInputs(
      (await mio.open('/settings/two_step')).text,
      '/settings/two_step/start',
    )
    kiroku.clock.now += 15 * 60_000 + 1
    const page = await mio.open('/settings/two_step')
    expect(page.location).toBe('/confirm?return_to=%2Fsettings%2Ftwo_step')
    const sent = await mio.post('/settings/two_step/start', { csrf })
    expect([sent.status, sent.location]).toEqual([303, '/confirm?return_to=%2Fsettings%2Ftwo_step%2Fstart'])
    expect(factors()).toEqual([])
  })

  test('a button that needs confirmation first leads back to its page', async () => {
    const { csrf = '' } = hiddenInputs(
      (await mio.open('/settings/two_step')).text,
      '/settings/two_step/start',
    )
    kiroku.clock.now += 15 * 60_000 + 1
    const from = async (referer: string) =>
      (await mio.post('/settings/two_step/start', { csrf }, { 'sec-fetch-site': 'same-origin', referer }))
        .location
    const back = '/confirm?return_to=%2Fsettings%2Ftwo_step'
    expect(await from('http://localhost:3000/settings/two_step')).toBe(back)
    for (const foreign of ['https://evil.example/settings', 'about:blank', 'nonsense'])
      expect(await from(foreign)).toBe(`${back}%2Fstart`)
  })

  test("and so it does below the base URL's path, whether or not it is served with it (D54)", async () => {
    const below = await createInstance({ config: { baseUrl: 'http://localhost:3000/log' } })
    const member = await createMember(below, 'mio')
    const { text } = await member.open('/log/settings/two_step')
    const { csrf = '' } = hiddenInputs(text, '/log/settings/two_step/start')
    below.clock.now += 15 * 60_000 + 1
    for (const path of ['/log/settings/two_step', '/settings/two_step']) {
      const from = { 'sec-fetch-site': 'same-origin', referer: `http://localhost:3000${path}` }
      const { location } = await member.post('/log/settings/two_step/start', { csrf }, from)
      expect([path, location]).toEqual([path, '/log/confirm?return_to=%2Fsettings%2Ftwo_step'])
    }
    await below.close()
  })

  test('before it was started, and with a wrong code', async () => {
    const early = await mio.open('/settings/two_step/set_up')
    expect([early.status, early.location]).toEqual([303, '/settings/two_step'])
    await mio.submit('/settings/two_step', {}, '/settings/two_step/start')
    const key = (await mio.open('/settings/two_step/set_up')).textOf('totp_key')
    const wrong = codeOf(key, kiroku.clock.now + 90_000)
    const page = await mio.submit('/settings/two_step/set_up', { code: wrong })
    expect([page.status, page.textOf('code-problem')]).toEqual([
      422,
      'This code is wrong or has already been used. Each code works once.',
    ])
    expect(page.textOf('totp_key')).toBe(key)
    expect(factors()).toMatchObject([{ confirmed_at: null, last_step: 0 }])
  })

  test('with the key of an earlier start: each start creates a new one', async () => {
    const keys = []
    for (const _ of [1, 2]) {
      await mio.submit('/settings/two_step', {}, '/settings/two_step/start')
      keys.push((await mio.open('/settings/two_step/set_up')).textOf('totp_key'))
    }
    expect(keys[0]).not.toBe(keys[1])
    const page = await mio.submit('/settings/two_step/set_up', {
      code: codeOf(keys[0] ?? '', kiroku.clock.now),
    })
    expect(page.status).toBe(422)
  })
})

test('a code does not confirm a key that replaced its own in the meantime', async () => {
  const { id } = kiroku.store.handle.query("select id from users where username = 'azusa'").get() as Body
  await beginEnrolment(kiroku.deps, id)
  const secret = (await secretToConfirm(kiroku.deps.read, id)) ?? new Uint8Array()
  const confirming = confirmEnrolment(kiroku.deps, id, codeOf(totpKey(secret), kiroku.clock.now))
  await beginEnrolment(kiroku.deps, id)
  expect(await confirming).toBeUndefined()
  expect((await factorStanding(kiroku.deps.read, id)).on).toBe(false)
  await kiroku.deps.write((tx) => removeSecondFactor(tx, id))
})

test('the first code turns it on, shows ten recovery codes only this once, and is logged (§2.1)', async () => {
  const { recoveryCodes, page: shown, ...enrolment } = await enrol(kiroku, mio)
  key = enrolment.key
  expect(shown.text).toContain('<a href="/settings/two_step">Done</a>')
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes)
    expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)
  expect(codesLeft()).toBe(10)
  expect(factors()).toMatchObject([{ confirmed_at: kiroku.clock.now }])
  const page = await mio.open('/settings/two_step')
  expect(page.textOf('codes_left')).toBe('10')
  for (const secret of [key, ...recoveryCodes]) {
    expect(page.text).not.toContain(secret)
    expect(JSON.stringify(kiroku.lines)).not.toContain(secret)
  }
  expect(kiroku.lines.map(({ event }) => event)).toContain('two_step_on')
})

test('the setup page shows the key as a QR code without any external request, in Japanese too', async () => {
  const ritsu = await createMember(kiroku, 'Ritsu_T', { language: 'ja' })
  await ritsu.submit('/settings/two_step', {}, '/settings/two_step/start')
  const page = await ritsu.open('/settings/two_step/set_up')
  expect(page.text).toMatch(/<img src="data:image\/svg\+xml;base64,[\w+/=]+" width="264" height="264" alt="/)
  expect(page.text).toContain('2段階認証の設定')
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:")
  expect(page.headers.get('cache-control')).toBe('no-store')
})

describe('once it is on', () => {
  test('starting again leaves it unchanged', async () => {
    const before = factors()
    const { csrf = '' } = hiddenInputs((await mio.open('/settings/two_step')).text, '/sign_out')
    await mio.post('/settings/two_step/start', { csrf })
    expect(factors()).toMatchObject(before as object[])
    expect((await mio.open('/settings/two_step/set_up')).location).toBe('/settings/two_step')
  })

  test('new recovery codes replace the old ones', async () => {
    kiroku.clock.now += 30_000
    const page = await mio.submit('/settings/two_step/codes', { code: codeOf(key, kiroku.clock.now) })
    expect(recoveryCodesIn(page.text)).toHaveLength(10)
    expect(codesLeft()).toBe(10)
  })

  test('it can be turned off only with a code that was not used yet', async () => {
    const turnedOn = await createMember(kiroku, 'azusa')
    const { key } = await enrol(kiroku, turnedOn)
    for (const code of ['000000', codeOf(key, kiroku.clock.now), 'abcd']) {
      const page = await turnedOn.submit('/settings/two_step/off', { code })
      expect([code, page.status]).toEqual([code, 422])
    }
    kiroku.clock.now += 30_000
    const page = await turnedOn.submit('/settings/two_step/off', { code: codeOf(key, kiroku.clock.now) })
    expect(page.location).toBe('/settings/two_step')
    expect((await turnedOn.open('/settings/two_step')).text).toContain('Two-step verification is off.')
    const { id } = kiroku.store.handle.query("select id from users where username = 'azusa'").get() as never
    expect(kiroku.store.handle.query('select id from recovery_codes where user_id = ?').all(id)).toEqual([])
  })
})
