import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { codeOf, enrolled, recoveryCodesIn } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { type SmtpServer, startSmtp } from '../../support/smtp'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let smtp: SmtpServer
let nodoka: Awaited<ReturnType<typeof enrolled>>
let member: Visitor
const password = 'correct horse battery'

beforeEach(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { smtpUrl: smtp.url } })
  await createUser(kiroku.deps, { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false })
  nodoka = await enrolled(kiroku, 'nodoka')
  member = await createMember(kiroku, 'nodoka')
  kiroku.clock.now += 30_000
})
afterEach(async () => {
  await kiroku.deps.mail?.idle()
  await kiroku.close()
  smtp[Symbol.dispose]()
})

const codeNow = () => codeOf(nodoka.key, kiroku.clock.now)
const kept = () => kiroku.store.handle.query('select id from recovery_codes').values().flat()

/** Letters sent since the last call: recipients, subjects and texts. */
async function letters() {
  await kiroku.deps.mail?.idle()
  return smtp.letters.splice(0)
}

describe('new recovery codes', () => {
  const page = '/settings/two_step/codes'

  test('are not created for a session alone, however recent, nor with an invalid proof', async () => {
    const before = kept()
    const used = codeOf(nodoka.key, kiroku.clock.now - 30_000)
    for (const proof of [{}, { code: '000000' }, { code: used }, { password: 'wrong password' }]) {
      const answer = await member.submit(page, proof)
      expect([proof, answer.status, recoveryCodesIn(answer.text)]).toEqual([proof, 422, []])
    }
    const bare = await member.submit(page)
    expect(bare.text).toContain('Enter your password or a code.')
    // A correct password does not make up for a wrong code.
    expect((await member.submit(page, { code: '000000', password })).status).toBe(422)
    expect(kept()).toEqual(before)
  })

  test('are not created after endless guesses (§2.1)', async () => {
    const statuses = []
    for (let count = 0; count < 7; count++)
      statuses.push((await member.submit(page, { code: '000000' })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
  })

  test.each([
    ['a code of the application', () => ({ code: codeNow() })],
    ['a recovery code', () => ({ code: nodoka.recoveryCodes[3] ?? '' })],
    ['the password', () => ({ password })],
  ])('are made for %s, and shown this once', async (_, proof) => {
    const before = kept()
    const answer = await member.submit(page, proof())
    expect([answer.status, recoveryCodesIn(answer.text).length]).toEqual([200, 10])
    expect(kept()).toHaveLength(10)
    expect(kept().filter((id) => before.includes(id))).toEqual([])
  })
})

describe('turning two-step verification off', () => {
  const page = '/settings/two_step/off'

  test.each([
    ['ends', { end_sessions: '1' }, '/sign_in?return_to=%2Fsettings'],
    ['leaves', {}, ''],
  ])('%s other sessions as it was chosen', async (_, chosen, elsewhere) => {
    const other = await createMember(kiroku, 'nodoka')
    const answer = await member.submit(page, { code: codeNow(), ...chosen })
    expect(answer.location).toBe('/settings/two_step')
    expect((await other.open('/settings')).location).toBe(elsewhere)
    expect((await member.open('/settings/two_step')).text).toContain('Two-step verification is off.')
  })

  test('leaves them on when the code is wrong', async () => {
    const other = await createMember(kiroku, 'nodoka')
    expect((await member.submit(page, { code: '000000', end_sessions: '1' })).status).toBe(422)
    expect((await other.open('/settings')).status).toBe(200)
  })
})

describe('a letter informs the owner (ASVS 6.3.7)', () => {
  test('that it was turned on or off, or that there are new recovery codes, without any secret', async () => {
    const [on] = await letters()
    await member.submit('/settings/two_step/codes', { password })
    const [renewed] = await letters()
    await member.submit('/settings/two_step/off', { code: codeNow() })
    const [off, ...more] = await letters()
    const all = [on, renewed, off]
    expect([...all.map((letter) => letter?.to), more.length]).toEqual([
      ...Array(3).fill('nodoka@example.com'),
      0,
    ])
    expect(on?.text).toContain(
      'Two-step verification was turned on for the account nodoka at http://localhost:3000',
    )
    expect(renewed?.text).toContain('New recovery codes were created for the account nodoka')
    expect(off?.text).toContain('Two-step verification was turned off for the account nodoka')
    for (const letter of all) {
      expect(letter?.text).not.toContain('kir_ln_')
      for (const code of nodoka.recoveryCodes) expect(letter?.text).not.toContain(code)
    }
  })

  test('in the language that they chose', async () => {
    await letters()
    kiroku.store.handle.run("update users set language = 'ja' where username = 'nodoka'")
    await member.submit('/settings/two_step/off', { code: codeNow() })
    const [off] = await letters()
    expect(off?.text).toContain('アカウント nodoka の2段階認証が無効になりました')
  })

  test('but is not sent if nothing happened, nor to an unconfirmed address', async () => {
    await letters()
    await member.submit('/settings/two_step/off', { code: '000000' })
    await member.submit('/settings/two_step/codes', { code: '000000' })
    kiroku.store.handle.run("update users set email_key = null where username = 'nodoka'")
    await member.submit('/settings/two_step/off', { code: codeNow() })
    expect(await letters()).toEqual([])
    expect((await member.open('/settings/two_step')).text).toContain('Two-step verification is off.')
  })
})
