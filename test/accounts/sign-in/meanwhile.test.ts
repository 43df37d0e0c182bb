import { afterEach, beforeEach, expect, test } from 'bun:test'
import { beginDeletion, finishDeletion } from '../../../src/accounts/account/deletion'
import { passwordMatches } from '../../../src/accounts/account/password'
import { changeStanding } from '../../../src/accounts/account/standing'
import { createUser } from '../../../src/accounts/account/user'
import { endSessions } from '../../../src/accounts/sign-in/session'
import { checkPassword } from '../../../src/accounts/sign-in/sign-in'
import { createApp } from '../../../src/app'
import type { Write } from '../../../src/db/write'
import { codeOf, enrol } from '../../support/authenticator'
import { cheapPasswords, createInstance, type Instance, requestOf, types } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, sameOrigin } from '../../support/visitor'

const password = 'correct horse battery'
const weak = { algorithm: 'argon2id', ...cheapPasswords } as const
const passwordCost = { memoryCost: 64, timeCost: 1 }

let kiroku: Instance
let nodoka: number

beforeEach(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  nodoka = await createUser(kiroku.deps, asked)
})
afterEach(() => kiroku.close())

/** A writer that lets something else happen between the n-th write of a request and the next. */
function withMeanwhile(n: number, meanwhile: () => Promise<unknown>): Write {
  let left = n
  return async (change) => {
    const result = await kiroku.deps.write(change)
    left -= 1
    if (left === 0) await meanwhile()
    return result
  }
}

/** A visitor of the same instance to whom that happens. */
function visitorWith(n: number, meanwhile: () => Promise<unknown>) {
  const app = createApp({ ...kiroku.deps, write: withMeanwhile(n, meanwhile) })
  return createVisitor({
    ask: (target, init, peer = '192.0.2.1') => app.handle(requestOf(target, init), peer),
  })
}

const sessionsNow = () =>
  kiroku.deps.read.selectFrom('sessions').select('id').where('user_id', '=', nodoka).execute()

const deleteAccount = async () => {
  await beginDeletion(kiroku.deps, { userId: nodoka, keepsComments: false })
  await finishDeletion(kiroku.deps, nodoka)
}

const setHash = (password_hash: string) =>
  kiroku.deps.write((tx) => tx.updateTable('users').set({ password_hash }).where('id', '=', nodoka).execute())

test('a weak hash is not replaced over a password changed in the meantime', async () => {
  await setHash(await Bun.password.hash(password, weak))
  const changed = await Bun.password.hash('another horse battery', weak)
  // The attempt is counted, then taken back; then the password is rehashed.
  const write = withMeanwhile(2, () => setHash(changed))
  await checkPassword(
    { ...kiroku.deps, write, passwordCost },
    { name: 'nodoka', password, address: '192.0.2.1', device: '' },
  )
  const { password_hash } = await kiroku.deps.read
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', nodoka)
    .executeTakeFirstOrThrow()
  expect(await passwordMatches(password, password_hash)).toBe(false)
  expect(password_hash).toBe(changed)
})

test.each([
  ['the password was changed', () => setHash('another')],
  ['the account was disabled', () => changeStanding(kiroku.deps, nodoka, 'disable')],
  ['the account was deleted', deleteAccount],
])('a sign-in lets nobody in when %s while the password was checked (§2.2)', async (_, meanwhile) => {
  // The attempt is counted, then taken back; then the session starts.
  const page = await visitorWith(2, meanwhile).signIn('nodoka', password)
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('Incorrect username or password.')])
  expect(await sessionsNow()).toEqual([])
})

test('a session does not start, even with a code, if the password was changed just before (§2.2)', async () => {
  const { key } = await enrol(kiroku, await createMember(kiroku, 'nodoka'))
  kiroku.clock.now += 60_000
  // Two writes for the password and the half session; then the attempt, its step, and taking the attempt back.
  const visitor = visitorWith(7, async () => {
    await setHash('another')
    await kiroku.deps.write((tx) => tx.deleteFrom('sessions').where('user_id', '=', nodoka).execute())
  })
  const half = await visitor.signIn('nodoka', password)
  await visitor.submit(half.location, { code: codeOf(key, kiroku.clock.now) })
  expect(await sessionsNow()).toEqual([])
})

test('a user who re-authenticates while the account is being deleted is signed out without a fault', async () => {
  const visitor = visitorWith(2, deleteAccount)
  for (const [name, value] of (await createMember(kiroku, 'nodoka')).cookies) visitor.cookies.set(name, value)
  const page = await visitor.submit('/confirm', { password })
  expect([page.status, page.location]).toEqual([303, '/'])
  expect((await visitor.open('/settings')).location).toStartWith('/sign_in')
})

test('a form is refused if its session ended while it was being sent (§2.2)', async () => {
  const member = await createMember(kiroku, 'nodoka')
  const page = await member.open('/settings/profile')
  const { csrf = '' } = hiddenInputs(page.text, '/settings/profile')
  const pieces = [
    () => `csrf=${csrf}&name=`,
    async () => {
      await kiroku.deps.write((tx) => endSessions(tx, nodoka, { except: undefined }))
      return 'somebody'
    },
  ]
  const body = new ReadableStream({
    pull: async (controller) => {
      const piece = await pieces.shift()?.()
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
  const sent = await member.open('/settings/profile', {
    method: 'POST',
    body,
    headers: { ...sameOrigin, 'content-type': types.form },
  })
  expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/sign_in\?/)])
  expect((await kiroku.json(`/v1/users?filter_ids=${nodoka}`)).users[0].name).toBe('nodoka')
})
