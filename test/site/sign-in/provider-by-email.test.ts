import { expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { opened, problemOf, signInWith, useHouseholds } from '../../support/provider-visits'
import { createMember, createVisitor } from '../../support/visitor'

useHouseholds()

test('D102: an address that both sides confirmed connects the account, once, where that is on', async () => {
  const person = { email: 'Nodoka@example.com', email_verified: true }
  const made = await opened({ linkByEmail: true }, person)
  const { come, account, kiroku, home, household } = made
  await createUser(kiroku.deps, {
    username: 'nodoka',
    email: 'nodoka@example.com',
    password: 'correct horse',
    isAdmin: false,
  })
  home.person = { ...home.person, email_verified: 'true' }
  expect(problemOf(await come())).toBe('unknown')
  home.person = { ...home.person, email_verified: true }
  const change = (values: object) =>
    kiroku.deps.write((tx) => tx.updateTable('users').set(values).where('username', '=', 'nodoka').execute())
  const refusals: readonly (readonly [object, object])[] = [
    [{ is_admin: 1 }, { is_admin: 0 }],
    [{ email_key: null }, { email_key: 'nodoka@example.com' }],
    [{ disabled_at: 1 }, { disabled_at: null }],
    [{ has_passkey_step: 1 }, { has_passkey_step: 0 }],
  ]
  for (const [values, back] of refusals) {
    await change(values)
    expect([values, problemOf(await come())]).toEqual([values, 'unknown'])
    await change(back)
  }
  expect((await come()).location).toBe('/')
  expect((await account('nodoka'))?.subject).toBe('sub-1')
  home.person = { ...home.person, sub: 'sub-2' }
  expect(problemOf(await signInWith(household, createVisitor(kiroku)))).toBe('unknown')
  expect(kiroku.lines.find(({ event }) => event === 'identity_connected')?.facts.why).toBe('e-mail')
})

test('D102: an app as second step is not passed by an address, and off is off', async () => {
  const person = { email: 'mio@example.com', email_verified: true }
  const { come, kiroku } = await opened({ linkByEmail: true }, person)
  const { id } = await kiroku.deps.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'mio')
    .executeTakeFirstOrThrow()
  const user = { email: 'mio@example.com', email_key: 'mio@example.com', is_admin: 0 }
  await kiroku.deps.write((tx) => tx.updateTable('users').set(user).where('id', '=', id).execute())
  const factor = { user_id: id, secret: new Uint8Array(20), confirmed_at: 1 }
  await kiroku.deps.write((tx) => tx.insertInto('second_factors').values(factor).execute())
  expect(problemOf(await come())).toBe('unknown')
  await kiroku.deps.write((tx) => tx.deleteFrom('second_factors').execute())
  expect((await come()).status).toBe(303)
  const off = await opened({}, person)
  await off.kiroku.deps.write((tx) =>
    tx.updateTable('users').set(user).where('username', '=', 'mio').execute(),
  )
  expect(problemOf(await off.come())).toBe('unknown')
})

test('an account that somebody made beforehand with the address is left alone (§6)', async () => {
  const person = { preferred_username: 'victim', email: 'victim@example.com', email_verified: true }
  const { come, account, kiroku } = await opened({ linkByEmail: true, signUp: true }, person)
  const squatter = {
    username: 'squatter',
    email: 'victim@example.com',
    password: 'correct horse',
    isAdmin: false,
  }
  await createUser(kiroku.deps, { ...squatter, isEmailUnproved: true })
  await come()
  expect([(await account('squatter'))?.subject, (await account('victim'))?.subject]).toEqual([null, 'sub-1'])
  expect((await (await createMember(kiroku, 'squatter')).open('/settings')).status).toBe(200)
})
