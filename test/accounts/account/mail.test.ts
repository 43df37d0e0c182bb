import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createMail, type Mail } from '../../../src/mail/mail'
import { openMail } from '../../../src/mail/open-mail'
import { createInstance, type Instance } from '../../support/instance'
import { type SmtpServer, startSmtp } from '../../support/smtp'
import { createMember, createVisitor } from '../../support/visitor'

let kiroku: Instance
let smtp: SmtpServer
const mail = () => kiroku.deps.mail as Mail

/** The letters sent since the last call, once the queue is empty. */
async function sent() {
  await mail().idle()
  return smtp.letters.splice(0)
}
const linkIn = (text: string) => /http:\/\/localhost:3000(\/\S*kir_ln_\w{49})/.exec(text)?.[1] ?? ''

beforeAll(async () => {
  smtp = startSmtp()
  kiroku = await createInstance({ config: { smtpUrl: smtp.url, registration: 'open' } })
})
afterAll(async () => {
  await kiroku.close()
  smtp[Symbol.dispose]()
})

describe('undeliverable mail', () => {
  test('is logged without the address and not visible in any response', async () => {
    for (const refusing of [true, false]) {
      using server = startSmtp({ refuse: refusing ? [550] : [] })
      const lost = refusing ? server.url : 'smtp://127.0.0.1:1'
      const own = await createInstance({ config: { smtpUrl: lost } })
      const page = await createVisitor(own).submit('/reset_password', { name: 'mio' })
      expect(page.status).toBe(200)
      await own.deps.mail?.idle()
      const facts = own.lines.find(({ event }) => event === 'mail')?.facts
      expect(facts?.outcome).toBe(refusing ? 'failed' : 'delayed')
      expect(String(facts?.why)).toMatch(
        refusing ? /^EENVELOPE 550$/ : /^(?:ESOCKET|ECONNREFUSED|ECONNECTION)/,
      )
      expect(JSON.stringify(own.lines)).not.toContain('@example.com')
      await own.close()
    }
  })

  test('does not delay later letters, and a full queue accepts no more', async () => {
    const log: string[] = []
    const delivered: string[] = []
    const queue = createMail(
      async ({ to }) => {
        if (to === 'bad') throw new Error('no')
        delivered.push(to)
      },
      (_, facts) => log.push(String(facts?.outcome)),
    )
    const letterTo = (to: string) => async () => ({ to, subject: '', text: '' })
    for (const to of ['bad', ...Array(205).keys()].map(String)) queue.send(letterTo(to))
    await queue.idle()
    expect([delivered.length, delivered[0]]).toEqual([199, '0'])
    expect(log.filter((outcome) => outcome === 'dropped')).toHaveLength(6)
    queue.send(letterTo('later'))
    await queue.idle()
    expect(delivered.at(-1)).toBe('later')
  })
})

test('mail comes from the configured address, by default from kiroku at the host of the base URL', async () => {
  const letter = async () => ({ to: 'mio@example.com', subject: '件名', text: '本文\n.\n終わり\n' })
  for (const [mailFrom, from] of [
    [undefined, 'kiroku@kiroku.example'],
    ['log@example.com', 'log@example.com'],
  ] as const) {
    const baseUrl = 'https://kiroku.example/log'
    const opened = openMail({ smtpUrl: smtp.url, mailFrom, baseUrl }, () => {})
    opened?.send(letter)
    await opened?.idle()
    const [received] = smtp.letters.splice(0)
    expect(received?.head).toContain(`From: kiroku <${from}>`)
    expect(received?.head).toContain('To: mio@example.com')
    expect(received?.head).toContain('text/plain; charset=utf-8')
    expect(received?.text.replaceAll('\r\n', '\n')).toContain('本文\n.\n終わり\n')
  }
})

describe('a new password by mail (§2.1)', () => {
  test('gets the same response for a name, an address, or neither', async () => {
    const pages = []
    for (const name of ['nobody', 'nobody@example.com', 'mio', 'mio@example.com']) {
      const page = await createVisitor(kiroku).submit('/reset_password', { name })
      pages.push([page.status, page.text.replaceAll(/value="[\w-]{86}"/g, '')])
    }
    expect(pages[0]?.[0]).toBe(200)
    for (const page of pages) expect(page).toEqual(pages[0] as never)
    const letters = await sent()
    expect(letters.map(({ to }) => to)).toEqual(['mio@example.com', 'mio@example.com'])
    // The response did not wait for mail: each link was created after it, and the second invalidated the first.
    const [first, second] = letters.map(({ text }) => linkIn(text))
    expect((await createVisitor(kiroku).open(first ?? '')).status).toBe(404)
    expect((await createVisitor(kiroku).open(second ?? '')).status).toBe(200)
    expect(JSON.stringify(kiroku.lines)).not.toContain('kir_ln_')
  })

  test('is not sent to unconfirmed addresses or disabled accounts', async () => {
    const { write } = kiroku.deps
    await write((tx) =>
      tx.updateTable('users').set({ email_key: null }).where('username', '=', 'Ritsu_T').execute(),
    )
    for (const name of ['Ritsu_T', 'ritsu@example.com', 'yui'])
      expect((await createVisitor(kiroku).submit('/reset_password', { name })).status).toBe(200)
    expect(await sent()).toEqual([])
  })

  test('is in the language that its reader chose', async () => {
    const chosen = { language: 'ja' }
    await kiroku.deps.write((tx) =>
      tx.updateTable('users').set(chosen).where('username', '=', 'mio').execute(),
    )
    await createVisitor(kiroku, { peer: '192.0.2.8' }).submit('/reset_password', { name: 'MIO' })
    const [letter] = await sent()
    expect(letter?.text).toContain('1時間以内に')
    expect(letter?.head).toContain('Auto-Submitted: auto-generated')
  })
})

