import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { createChallenge } from '../../../src/accounts/passkeys/challenge'
import type { Config } from '../../../src/config'
import { codeOf, enrol, recoveryCodesIn } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import {
  addDevice,
  answer,
  createDevice,
  optionsIn,
  type PasskeyDevice,
  signInBy,
} from '../../support/passkey-device'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let id = 0
let nodoka: Visitor
const password = 'correct horse battery'

async function start(config: Partial<Config> = {}): Promise<void> {
  kiroku = await createInstance({ config })
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  nodoka = await createMember(kiroku, 'nodoka')
}
beforeEach(() => start())
afterEach(() => kiroku.close())

const values = (sql: string, ...of: (string | number)[]) => kiroku.store.handle.query(sql).values(...of)
const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)
const stands = () =>
  values('select has_passkey_step, (select count(*) from recovery_codes) from users where id = ?', id)[0]
const securityKey = () => createDevice({ isVerified: false, transports: ['usb'] })

/** Turns it on with a first key, from the page of two-step verification. */
const useAsStep = (device: PasskeyDevice) =>
  answer(nodoka, { page: '/settings/two_step', action: '/settings/passkeys' }, (options) =>
    device.create(options),
  )

async function halfway(): Promise<Visitor> {
  const visitor = createVisitor(kiroku)
  expect((await visitor.signIn('nodoka', password)).location).toStartWith('/sign_in/code')
  return visitor
}

const touch = (visitor: Visitor, device: PasskeyDevice) =>
  answer(visitor, { page: '/sign_in/code', action: '/sign_in/code/passkey' }, (options) =>
    device.get(options),
  )

describe('D101: as second step', () => {
  test('a security key is enough by a touch after the password; the first method comes with recovery codes', async () => {
    const device = securityKey()
    const page = await useAsStep(device)
    expect(recoveryCodesIn(page.text)).toHaveLength(10)
    const visitor = await halfway()
    const asked = optionsIn(await visitor.open('/sign_in/code'), '/sign_in/code/passkey')
    expect(asked).toMatchObject({
      userVerification: 'discouraged',
      allowCredentials: [{ id: device.id.toString('base64url'), transports: ['usb'] }],
    })
    expect((await touch(visitor, device)).location).toBe('/')
    expect((await visitor.open('/settings')).status).toBe(200)
    expect(values('select way, second_step, outcome from sign_ins')).toEqual([['password', 'passkey', 'ok']])
    expect(events('sign_in_code')).toMatchObject([{ way: 'passkey', outcome: 'ok', user: id }])
  })

  test('a recovery code is accepted instead, and a key of somebody else is not', async () => {
    const [code = ''] = recoveryCodesIn((await useAsStep(securityKey())).text)
    const other = createDevice()
    await addDevice(await createMember(kiroku, 'azusa'), other)
    const visitor = await halfway()
    const refused = await touch(visitor, other)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('not accepted')])
    expect(events('passkey_refused')).toMatchObject([{ purpose: 'code', why: 'of another' }])
    expect((await visitor.submit('/sign_in/code', { code })).status).toBe(303)
  })

  test('a key of an account whose second step is an app alone is none, whatever the browser says it was asked', async () => {
    const device = securityKey()
    await addDevice(nodoka, device)
    await enrol(kiroku, nodoka)
    const visitor = await halfway()
    const page = await visitor.open('/sign_in/code')
    expect(page.text).not.toContain('data-act="code-passkey"')
    const [cookie = '', at] = [visitor.cookies.get('sid_3000'), kiroku.clock.now]
    const challenge = createChallenge(kiroku.deps.random, { purpose: 'code', cookie, at })
    const options = { challenge: Buffer.from(challenge).toString('base64url'), rpId: 'localhost' }
    const csrf = hiddenInputs(page.text, '/sign_in/code')
    const sent = { ...csrf, credential: device.get(options) }
    expect((await visitor.post('/sign_in/code/passkey', sent)).status).toBe(422)
    expect(events('passkey_refused')).toMatchObject([{ purpose: 'code', why: 'no second step' }])
  })

  test('one that never proved its holder does not sign in alone, even if a finder gives it a PIN', async () => {
    const device = securityKey()
    await useAsStep(device)
    expect((await signInBy(createVisitor(kiroku), device, { isVerified: true })).status).toBe(422)
    expect(events('passkey_refused')).toMatchObject([{ why: 'second step only' }])
    expect((await nodoka.open('/settings/passkeys')).text).toContain('second step only')
    const visitor = await halfway()
    const from = { page: '/sign_in/code', action: '/sign_in/code/passkey' }
    await answer(visitor, from, (options) => device.get(options, { isVerified: true }))
    expect((await signInBy(createVisitor(kiroku), device, { isVerified: true })).status).toBe(303)
  })

  test('after a passkey that proves its holder no code is asked (D100)', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    await enrol(kiroku, nodoka)
    const visitor = createVisitor(kiroku)
    expect((await signInBy(visitor, device)).location).toBe('/')
    expect((await visitor.open('/settings')).status).toBe(200)
  })

  test('whoever has passkeys turns it on by a press; beside an app no new codes come; the last method turns it off', async () => {
    await addDevice(nodoka, createDevice())
    const { key } = await enrol(kiroku, nodoka)
    const before = values('select code_hash from recovery_codes')
    const on = await nodoka.submit('/settings/two_step', {}, '/settings/two_step/passkeys')
    expect([on.location, stands()]).toEqual(['/settings/two_step', [1, 10]])
    expect(values('select code_hash from recovery_codes')).toEqual(before)
    await nodoka.submit('/settings/two_step/passkeys_off')
    expect(stands()).toEqual([0, 10])
    await nodoka.submit('/settings/two_step', {}, '/settings/two_step/passkeys')
    kiroku.clock.now += 60_000
    await nodoka.submit('/settings/two_step/off', { code: codeOf(key, kiroku.clock.now) })
    expect(stands()).toEqual([0, 0])
    expect((await createVisitor(kiroku).signIn('nodoka', password)).location).toBe('/')
  })

  test('its only key is not removed; --require-two-step is met by it, and it stays on', async () => {
    await kiroku.close()
    await start({ requireTwoStep: 'everyone' })
    expect((await nodoka.open('/settings')).location).toStartWith('/settings/two_step')
    await useAsStep(createDevice())
    expect((await nodoka.open('/settings')).status).toBe(200)
    const page = await nodoka.submit('/settings/passkeys/1/remove')
    expect([page.status, page.text]).toEqual([
      422,
      expect.stringContaining('the only passkey of your two-step'),
    ])
    expect((await nodoka.submit('/settings/two_step/passkeys_off')).status).toBe(403)
    expect(stands()).toEqual([1, 10])
  })
})
