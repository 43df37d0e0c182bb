import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { nameThrottle } from '../../../src/accounts/sign-in/throttle-kinds'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { codeOf, enrol } from '../../support/authenticator'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let nodoka: Visitor
let id = 0
const password = 'correct horse battery'
const page = '/settings/delete_account'

beforeEach(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  nodoka = await createMember(kiroku, 'nodoka')
})
afterEach(() => kiroku.close())

const nodokaNow = () =>
  kiroku.store.handle.query('select username, disabled_at from users where id = ?').values(id)[0]
const untouched = ['nodoka', null]

/** Waits for everything that was started in the background. */
async function untilDeleted(): Promise<void> {
  while (!kiroku.lines.some(({ event }) => /account_deleted|deletion_interrupted/.test(event)))
    await new Promise(setImmediate)
}

describe('an account is not deleted', () => {
  test('by strangers', async () => {
    expect((await createVisitor(kiroku).open(page)).location).toBe(
      '/sign_in?return_to=%2Fsettings%2Fdelete_account',
    )
  })

  test('without a code, if there is two-step verification (§2.2)', async () => {
    const { key } = await enrol(kiroku, nodoka)
    kiroku.clock.now += 60_000
    const coded = `${page}/code`
    const inputs = hiddenInputs((await nodoka.open(coded)).text, coded)
    const typed = { ...inputs, password, what: 'everything' }
    expect((await nodoka.open(page)).location).toBe(coded)
    expect((await nodoka.post(page, typed)).location).toBe(coded)
    expect((await nodoka.post(coded, { ...typed, code: '000000' })).status).toBe(422)
    expect(nodokaNow()).toEqual(untouched)
    const code = codeOf(key, kiroku.clock.now)
    expect((await nodoka.post(coded, { ...typed, code })).location).toBe('/account_deleted')
  })

  test('with a wrong password, without a password, or without a valid choice of what to delete', async () => {
    for (const wrong of [{ password: 'wrong horse battery' }, { password: '' }, { password, what: 'all' }]) {
      const answer = await nodoka.submit(page, { what: 'everything', ...wrong })
      expect([wrong, answer.status]).toEqual([wrong, 422])
    }
    expect(nodokaNow()).toEqual(untouched)
  })

  test('by a form from another site or without a CSRF token (§2.3)', async () => {
    const inputs = hiddenInputs((await nodoka.open(page)).text, page)
    const typed = { ...inputs, password, what: 'everything' }
    const crossSite = await nodoka.post(page, typed, { 'sec-fetch-site': 'cross-site' })
    expect(crossSite.status).toBe(403)
    expect((await nodoka.post(page, { ...typed, csrf: 'x' })).status).toBe(403)
    expect(nodokaNow()).toEqual(untouched)
  })

  test('if it is the last administrator’s', async () => {
    kiroku.store.handle.run('update users set is_admin = 1 where id = ?', [id])
    const answer = await nodoka.submit(page, { password, what: 'everything' })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('the only administrator')])
    expect(nodokaNow()).toEqual(untouched)
  })

  test('after too many wrong passwords, until some time has passed (§2.1)', async () => {
    const counted = { key: nameThrottle('nodoka').key, failures: 9, last_failed_at: kiroku.clock.now }
    await kiroku.deps.write((tx) => tx.insertInto('throttles').values(counted).execute())
    const answer = await nodoka.submit(page, { password, what: 'everything' })
    expect(answer.status).toBe(429)
    expect(nodokaNow()).toEqual(untouched)
  })
})

test('the password is asked for once, however long ago the user signed in', async () => {
  kiroku.clock.now += 60 * 60_000
  expect((await nodoka.open(`${page}/code`)).location).toBe(page)
  expect((await nodoka.submit(page, { password, what: 'everything' })).location).toBe('/account_deleted')
  await untilDeleted()
})

test('with everything: nothing is left, the browser is signed out, and the deletion is logged', async () => {
  const token = await kiroku.tokenOf('nodoka', 'read')
  const other = await createMember(kiroku, 'nodoka')
  const answer = await nodoka.submit(page, { password, what: 'everything' })
  expect([answer.status, answer.location]).toEqual([303, '/account_deleted'])
  expect(nodoka.cookies.has('sid_3000')).toBe(false)
  expect((await other.open('/settings')).status).toBe(303)
  const asked = await kiroku.ask('/v1/me', { headers: { authorization: `Bearer ${token}` } })
  expect(asked.status).toBe(401)
  await untilDeleted()
  expect(nodokaNow()).toBeUndefined()
  expect(kiroku.lines.filter(({ event }) => /delet/.test(event)).map(({ facts }) => facts.user)).toEqual([
    id,
    id,
  ])
  expect((await nodoka.open('/account_deleted')).text).toContain('Your account has been deleted')
  expect((await nodoka.signIn('nodoka', password)).status).toBe(422)
})

test('with comments kept: the account loses its name, and neither name nor address can sign in', async () => {
  kiroku.store.handle.run(
    `insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
     values (${id}, 1, 1, 'よかった', 1, 1), (${id}, 1, 1, '', 1, 1)`,
  )
  await nodoka.submit(page, { password, what: 'all_but_comments' })
  await untilDeleted()
  expect(nodokaNow()).toEqual([`deleted_${id}`, kiroku.clock.now])
  const shown = await kiroku.json(`/v1/records?filter_user_id=${id}`)
  expect(shown.records.map((record: Body) => record.comment)).toEqual(['よかった'])
  for (const name of [`deleted_${id}`, 'nodoka', 'nodoka@example.com', '@']) {
    const typed = await createVisitor(kiroku).signIn(name, password)
    expect([name, typed.status]).toEqual([name, 422])
  }
  expect(findDrift(kiroku.store.handle).filter(({ table }) => table === 'users')).toEqual([])
})

test('the page explains in Japanese what will happen', async () => {
  const { text } = await (await createMember(kiroku, 'nodoka', { language: 'ja' })).open(page)
  expect(text).toContain('アカウントの削除')
  expect(text).toContain('元に戻すことはできません。')
})
