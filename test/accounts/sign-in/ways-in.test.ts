import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { createLink } from '../../../src/accounts/sign-in/one-time-link'
import { countWithoutWay, wayRules } from '../../../src/accounts/sign-in/ways-in'
import type { Config } from '../../../src/config'
import { createInstance, type Instance } from '../../support/instance'
import { perform } from '../../support/member-rows'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let id = 0
const password = 'correct horse battery'
const day = 86_400_000

async function start(config: Partial<Config> = {}): Promise<void> {
  kiroku = await createInstance({ config })
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
}
beforeEach(() => start())
afterEach(() => kiroku.close())

const values = (sql: string, ...of: (string | number)[]) => kiroku.store.handle.query(sql).values(...of)
const noted = () => values('select way, outcome, second_step from sign_ins where user_id = ? order by id', id)
const hashOf = () => values('select password_hash from users where id = ?', id)[0]?.[0]
const addPasskey = () => perform(kiroku.store.handle, ['passkey', id, 1, 1])
const withoutPassword = () =>
  kiroku.store.handle.run("update users set password_hash = '' where id = ?", [id])
const linkOf = async () =>
  `/sign_in/link/${await kiroku.deps.write((tx) => createLink(tx, kiroku.deps, { purpose: 'sign_in', userId: id }))}`

describe('D100: nobody removes their last way in', () => {
  const remove = '/settings/password/remove'

  test('the password stays if it is the only one, and is not offered to be removed', async () => {
    const nodoka = await createMember(kiroku, 'nodoka')
    expect((await nodoka.open('/settings/password')).text).not.toContain(remove)
    const refused = await nodoka.submit(remove)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('your only way to sign in')])
    expect(hashOf()).not.toBe('')
  })

  test('a passkey of another host or one for the second step alone is no way in', async () => {
    const nodoka = await createMember(kiroku, 'nodoka')
    addPasskey()
    kiroku.store.handle.run("update passkeys set rp_id = 'old.example'")
    expect((await nodoka.submit(remove)).status).toBe(422)
    kiroku.store.handle.run("update passkeys set rp_id = 'localhost', is_verified = 0")
    expect((await nodoka.submit(remove)).status).toBe(422)
    kiroku.store.handle.run('update passkeys set is_verified = 1')
    expect((await nodoka.open('/settings/password')).text).toContain(remove)
    expect((await nodoka.submit(remove)).location).toBe('/settings')
    expect(hashOf()).toBe('')
  })

  test('removing it ends the other sessions that began with it, and no others', async () => {
    addPasskey()
    const [nodoka, elsewhere, byLink] = [
      await createMember(kiroku, 'nodoka'),
      await createMember(kiroku, 'nodoka'),
      await createMember(kiroku, 'nodoka'),
    ]
    kiroku.store.handle.run("update sessions set way = 'link' where id = (select max(id) from sessions)")
    await nodoka.submit(remove)
    expect((await nodoka.open('/settings')).status).toBe(200)
    expect((await elsewhere.open('/settings')).status).toBe(303)
    expect((await byLink.open('/settings')).status).toBe(200)
    expect(kiroku.lines.map(({ event }) => event)).toContain('password_removed')
    expect((await createVisitor(kiroku).signIn('nodoka', password)).status).toBe(422)
  })

  test('it can be set again, by whoever has confirmed who they are', async () => {
    addPasskey()
    const nodoka = await createMember(kiroku, 'nodoka')
    await nodoka.submit(remove)
    kiroku.clock.now += 16 * 60_000
    expect((await nodoka.open('/settings/password')).location).toStartWith('/confirm')
    kiroku.clock.now -= 16 * 60_000
    await nodoka.submit('/settings/password', { password: 'another horse battery' })
    expect((await createVisitor(kiroku).signIn('nodoka', 'another horse battery')).status).toBe(303)
  })
})

test('D100: --require-two-step is met by having no password', async () => {
  await kiroku.close()
  await start({ requireTwoStep: 'everyone' })
  const nodoka = await createMember(kiroku, 'nodoka')
  expect((await nodoka.open('/settings')).location).toStartWith('/settings/two_step')
  withoutPassword()
  expect((await nodoka.open('/settings')).status).toBe(200)
})

test('an account without a password is deleted by whoever has just confirmed and types its name', async () => {
  withoutPassword()
  const nodoka = await createMember(kiroku, 'nodoka')
  const page = '/settings/delete_account/name'
  expect((await nodoka.open('/settings/delete_account')).location).toBe(page)
  expect((await nodoka.submit(page, { username: 'mio' })).status).toBe(422)
  kiroku.clock.now += 5 * 60_000 + 1
  expect((await nodoka.open(page)).location).toStartWith('/confirm?')
  kiroku.clock.now -= 5 * 60_000 + 1
  expect((await nodoka.submit(page, { username: 'Nodoka' })).location).toBe('/account_deleted')
})

