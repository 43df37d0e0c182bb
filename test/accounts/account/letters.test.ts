import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { saveInstanceText } from '../../../src/accounts/instance-text'
import { createInstance, type Instance } from '../../support/instance'
import { type SmtpServer, startSmtp } from '../../support/smtp'
import { createMember, createVisitor, type Page } from '../../support/visitor'

let kiroku: Instance
let smtp: SmtpServer
const hour = 3_600_000

beforeEach(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { smtpUrl: smtp.url, registration: 'open' } })
})
afterEach(async () => {
  await kiroku.deps.mail?.idle()
  await kiroku.close()
  smtp[Symbol.dispose]()
})

/** A new network address each time. */
let used = 0
const elsewhere = () => `198.51.100.${used++ & 255}`

/** The recipients of letters sent since the last call. */
async function sent(): Promise<string[]> {
  await kiroku.deps.mail?.idle()
  return smtp.letters.splice(0).map(({ to }) => to)
}

const seen = ({ status, text }: Page) => [status, text.replaceAll(/value="[\w-]{86}"/g, '')]

const askReset = async (name: string, peer = elsewhere()) =>
  seen(await createVisitor(kiroku, { peer }).submit('/reset_password', { name }))
const askSignUp = async (email: string, peer = elsewhere()) =>
  seen(await createVisitor(kiroku, { peer }).submit('/sign_up', { email }))

describe('letters that anybody may request', () => {
  test('for a new password are sent to an account five times a day, by name or address, and the page never says so', async () => {
    const names = ['mio', 'MIO@example.com', 'ｍｉｏ', 'mio@example.com', 'mio', 'mio', 'mio@example.com']
    const answers = []
    for (const name of [...names, 'nobody']) answers.push(await askReset(name))
    expect(answers[0]?.[0]).toBe(200)
    for (const answer of answers) expect(answer).toEqual(answers[0] as never)
    expect(await sent()).toEqual(Array(5).fill('mio@example.com'))
    await askReset('azusa')
    expect(await sent()).toEqual(['azusa@example.com'])
    const withheld = kiroku.lines.filter(({ event }) => event === 'letter_withheld')
    expect(withheld.map(({ facts }) => facts)).toEqual([{ user: 1 }, { user: 1 }])
  })

  test('are signed with the name that the administrators gave the instance', async () => {
    await askReset('mio')
    await kiroku.deps.mail?.idle()
    expect(smtp.letters.at(-1)?.text).not.toContain('-- ')
    await saveInstanceText(kiroku.deps, { name: 'みなとアニメ部', text: '', question: '' })
    await askReset('mio')
    await kiroku.deps.mail?.idle()
    expect(smtp.letters.at(-1)?.text.replaceAll('\r\n', '\n').trimEnd()).toEndWith('\n-- \nみなとアニメ部')
  })

  test('are never sent more often than that within any 24 hours', async () => {
    const times = []
    for (let at = 0; at < 72; at += 2) {
      await askReset('mio')
      if ((await sent()).length > 0) times.push(at)
      kiroku.clock.now += 2 * hour
    }
    expect(times).toEqual([0, 2, 4, 6, 8, 24, 26, 28, 30, 32, 48, 50, 52, 54, 56])
  })

  test('the last of five links stays valid when more are requested', async () => {
    for (let count = 0; count < 5; count++) await askReset('mio')
    await kiroku.deps.mail?.idle()
    const link =
      /http:\/\/localhost:3000(\/\S*kir_ln_\w{49})/.exec(smtp.letters.at(-1)?.text ?? '')?.[1] ?? ''
    await askReset('mio')
    expect(await sent()).toHaveLength(5)
    expect((await createVisitor(kiroku).open(link)).status).toBe(200)
  })

  test('for a new account are sent to an address five times a day, whether or not it has one', async () => {
    for (const email of ['mio@example.com', 'nobody@example.com']) {
      const answers = []
      for (let count = 0; count < 7; count++) answers.push(await askSignUp(email))
      answers.push(await askSignUp(email.toUpperCase()))
      expect(answers[0]?.[0]).toBe(200)
      for (const answer of answers) expect(answer).toEqual(answers[0] as never)
      expect(await sent()).toEqual(Array(5).fill(email))
    }
    await askReset('mio')
    expect(await sent()).toEqual(['mio@example.com'])
  })

  test('to confirm a new address are limited too', async () => {
    for (const email of ['azusa@example.com', 'nobody@example.com']) {
      const answers = []
      for (let count = 0; count < 7; count++) {
        const member = await createMember(kiroku, 'mio', { peer: elsewhere() })
        answers.push(seen(await member.submit('/settings/email', { email })))
      }
      expect(answers[0]?.[0]).toBe(200)
      for (const answer of answers) expect(answer).toEqual(answers[0] as never)
      expect(await sent()).toEqual(Array(5).fill(email))
    }
  })
})

test('one network address cannot request letters for everybody: it has to wait after ten (IPv6 by /64)', async () => {
  const resets = []
  for (let count = 0; count < 13; count++)
    resets.push((await askReset(`somebody_${count}`, '2001:db8::1'))[0])
  expect([resets.indexOf(429), (await askReset('other', '2001:db8::2'))[0]]).toEqual([10, 429])
  const member = await createMember(kiroku, 'mio', { peer: '2001:db8:0:1::1' })
  const changes = []
  for (let count = 0; count < 13; count++)
    changes.push((await member.submit('/settings/email', { email: `x${count}@example.com` })).status)
  expect(changes.indexOf(429)).toBe(10)
})
