import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { changeStanding } from '../../../src/accounts/account/standing'
import { createUser } from '../../../src/accounts/account/user'
import { removeSecondFactor } from '../../../src/accounts/sign-in/second-factor'
import { createApp } from '../../../src/app'
import { createSecret, hashSecret } from '../../../src/lib/secret'
import { codeOf, enrol } from '../../support/authenticator'
import { createInstance, type Instance, requestOf } from '../../support/instance'
import { type SmtpServer, startSmtp } from '../../support/smtp'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let smtp: SmtpServer
let id: number
let member: Visitor
const password = 'correct horse battery'
const another = 'another horse battery'

beforeEach(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { smtpUrl: smtp.url } })
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  member = await createMember(kiroku, 'nodoka')
})
afterEach(async () => {
  await kiroku.deps.mail?.idle()
  await kiroku.close()
  smtp[Symbol.dispose]()
})

/** Every kind of account link, with the page that it opens for the account's owner. */
const pages: Readonly<Record<string, string>> = {
  reset: '/reset_password',
  email: '/settings/email',
  sign_in: '/sign_in/link',
}

/** A link that was mailed or handed out earlier, in addition to any others. */
async function outstanding(purpose: string): Promise<string> {
  const link = createSecret('ln', kiroku.deps.random)
  const { now } = kiroku.clock
  const email = purpose === 'email' ? 'elsewhere@example.com' : null
  kiroku.store.handle.run(
    `insert into one_time_links (purpose, user_id, email, link_hash, created_at, expires_at) values (?, ?, ?, ?, ?, ?)`,
    [purpose, id, email, hashSecret(link), now, now + 3_600_000],
  )
  return `${pages[purpose]}/${link}`
}

const opens = async (link: string) => (await (await createMember(kiroku, 'nodoka')).open(link)).status === 200

/** The link in the last letter. */
async function mailed(): Promise<string> {
  await kiroku.deps.mail?.idle()
  return /http:\/\/localhost:3000(\/\S*kir_ln_\w{49})/.exec(smtp.letters.at(-1)?.text ?? '')?.[1] ?? ''
}

const turnOn = async () => (await enrol(kiroku, member)).key
const withoutMail = () => {
  const app = createApp({ ...kiroku.deps, mail: undefined })
  const visitor = createVisitor({ ask: (target, init) => app.handle(requestOf(target, init), '192.0.2.1') })
  for (const [name, value] of member.cookies) visitor.cookies.set(name, value)
  return visitor
}

interface Change {
  /** Sets up the precondition; returns what the change needs. */
  prepare?(): Promise<string>
  make(prepared: string): Promise<unknown>
}

const changes: Readonly<Record<string, Change>> = {
  'the password is changed': {
    make: () => member.submit('/settings/password', { current_password: password, password: another }),
  },
  'the password is set by a link': {
    prepare: async () => {
      await createVisitor(kiroku).submit('/reset_password', { name: 'nodoka' })
      return await mailed()
    },
    make: (link) => createVisitor(kiroku).submit(link, { password: another }),
  },
  'the e-mail address is changed by a link': {
    prepare: async () => {
      await member.submit('/settings/email', { email: 'new@example.com' })
      return await mailed()
    },
    make: (link) => member.submit(link),
  },
  'the e-mail address is changed where no mail is sent': {
    make: () => withoutMail().submit('/settings/email', { email: 'new@example.com' }),
  },
  'two-step verification is turned on': {
    prepare: async () => {
      const { location } = await member.submit('/settings/two_step', {}, '/settings/two_step/start')
      return (await member.open(location)).textOf('totp_key')
    },
    make: (key) => member.submit('/settings/two_step/set_up', { code: codeOf(key, kiroku.clock.now) }),
  },
  'two-step verification is turned off': {
    prepare: turnOn,
    make: (key) => {
      kiroku.clock.now += 30_000
      return member.submit('/settings/two_step/off', { code: codeOf(key, kiroku.clock.now) })
    },
  },
  'two-step verification is turned off by an operator': {
    prepare: turnOn,
    make: () => kiroku.deps.write((tx) => removeSecondFactor(tx, id)),
  },
  'recovery codes are made anew': {
    prepare: turnOn,
    make: () => member.submit('/settings/two_step/codes', { password }),
  },
  'the account is disabled, and enabled again': {
    make: async () => {
      for (const change of ['disable', 'enable'] as const) await changeStanding(kiroku.deps, id, change)
    },
  },
  'its user becomes an administrator': { make: () => changeStanding(kiroku.deps, id, 'promote') },
}

describe.each(Object.keys(pages))(`an account's link for the purpose "%s" is worthless once`, (purpose) => {
  test.each(Object.keys(changes))('%s', async (name) => {
    const { prepare, make } = changes[name] as Change
    const prepared = (await prepare?.()) ?? ''
    const link = await outstanding(purpose)
    expect(await opens(link)).toBe(true)
    await make(prepared)
    expect(await opens(link)).toBe(false)
    const left = kiroku.store.handle
      .query<unknown, [number]>('select purpose from one_time_links where user_id = ?')
      .all(id)
    expect(left).toEqual([])
  })
})

test('these are all kinds of links an account can have', () => {
  const [[text] = []] = kiroku.store.handle
    .query("select sql from sqlite_schema where name = 'one_time_links'")
    .values()
  const purposes = (pattern: RegExp) =>
    [...(pattern.exec(String(text))?.[1] ?? '').matchAll(/\w+/g)].map(([word]) => word)
  const all = purposes(/purpose text not null check \(purpose in \(([^)]*)\)\)/)
  const ofNobody = purposes(/\(user_id is null\) = \(purpose in \(([^)]*)\)\)/)
  expect(all.filter((purpose) => !ofNobody.includes(purpose))).toEqual(Object.keys(pages))
})

test('a link mailed to the previous address does not open after the address was changed', async () => {
  await createVisitor(kiroku).submit('/reset_password', { name: 'nodoka' })
  const link = await mailed()
  expect(smtp.letters.at(-1)?.to).toBe('nodoka@example.com')
  await member.submit('/settings/email', { email: 'new@example.com' })
  expect(await opens(link)).toBe(true)
  await member.submit(await mailed())
  expect(await opens(link)).toBe(false)
  const answer = await createVisitor(kiroku).open(link)
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('link')])
})
