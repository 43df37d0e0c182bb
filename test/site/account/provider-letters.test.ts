import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { comeBack, createHousehold, signInWith } from '../../support/provider-visits'
import { startSmtp } from '../../support/smtp'
import { createMember, createVisitor } from '../../support/visitor'

const smtp = startSmtp()
const household = await createHousehold({ linkByEmail: true, signUp: true }, { smtpUrl: smtp.url })
const { kiroku, home } = household
afterAll(async () => {
  await household.close()
  smtp[Symbol.dispose]()
})

let count = 0
let username = ''
beforeEach(async () => {
  await letters()
  username = `nodoka${count++}`
  const user = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
  await createUser(kiroku.deps, user)
  Object.assign(home, { faults: {}, person: { sub: `sub-of-${username}`, preferred_username: 'at_home' } })
})

/** What has arrived since the last time. */
async function letters() {
  await kiroku.deps.mail?.idle()
  return smtp.letters.splice(0).map(({ to, head, text }) => {
    // What only the provider and kiroku have to know.
    expect(head + text).not.toMatch(/sub-of-|at_home|127\.0\.0\.1|kir_|state=/)
    return [to, /^Subject: (.*?)\r?$/m.exec(head)?.[1], text] as const
  })
}

const path = '/settings/providers'

test('D102: the owner is told by letter that a provider came and went, by its name, and once', async () => {
  const nodoka = await createMember(kiroku, username)
  const connect = async () =>
    await comeBack(household, nodoka, await nodoka.submit(path, {}, `${path}/home/connect`))
  await connect()
  const [came, ...more] = await letters()
  expect([came?.[0], came?.[1], more]).toEqual([
    `${username}@example.com`,
    'kiroku: another way to sign in was connected',
    [],
  ])
  expect(came?.[2]).toContain(
    `account ${username} at http://localhost:3000 was connected with 家のアカウント`,
  )
  expect(came?.[2]).toContain('http://localhost:3000/settings/providers')
  // Signing in with it tells nothing.
  await signInWith(household, createVisitor(kiroku))
  expect(await letters()).toEqual([])
  const action = /action="(\/settings\/providers\/\d+\/disconnect)"/.exec((await nodoka.open(path)).text)?.[1]
  await nodoka.submit(path, {}, action)
  const [went, ...others] = await letters()
  expect([went?.[0], went?.[1], others]).toEqual([
    `${username}@example.com`,
    'kiroku: a way to sign in was disconnected',
    [],
  ])
  expect(went?.[2]).toContain('家のアカウント')
})

test('D102: a connection by e-mail is told in the language of the account, to the address that kiroku confirmed', async () => {
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ language: 'ja' }).where('username', '=', username).execute(),
  )
  Object.assign(home.person, { email: `${username.toUpperCase()}@example.com`, email_verified: true })
  expect((await signInWith(household, createVisitor(kiroku))).location).toBe('/')
  const [[to, , text] = [], ...more] = await letters()
  expect([to, more]).toEqual([`${username}@example.com`, []])
  expect(text).toContain(`のアカウント ${username} に 家のアカウント が連携され`)
})

test('nobody is told of a refused connection, nor of an account that a provider has just made', async () => {
  const nodoka = await createMember(kiroku, username)
  await comeBack(household, nodoka, await nodoka.submit(path, {}, `${path}/home/connect`))
  await letters()
  const mio = await createMember(kiroku, 'mio')
  expect((await comeBack(household, mio, await mio.submit(path, {}, `${path}/home/connect`))).status).toBe(
    409,
  )
  home.person = {
    sub: 'sub-of-ritsu',
    preferred_username: 'ritsu_x',
    email: 'r@example.com',
    email_verified: true,
  }
  expect((await signInWith(household, createVisitor(kiroku))).location).toBe('/welcome')
  expect(await letters()).toEqual([])
})
