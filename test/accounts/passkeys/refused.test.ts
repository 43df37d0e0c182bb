import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { createInstance, type Instance } from '../../support/instance'
import {
  addDevice,
  answer,
  createDevice,
  type Faults,
  optionsIn,
  signInBy,
} from '../../support/passkey-device'
import { startSmtp } from '../../support/smtp'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let smtp: ReturnType<typeof startSmtp>
let id = 0
let nodoka: Visitor
const password = 'correct horse battery'

beforeEach(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { smtpUrl: smtp.url } })
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  nodoka = await createMember(kiroku, 'nodoka')
})
afterEach(async () => {
  await kiroku.deps.mail?.idle()
  await kiroku.close()
  smtp[Symbol.dispose]()
})

const values = (sql: string, ...of: (string | number)[]) => kiroku.store.handle.query(sql).values(...of)
const count = (table: string) => values(`select count(*) from ${table}`)[0]?.[0]
const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)
const subjects = async () => {
  await kiroku.deps.mail?.idle()
  return smtp.letters.map(({ head }) => /^Subject: (.*?)\r?$/m.exec(head)?.[1])
}

/** Each with why it is refused, in the log alone. */
const faults: Readonly<Record<string, readonly [Faults, why: string]>> = {
  'another type': [{ type: 'webauthn.create' }, 'type'],
  'a challenge of somebody else': [{ challenge: 'AAAA' }, 'challenge'],
  'another origin': [{ origin: 'https://evil.example' }, 'origin'],
  'the origin with another port': [{ origin: 'http://localhost:3001' }, 'origin'],
  'a frame of another site': [{ crossOrigin: true }, 'cross origin'],
  'another host': [{ rpId: 'evil.example' }, 'host'],
  'nobody present': [{ isPresent: false }, 'presence'],
  'nobody verified': [{ isVerified: false }, 'verification'],
  'backed up though it cannot be': [{ isEligible: false, isBackedUp: true }, 'backup'],
  'another eligibility than before': [{ isEligible: false }, 'backup'],
  'the handle of somebody else': [{ userHandle: Buffer.alloc(32).toString('base64url') }, 'user handle'],
  'no handle': [{ userHandle: null }, 'no user handle'],
  'an unknown key': [{ id: Buffer.alloc(32) }, 'unknown'],
  'the signature of another key': [{ signer: createDevice() }, 'signature'],
  'a counter that stands still': [{ counter: 1 }, 'copied'],
  'a counter that fell to 0': [{ counter: 0 }, 'copied'],
}

describe('D101: a sign-in is refused alike, whatever is wrong', () => {
  for (const [name, [fault, why]] of Object.entries(faults))
    test(`with ${name}`, async () => {
      const device = createDevice()
      await addDevice(nodoka, device)
      const visitor = createVisitor(kiroku)
      const page = await signInBy(visitor, device, fault)
      expect([page.status, page.text]).toEqual([
        422,
        expect.stringContaining('This passkey was not accepted.'),
      ])
      expect(page.text).not.toContain('nodoka')
      expect((await visitor.open('/settings')).status).toBe(303)
      expect(events('passkey_refused')).toMatchObject([{ purpose: 'sign_in', why }])
      expect(count('spent_challenges')).toBe(1)
      expect((await signInBy(createVisitor(kiroku), device)).status).toBe(303)
    })

  test('with a challenge that was answered, of another browser, of another purpose, or older than five minutes', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    const visitor = createVisitor(kiroku)
    const page = await visitor.open('/sign_in')
    const inputs = hiddenInputs(page.text, '/sign_in/passkey')
    const [options, credential] = [
      optionsIn(page, '/sign_in/passkey'),
      device.get(optionsIn(page, '/sign_in/passkey')),
    ]
    expect((await visitor.post('/sign_in/passkey', { ...inputs, credential })).status).toBe(303)
    // The session's cookie has changed with the sign-in; the same browser with its former one is refused as well.
    const former = createVisitor(kiroku)
    const other = await former.open('/sign_in')
    const ofOther = hiddenInputs(other.text, '/sign_in/passkey')
    expect((await former.post('/sign_in/passkey', { ...ofOther, credential })).status).toBe(422)
    expect(
      (await former.post('/sign_in/passkey', { ...ofOther, credential: device.get(options) })).status,
    ).toBe(422)
    const confirming = optionsIn(await nodoka.open('/confirm'), '/confirm/passkey')
    expect((await signInBy(createVisitor(kiroku), device, { challenge: confirming.challenge })).status).toBe(
      422,
    )
    const late = createVisitor(kiroku)
    const old = await late.open('/sign_in')
    kiroku.clock.now += 5 * 60_000
    const sent = {
      ...hiddenInputs(old.text, '/sign_in/passkey'),
      credential: device.get(optionsIn(old, '/sign_in/passkey')),
    }
    expect((await late.post('/sign_in/passkey', sent)).status).toBe(422)
    expect(events('passkey_refused').map(({ why }) => why)).toEqual(Array(4).fill('challenge'))
  })

  test('of two requests with the same answer one gets in; five minutes later nothing is kept of it', async () => {
    const device = createDevice({ counts: false })
    await addDevice(nodoka, device)
    const visitor = createVisitor(kiroku)
    const page = await visitor.open('/sign_in')
    const sent = {
      ...hiddenInputs(page.text, '/sign_in/passkey'),
      credential: device.get(optionsIn(page, '/sign_in/passkey')),
    }
    const cookies = [...visitor.cookies]
    const both = await Promise.all(
      [0, 1].map(() => {
        const one = createVisitor(kiroku)
        for (const [name, value] of cookies) one.cookies.set(name, value)
        return one.post('/sign_in/passkey', sent)
      }),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422])
    expect(events('passkey_refused')).toMatchObject([{ why: 'replayed' }])
    kiroku.clock.now += 5 * 60_000
    await signInBy(createVisitor(kiroku), device)
    expect(count('spent_challenges')).toBe(1)
  })

  test('a copy is told to its owner, by letter and in the sign-ins', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    await signInBy(createVisitor(kiroku), device, { counter: 1 })
    expect(await subjects()).toEqual([
      'kiroku: a passkey was added',
      'kiroku: a passkey may have been copied',
    ])
    expect(events('passkey_copied')).toMatchObject([{ user: id }])
    expect((await nodoka.open('/settings/sign_ins')).text).toContain('Refused')
  })

  test('junk is refused without a fault', async () => {
    await addDevice(nodoka, createDevice())
    for (const credential of [
      '',
      '{',
      '[]',
      'null',
      '{"id":"","response":{}}',
      '{"id":"AA","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}}',
      '€'.repeat(9),
    ]) {
      const visitor = createVisitor(kiroku)
      const inputs = hiddenInputs((await visitor.open('/sign_in')).text, '/sign_in/passkey')
      const page = await visitor.post('/sign_in/passkey', { ...inputs, credential })
      expect([credential, page.status]).toEqual([credential, 422])
      const adding = hiddenInputs((await nodoka.open('/settings/passkeys')).text, '/settings/passkeys')
      expect((await nodoka.post('/settings/passkeys', { ...adding, credential })).status).toBe(422)
    }
    expect(events('fault')).toEqual([])
  })

  test('wrong ones count for the network address', async () => {
    const stranger = createDevice()
    const statuses = new Set<number>()
    for (let n = 0; n < 22; n += 1) {
      const visitor = createVisitor(kiroku)
      const from = { page: '/sign_in', action: '/sign_in/passkey' }
      statuses.add((await answer(visitor, from, (options) => stranger.get(options))).status)
    }
    expect([...statuses]).toEqual([422, 429])
  })
})
