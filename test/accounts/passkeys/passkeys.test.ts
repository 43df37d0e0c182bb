import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { createInstance, type Instance } from '../../support/instance'
import { addDevice, answer, createDevice, optionsIn, signInBy } from '../../support/passkey-device'
import { startSmtp } from '../../support/smtp'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

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

describe('D101: a passkey', () => {
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const)
    test(`with ${algorithm} is added and signs in alone, to where the person wanted`, async () => {
      const device = createDevice({ algorithm })
      expect((await addDevice(nodoka, device)).location).toBe('/settings/passkeys')
      const visitor = createVisitor(kiroku)
      const from = { page: '/sign_in?return_to=%2Fsettings%2Fexport', action: '/sign_in/passkey' }
      const page = await answer(visitor, from, (options) => device.get(options))
      expect([page.status, page.location]).toEqual([303, '/settings/export'])
      expect((await visitor.open('/settings/export')).text).toContain('>nodoka</a>')
      expect(values('select way, passkey, outcome from sign_ins')).toEqual([
        ['passkey', 'Unknown browser', 'ok'],
      ])
      expect(values('select way, passkey_id from sessions order by id desc limit 1')).toEqual([
        ['passkey', 1],
      ])
      expect(events('sign_in')).toMatchObject([{ way: 'passkey', outcome: 'ok', user: id }])
      expect(await subjects()).toEqual(['kiroku: a passkey was added'])
    })

  test('asks for what the specification says, and looking at the pages stores nothing', async () => {
    const before = [count('spent_challenges'), values('select passkey_handle from users where id = ?', id)]
    const adding = optionsIn(await nodoka.open('/settings/passkeys'), '/settings/passkeys')
    expect(adding).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'nodoka' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    })
    expect(Buffer.from(adding.user.id, 'base64url')).toHaveLength(32)
    const alone = optionsIn(await createVisitor(kiroku).open('/sign_in'), '/sign_in/passkey')
    expect(alone).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expect([count('spent_challenges'), values('select passkey_handle from users where id = ?', id)]).toEqual(
      before,
    )
    const device = createDevice()
    await addDevice(nodoka, device)
    const again = optionsIn(await nodoka.open('/settings/passkeys'), '/settings/passkeys')
    expect(again.excludeCredentials).toMatchObject([{ id: device.id.toString('base64url') }])
  })

  test('is known to one account, once: not added again here or elsewhere', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    expect((await addDevice(nodoka, device)).status).toBe(422)
    expect((await addDevice(await createMember(kiroku, 'azusa'), device)).status).toBe(422)
    expect(count('passkeys')).toBe(1)
    expect(events('passkey_refused').map(({ why }) => why)).toEqual(['known', 'known'])
  })

  test('is one of at most 20', async () => {
    for (let n = 0; n < 20; n += 1) expect((await addDevice(nodoka, createDevice())).status).toBe(303)
    const more = await addDevice(nodoka, createDevice())
    expect([more.status, more.text]).toEqual([422, expect.stringContaining('at most 20 passkeys')])
  })

  test('of whoever was disabled does not let them in (403), which is theirs to see', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    kiroku.store.handle.run('update users set disabled_at = 1 where id = ?', [id])
    const page = await signInBy(createVisitor(kiroku), device)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('disabled')])
    expect(values('select way, outcome from sign_ins')).toEqual([['passkey', 'disabled']])
  })

  test('with two devices a key that does not count signs in again and again', async () => {
    const device = createDevice({ counts: false, isBackedUp: true })
    await addDevice(nodoka, device)
    for (let n = 0; n < 3; n += 1) expect((await signInBy(createVisitor(kiroku), device)).status).toBe(303)
    expect((await nodoka.open('/settings/passkeys')).text).toContain('on several devices')
  })
})
