import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { createInstance, type Instance } from '../../support/instance'
import { type SmtpServer, startSmtp } from '../../support/smtp'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let smtp: SmtpServer
let admin: Visitor
beforeEach(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { registration: 'approve', smtpUrl: smtp.url } })
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  admin = await createMember(kiroku, 'mio')
})
afterEach(async () => {
  await kiroku.close()
  smtp[Symbol.dispose]()
})

const password = 'correct horse battery'
const waitingPath = '/admin/users?state=waiting'
const decide = (id: number, decision: 'accept' | 'decline') => {
  const action = `/admin/join_requests/${id}/${decision}`
  return admin.submit(decision === 'accept' ? waitingPath : action, {}, action)
}
const userCalled = (username: string) =>
  kiroku.deps.read
    .selectFrom('users')
    .select(['email_key', 'invited_by'])
    .where('username', '=', username)
    .executeTakeFirst()

describe('registration approve with mail (D51)', () => {
  const linkIn = (text = '') => /http:\/\/localhost:3000(\/\S*kir_ln_\w{49})/.exec(text)?.[1] ?? ''
  const sent = async () => {
    await kiroku.deps.mail?.idle()
    return smtp.letters.splice(0)
  }
  /** By the link that proves the address, which asks the question. */
  const askByMail = async (username: string, email = `${username}@example.com`, language = 'en') => {
    const visitor = createVisitor(kiroku, { language })
    await visitor.submit('/sign_up', { email })
    const [letter] = await sent()
    return await visitor.submit(linkIn(letter?.text), { username, password, answer: 'I love Frieren.' })
  }

  test('the address is confirmed first, and a letter tells of the decision in the language of the page', async () => {
    expect((await askByMail('tsumugi', undefined, 'ja')).text).toContain('申請を送信しました')
    const [told] = await sent()
    expect([told?.to, told?.text]).toEqual(['mio@example.com', expect.stringContaining('?state=waiting')])
    expect((await createVisitor(kiroku).signIn('tsumugi@example.com', password)).status).toBe(403)
    expect((await admin.open(waitingPath)).text).toContain('(confirmed)')
    await decide(1, 'accept')
    const [letter] = await sent()
    expect([letter?.to, letter?.text]).toEqual([
      'tsumugi@example.com',
      expect.stringContaining('tsumugi でログインできます'),
    ])
    expect(await userCalled('tsumugi')).toMatchObject({ email_key: 'tsumugi@example.com' })
    await askByMail('mugi')
    await decide(2, 'decline')
    const [declined] = await sent()
    expect([declined?.to, declined?.text]).toEqual([
      'mugi@example.com',
      expect.stringContaining('was declined'),
    ])
  })

  test('administrators get at most one letter a day, and no letter goes to an address without proof', async () => {
    const told = []
    for (let count = 0; count < 5; count++) {
      await askByMail(`crowd_${count}`)
      told.push((await sent()).length)
      kiroku.clock.now += 8 * 3_600_000
    }
    expect(told).toEqual([1, 0, 0, 1, 0])
    await kiroku.deps.write((tx) => tx.updateTable('join_requests').set({ email_key: null }).execute())
    admin = await createMember(kiroku, 'mio')
    await decide(1, 'accept')
    expect(await sent()).toEqual([])
  })

  test('a link works once, and an address that waits is taken', async () => {
    const visitor = createVisitor(kiroku)
    await visitor.submit('/sign_up', { email: 'tsumugi@example.com' })
    const link = linkIn((await sent())[0]?.text)
    const values = { username: 'tsumugi', password, answer: 'I love Frieren.' }
    expect((await visitor.submit(link, { ...values, answer: '' })).status).toBe(422)
    expect((await visitor.submit(link, values)).status).toBe(200)
    expect((await visitor.open(link)).status).toBe(404)
    await sent()
    const again = await askByMail('mugi', 'Tsumugi@example.com')
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('Tsumugi@example.com')])
    expect(await kiroku.deps.read.selectFrom('join_requests').select('id').execute()).toHaveLength(1)
  })

  test('by an invitation the link asks nothing', async () => {
    const invitation = { createdBy: 4, uses: 1, expiresIn: undefined, note: '' }
    const { code } = await createInvitation(kiroku.deps, invitation)
    const visitor = createVisitor(kiroku)
    await visitor.submit(`/invitations/${code}`, { email: 'tsumugi@example.com' })
    const link = linkIn((await sent())[0]?.text)
    expect((await visitor.open(link)).text).not.toContain('name="answer"')
    expect((await visitor.submit(link, { username: 'tsumugi', password })).location).toBe('/welcome')
    expect(await userCalled('tsumugi')).toMatchObject({ invited_by: 4 })
  })
})