describe('an account by mail (§2.1)', () => {
  test('only the reader of the address learns whether it has an account', async () => {
    const pages = []
    for (const email of ['new@example.com', 'MIO@example.com']) {
      const page = await createVisitor(kiroku).submit('/sign_up', { email })
      pages.push([page.status, page.text.replaceAll(/value="[\w-]{86}"/g, '')])
    }
    expect(pages[0]?.[0]).toBe(200)
    expect(pages[1]).toEqual(pages[0] as never)
    const [fresh, taken] = await sent()
    expect([fresh?.to, linkIn(fresh?.text ?? '')]).toEqual([
      'new@example.com',
      expect.stringMatching(/^\/sign_up\//),
    ])
    expect([taken?.to, linkIn(taken?.text ?? '')]).toEqual(['MIO@example.com', ''])
    expect(taken?.text).toContain('mio')
  })

  test('a link creates one account, with a confirmed address', async () => {
    await createVisitor(kiroku).submit('/sign_up', { email: 'tsumugi@example.com' })
    const [letter] = await sent()
    const link = linkIn(letter?.text ?? '')
    const visitor = createVisitor(kiroku)
    const refused = await visitor.submit(link, { username: 'mio', password: 'correct horse' })
    expect([refused.status, refused.textOf('username-problem')]).toEqual([
      422,
      'The username mio is already taken.',
    ])
    const made = await visitor.submit(link, { username: 'tsumugi_k', password: 'correct horse' })
    expect([made.status, made.location]).toEqual([303, '/welcome'])
    expect((await visitor.open('/')).text).toContain('>tsumugi_k</a>')
    const row = await kiroku.deps.read
      .selectFrom('users')
      .select(['email', 'email_key', 'is_admin'])
      .where('username', '=', 'tsumugi_k')
      .executeTakeFirst()
    expect(row).toEqual({ email: 'tsumugi@example.com', email_key: 'tsumugi@example.com', is_admin: 0 })
    expect((await createVisitor(kiroku).open(link)).status).toBe(404)
  })

  test('a link expires after an hour', async () => {
    await createVisitor(kiroku).submit('/sign_up', { email: 'late@example.com' })
    const [letter] = await sent()
    const link = linkIn(letter?.text ?? '')
    kiroku.clock.now += 3_600_000 - 1
    expect((await createVisitor(kiroku).open(link)).status).toBe(200)
    kiroku.clock.now += 1
    expect((await createVisitor(kiroku).open(link)).status).toBe(404)
  })
})

describe('a new address (§2.2)', () => {
  const emailOf = async (username: string) =>
    (
      await kiroku.deps.read
        .selectFrom('users')
        .select('email')
        .where('username', '=', username)
        .executeTakeFirst()
    )?.email

  test('that belongs to somebody else gets the same response as any other, and only its reader learns of it', async () => {
    const member = await createMember(kiroku, 'azusa')
    const pages = []
    for (const email of ['mio@example.com', 'free@example.com'])
      pages.push((await member.submit('/settings/email', { email })).text.replaceAll(/"[\w-]{86}"/g, ''))
    expect(pages[0]).toBe(pages[1] as string)
    const [taken, free] = await sent()
    expect([taken?.to, linkIn(taken?.text ?? '')]).toEqual(['mio@example.com', ''])
    expect(free?.to).toBe('free@example.com')
    expect(await emailOf('azusa')).toBe('azusa@example.com')
  })

  test('is confirmed by a link that works only for its user and only once; the old address is notified', async () => {
    const member = await createMember(kiroku, 'azusa')
    await member.submit('/settings/email', { email: 'Fresh@example.com' })
    const [letter] = await sent()
    const link = linkIn(letter?.text ?? '')
    const stranger = await createVisitor(kiroku).open(link)
    expect([stranger.status, stranger.location]).toEqual([
      303,
      `/sign_in?return_to=${encodeURIComponent(link)}`,
    ])
    expect((await (await createMember(kiroku, 'Ritsu_T')).open(link)).status).toBe(404)
    expect((await member.open(link)).text).toContain('Fresh@example.com')
    expect(await emailOf('azusa')).toBe('azusa@example.com')
    expect((await member.submit(link)).location).toBe('/settings/email')
    expect(await emailOf('azusa')).toBe('Fresh@example.com')
    expect((await member.open(link)).status).toBe(404)
    const [notice] = await sent()
    expect(notice?.to).toBe('azusa@example.com')
    expect(notice?.text).not.toContain('Fresh')
  })

  test('is refused if somebody else has confirmed it in the meantime', async () => {
    const member = await createMember(kiroku, 'azusa')
    await member.submit('/settings/email', { email: 'contested@example.com' })
    const [letter] = await sent()
    const other = { email: 'contested@example.com', email_key: 'contested@example.com' }
    await kiroku.deps.write((tx) =>
      tx.updateTable('users').set(other).where('username', '=', 'Ritsu_T').execute(),
    )
    const page = await member.submit(linkIn(letter?.text ?? ''))
    expect(page.status).toBe(422)
    expect(await emailOf('azusa')).toBe('Fresh@example.com')
  })

  test('requires a password entered within the last 15 minutes', async () => {
    const member = await createMember(kiroku, 'azusa')
    kiroku.clock.now += 15 * 60_000 + 1
    for (const page of [await member.open('/settings/email'), await member.post('/settings/email', {})])
      expect([303, 403]).toContain(page.status)
    expect((await member.open('/settings/email')).location).toBe('/confirm?return_to=%2Fsettings%2Femail')
  })
})
