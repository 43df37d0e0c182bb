import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { enrol, recoveryCodesIn } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { addDevice, answer, createDevice, optionsIn, type PasskeyDevice } from '../../support/passkey-device'
import { createMember, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let id = 0
let nodoka: Visitor
const password = 'correct horse battery'

beforeEach(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  nodoka = await createMember(kiroku, 'nodoka')
})
afterEach(() => kiroku.close())

const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)
const securityKey = () => createDevice({ isVerified: false, transports: ['usb'] })

/** Turns it on with a first key, from the page of two-step verification. */
const useAsStep = (device: PasskeyDevice) =>
  answer(nodoka, { page: '/settings/two_step', action: '/settings/passkeys' }, (options) =>
    device.create(options),
  )

describe('D100: /confirm by a passkey', () => {
  const from = { page: '/confirm?return_to=%2Fsettings%2Fsign_ins', action: '/confirm/passkey' }

  test('lets its own account on for another quarter of an hour, with a new cookie', async () => {
    const [device, other] = [createDevice(), createDevice()]
    await addDevice(nodoka, device)
    await addDevice(await createMember(kiroku, 'azusa'), other)
    kiroku.clock.now += 16 * 60_000
    expect((await nodoka.open('/settings/sign_ins')).location).toStartWith('/confirm')
    const refused = await answer(nodoka, from, (options) => other.get(options))
    expect([refused.status, refused.text.includes('name="password"')]).toEqual([422, true])
    const unverified = await answer(nodoka, from, (options) => device.get(options, { isVerified: false }))
    expect(unverified.status).toBe(422)
    const cookie = nodoka.cookies.get('sid_3000')
    const page = await answer(nodoka, from, (options) => device.get(options))
    expect(page.location).toBe('/settings/sign_ins')
    expect(nodoka.cookies.get('sid_3000')).not.toBe(cookie)
    expect((await nodoka.open('/settings/sign_ins')).status).toBe(200)
    expect(events('confirm')).toMatchObject([{ way: 'passkey', outcome: 'ok', user: id }])
  })

  test('is a password and a code at once, and the only way of an account without a password', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    await nodoka.submit('/settings/password/remove')
    kiroku.clock.now += 16 * 60_000
    const page = await nodoka.open('/confirm')
    expect([page.text.includes('type="password"'), page.text.includes('data-act="confirm-passkey"')]).toEqual(
      [false, true],
    )
    const refused = await answer(nodoka, from, (options) => device.get(options, { counter: 1 }))
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('not accepted')])
    expect((await answer(nodoka, from, (options) => device.get(options))).status).toBe(303)
  })

  test('comes first on the page; the password is the second way, and whoever does not want to goes back', async () => {
    await addDevice(nodoka, createDevice())
    const { text } = await nodoka.open(from.page)
    const order = ['data-act="confirm-passkey"', 'class="or"', 'id="password"', 'href="/settings"']
    const places = order.map((mark) => text.lastIndexOf(mark))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(text.match(/<button class="(?:wide )?filled"/g)).toHaveLength(1)
    expect(text).toContain('<button class="">Confirm with your password</button>')
  })
})

describe('D101: /confirm by the touch of a key that is only the second step', () => {
  const page = '/confirm/code?return_to=%2Fsettings%2Fsign_ins'
  const action = '/confirm/code/passkey'
  /** Types a password and touches, as the form does. */
  const confirmBy = async (device: PasskeyDevice, typed: string) => {
    const shown = await nodoka.open(page)
    const credential = device.get(optionsIn(shown, action))
    return await nodoka.post(action, { ...hiddenInputs(shown.text, action), key_password: typed, credential })
  }

  test('takes the password and the touch together', async () => {
    const device = securityKey()
    await useAsStep(device)
    kiroku.clock.now += 16 * 60_000
    expect((await nodoka.open('/confirm?return_to=%2Fsettings%2Fsign_ins')).location).toBe(page)
    const shown = await nodoka.open(page)
    expect(shown.text).not.toContain('data-act="confirm-passkey"')
    expect(shown.text).toMatch(/<details><summary>Use a recovery code<\/summary>/)
    expect(optionsIn(shown, action)).toMatchObject({
      userVerification: 'discouraged',
      allowCredentials: [{ id: device.id.toString('base64url') }],
    })
    for (const [typed, words] of [
      ['wrong', 'Incorrect password.'],
      ['', 'Incorrect password.'],
    ] as const) {
      const refused = await confirmBy(device, typed)
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(words)])
    }
    const stranger = await confirmBy(createDevice(), password)
    expect([stranger.status, stranger.text]).toEqual([422, expect.stringContaining('not accepted')])
    expect((await nodoka.open('/settings/sign_ins')).status).toBe(303)
    expect((await confirmBy(device, password)).location).toBe('/settings/sign_ins')
    expect((await nodoka.open('/settings/sign_ins')).status).toBe(200)
    expect(events('confirm').map(({ outcome }) => outcome)).toEqual(['wrong', 'wrong', 'ok', 'ok', 'ok'])
  })

  test('a recovery code still does, and a wrong one leaves its form open', async () => {
    const [code = ''] = recoveryCodesIn((await useAsStep(securityKey())).text)
    const wrong = await nodoka.submit(page, { password, code: '123456' }, '/confirm/code')
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringMatching(/<details open><summary>/)])
    expect((await nodoka.submit(page, { password, code }, '/confirm/code')).location).toBe(
      '/settings/sign_ins',
    )
  })

  test('beside an app the code comes first; a key that proves its holder does alone, above both', async () => {
    await enrol(kiroku, nodoka)
    await addDevice(nodoka, securityKey())
    expect((await nodoka.open(page)).text).not.toContain('confirm-code-passkey')
    await nodoka.submit('/settings/two_step', {}, '/settings/two_step/passkeys')
    const both = await nodoka.open(page)
    expect(both.text).toMatch(/<details><summary>Use a passkey or security key<\/summary>/)
    await addDevice(nodoka, createDevice())
    const { text } = await nodoka.open(page)
    expect(text.indexOf('confirm-passkey')).toBeLessThan(text.indexOf('name="code"'))
    expect(text.match(/<button class="(?:wide )?filled"/g)).toHaveLength(1)
  })
})