describe('D100: a reset link offers to remove passkeys and connected sign-ins', () => {
  const resetLink = async () =>
    `/reset_password/${await kiroku.deps.write((tx) => createLink(tx, kiroku.deps, { purpose: 'reset', userId: id }))}`

  test('only to whoever has some; ticked if one is younger than 30 days', async () => {
    const visitor = createVisitor(kiroku)
    expect((await visitor.open(await resetLink())).text).not.toContain('name="remove_others"')
    addPasskey()
    expect((await visitor.open(await resetLink())).text).toMatch(/name="remove_others" value="1" aria/)
    kiroku.store.handle.run('update passkeys set created_at = ?', [kiroku.clock.now - 29 * day])
    expect((await visitor.open(await resetLink())).text).toMatch(/name="remove_others" value="1" checked/)
  })

  test('and does so if ticked', async () => {
    addPasskey()
    perform(kiroku.store.handle, ['identity', id, 1, 1])
    const visitor = createVisitor(kiroku)
    await visitor.submit(await resetLink(), { password: 'another horse battery', remove_others: '' })
    expect(values('select count(*) from passkeys')).toEqual([[1]])
    await visitor.submit(await resetLink(), { password: 'another horse battery', remove_others: '1' })
    expect(values('select (select count(*) from passkeys) + (select count(*) from identities)')).toEqual([
      [0],
    ])
  })
})

describe('D104: the operator’s sign-in link', () => {
  test('signs in once after a press, whatever was lost, and within ten minutes', async () => {
    withoutPassword()
    const link = await linkOf()
    const visitor = createVisitor(kiroku)
    expect((await visitor.open(link)).text).toContain('nodoka')
    kiroku.clock.now += 10 * 60_000
    expect((await visitor.open(link)).status).toBe(404)
    kiroku.clock.now -= 1
    expect((await visitor.submit(link)).location).toBe('/settings')
    expect((await visitor.open('/settings/sign_ins')).status).toBe(200)
    expect((await createVisitor(kiroku).open(link)).status).toBe(404)
    expect(noted()).toEqual([['link', 'ok', '']])
    expect(kiroku.lines.filter(({ event }) => /^sign_in/.test(event))).toMatchObject([
      { event: 'sign_in', facts: { way: 'link', outcome: 'ok', user: id } },
      { event: 'sign_in_link', facts: { user: id } },
    ])
  })

  test('of a disabled account is none', async () => {
    const link = await linkOf()
    kiroku.store.handle.run('update users set disabled_at = 1 where id = ?', [id])
    expect((await createVisitor(kiroku).open(link)).status).toBe(404)
  })
})

describe('D104: with --password-sign-in off', () => {
  const refused = async (visitor: Visitor, path: string) => [path, (await visitor.open(path)).status]

  test('no page takes a password; hashes stay, and a link still signs in', async () => {
    await kiroku.close()
    await start({ passwordSignIn: false, registration: 'open' })
    const visitor = createVisitor(kiroku)
    const page = await visitor.open('/sign_in')
    expect([page.status, page.text.includes('type="password"')]).toEqual([200, false])
    expect(page.text).toContain('Passwords are switched off here')
    const link = await linkOf()
    const { csrf = '' } = hiddenInputs((await visitor.open(link)).text, link)
    expect((await visitor.post('/sign_in', { csrf, username: 'nodoka', password })).status).toBe(403)
    expect(await refused(visitor, '/reset_password')).toEqual(['/reset_password', 403])
    expect(hashOf()).toStartWith('$argon2id$')
    await visitor.submit(link)
    expect(await refused(visitor, '/settings/password')).toEqual(['/settings/password', 403])
    kiroku.clock.now += 16 * 60_000
    const confirm = await visitor.follow('/settings/sign_ins')
    expect([confirm.status, confirm.text.includes('type="password"')]).toEqual([200, false])
  })

  test('accounts with a password alone have no way in, of which the start warns', async () => {
    const { read, config } = kiroku.deps
    const count = (passwordSignIn: boolean) => countWithoutWay(read, wayRules({ ...config, passwordSignIn }))
    const [all, one] = [await count(false), await count(true)]
    addPasskey()
    expect([await count(false), await count(true)]).toEqual([all - 1, one])
    withoutPassword()
    kiroku.store.handle.run("update passkeys set rp_id = 'old.example'")
    expect(await count(true)).toBe(one + 1)
  })
})
