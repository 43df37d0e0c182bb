import { afterAll, beforeAll, expect, test } from 'bun:test'
import { changeStanding } from '../../../src/accounts/account/standing'
import { createUser } from '../../../src/accounts/account/user'
import { codeOf, enrol } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, type Visitor } from '../../support/visitor'

const password = 'correct horse battery'

let kiroku: Instance
let nodoka: Visitor

beforeAll(async () => {
  kiroku = await createInstance()
  const user = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  await createUser(kiroku.deps, user)
  nodoka = await createMember(kiroku, 'nodoka')
})
afterAll(() => kiroku.close())

test('with two-step verification, confirming takes password and code, and the code cannot be skipped (§2.2)', async () => {
  expect((await nodoka.open('/confirm/code?return_to=%2Fsettings')).location).toBe(
    '/confirm?return_to=%2Fsettings',
  )
  const { key } = await enrol(kiroku, nodoka)
  kiroku.clock.now += 16 * 60_000
  const led = await nodoka.open('/settings/sessions')
  expect((await nodoka.open(led.location)).location).toBe('/confirm/code?return_to=%2Fsettings%2Fsessions')
  const form = '/confirm/code?return_to=%2Fsettings%2Fsessions'
  const code = codeOf(key, kiroku.clock.now)
  for (const wrong of [
    { password: 'wrong password', code },
    { password, code: '000000' },
  ])
    expect((await nodoka.submit(form, wrong)).status).toBe(422)
  expect((await nodoka.open('/settings/sessions')).status).toBe(303)
  const taken = await nodoka.submit(form, { password, code })
  expect([taken.status, taken.location]).toEqual([303, '/settings/sessions'])
  expect((await nodoka.open('/settings/sessions')).status).toBe(200)
})

test('an account deleted with comments kept cannot be enabled again', async () => {
  const { deps } = kiroku
  const { id } = await deps.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'nodoka')
    .executeTakeFirstOrThrow()
  expect(await changeStanding(deps, id, 'disable')).toBe('done')
  const deletion = { user_id: id, keeps_comments: 1, begun_at: 1, finished_at: 2 }
  await deps.write((tx) => tx.insertInto('deletions').values(deletion).execute())
  expect(await changeStanding(deps, id, 'enable')).toBe('unchanged')
})
