import { afterEach, describe, expect, test } from 'bun:test'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { createSetupLink } from '../../../src/accounts/account/setup'
import type { Config } from '../../../src/config'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor } from '../../support/visitor'

let kiroku: Instance
const begin = async (config: Partial<Config> = {}) => {
  kiroku = await createInstance({ config })
}
afterEach(() => kiroku.close())

const password = 'correct horse battery'
const someone = { username: 'tsumugi', email: 'tsumugi@example.com', password }
const userCalled = (username: string) =>
  kiroku.deps.read
    .selectFrom('users')
    .select(['id', 'is_admin', 'email', 'email_key'])
    .where('username', '=', username)
    .executeTakeFirst()

const invite = async (uses: number, expiresIn?: number) => {
  const { code } = await createInvitation(kiroku.deps, { createdBy: null, uses, expiresIn, note: '' })
  return `/invitations/${code}`
}

describe('the set-up link (D51)', () => {
  test('is refused when it is unknown, half an hour old, replaced, used, or when an administrator exists', async () => {
    await begin()
    const statusOf = async (link: string) => (await createVisitor(kiroku).open(`/setup/${link}`)).status
    expect(await statusOf('x')).toBe(404)
    const old = await createSetupLink(kiroku.deps)
    kiroku.clock.now += 30 * 60_000 - 1
    expect(await statusOf(old)).toBe(200)
    kiroku.clock.now += 1
    expect(await statusOf(old)).toBe(404)
    const first = await createSetupLink(kiroku.deps)
    const second = await createSetupLink(kiroku.deps)
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    const visitor = createVisitor(kiroku)
    const refused = await visitor.submit(`/setup/${second}`, { ...someone, password: 'password' })
    expect([refused.status, await statusOf(second)]).toEqual([422, 200])
    const made = await visitor.submit(`/setup/${second}`, someone)
    expect([made.status, made.location]).toEqual([303, '/welcome/catalogue'])
    expect((await visitor.open('/admin')).status).toBe(200)
    expect(await userCalled('tsumugi')).toMatchObject({ is_admin: 1, email_key: 'tsumugi@example.com' })
    expect(await statusOf(second)).toBe(404)
    expect(createSetupLink(kiroku.deps)).rejects.toThrow('there is an administrator already')
    expect(JSON.stringify(kiroku.lines)).not.toContain('kir_ln_')
  })

  test('creates one administrator even when used twice at once, and none if there is one already', async () => {
    await begin()
    const link = await createSetupLink(kiroku.deps)
    const both = await Promise.all(
      ['yuki', 'akane'].map((username) =>
        createVisitor(kiroku).submit(`/setup/${link}`, {
          ...someone,
          username,
          email: `${username}@example.com`,
        }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([303, 404])
    const admins = await kiroku.deps.read.selectFrom('users').select('id').where('is_admin', '=', 1).execute()
    expect(admins).toHaveLength(1)
  })
})

describe('registration (D51)', () => {
  const offered = '<a href="/sign_up">'
  test.each([
    ['closed', '', ''],
    ['invite', 'You need an invitation to create an account.', ''],
    ['open', '', offered],
  ] as const)('%s: the page to sign in offers what leads somewhere', async (registration, said, link) => {
    await begin({ registration })
    const { text } = await createVisitor(kiroku).open('/sign_in')
    const found = [/You need an invitation[^<]*/.exec(text)?.[0] ?? '', text.includes(offered) ? offered : '']
    expect(found).toEqual([said, link])
  })

  test('without mail, the sign-in page says which e-mail addresses can be used', async () => {
    await begin()
    const hint = async (language: string) =>
      (await createVisitor(kiroku, { language }).open('/sign_in')).textOf('username-hint')
    expect(await hint('en')).toBe('You can sign in with an e-mail address only once it is confirmed.')
    expect(await hint('ja')).toBe('ログインに使えるのは、確認済みのメールアドレスだけです。')
  })

  test('closed: nobody can create an account, with or without an invitation', async () => {
    await begin({ registration: 'closed' })
    const visitor = createVisitor(kiroku)
    for (const target of ['/sign_up', await invite(1)]) {
      const page = await visitor.open(target)
      expect([page.status, page.text]).toEqual([
        403,
        expect.stringContaining('created by its administrators'),
      ])
      expect((await visitor.post(target, someone)).status).toBe(403)
    }
    expect(await userCalled('tsumugi')).toBeUndefined()
  })

  test('invite: requires an invitation that is known, not used up, not expired and not withdrawn', async () => {
    await begin()
    const visitor = createVisitor(kiroku)
    const without = await visitor.open('/sign_up')
    expect([without.status, without.text]).toEqual([403, expect.stringContaining('You need an invitation')])
    expect((await visitor.open('/invitations/x')).status).toBe(404)
    const short = await invite(1, 60_000)
    expect((await visitor.open(short)).status).toBe(200)
    kiroku.clock.now += 60_000
    expect((await visitor.open(short)).status).toBe(404)
    const good = await invite(1)
    const made = await visitor.submit(good, someone)
    expect([made.status, made.location]).toEqual([303, '/welcome'])
    expect((await visitor.open('/')).text).toContain('>tsumugi</a>')
    expect((await visitor.open(good)).status).toBe(404)
    // §2.7: neither secrets nor what was typed
    for (const hidden of ['kir_iv_', 'kir_se_', 'tsumugi', 'horse'])
      expect(JSON.stringify(kiroku.lines)).not.toContain(hidden)
    expect(kiroku.lines.some(({ event, facts }) => event === 'sign_up' && facts.invitation === 2)).toBe(true)
  })

  test('when several people use an invitation at once, no more get in than it allows', async () => {
    await begin()
    const link = await invite(2)
    const names = ['a', 'b', 'c', 'd']
    const pages = await Promise.all(
      names.map((name, index) =>
        createVisitor(kiroku, { peer: `192.0.2.${index}` }).submit(link, {
          username: `${name}_new`,
          email: `${name}@example.com`,
          password,
        }),
      ),
    )
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 303, 404, 404])
    const row = await kiroku.deps.read.selectFrom('invitations').select(['uses_left', 'used_count']).execute()
    expect(row).toEqual([{ uses_left: 0, used_count: 2 }])
  })

  test('invite: people with an invitation do not slow down others behind the same address', async () => {
    await begin()
    const link = await invite(13)
    const peer = '203.0.113.20'
    for (let count = 0; count < 9; count++)
      await createVisitor(kiroku, { peer }).submit(link, { ...someone, username: 'mio' })
    for (let count = 0; count < 4; count++) {
      const asked = { username: `club_${count}`, email: `club${count}@example.com`, password }
      expect((await createVisitor(kiroku, { peer }).submit(link, asked)).status).toBe(303)
    }
    // Refused forms count too, even with an invitation.
    const refused = { ...someone, username: 'mio' }
    expect((await createVisitor(kiroku, { peer }).submit(link, refused)).status).toBe(422)
    expect((await createVisitor(kiroku, { peer }).submit(link, refused)).status).toBe(429)
  })

  test('a refused form does not use up the invitation', async () => {
    await begin()
    const link = await invite(1)
    const visitor = createVisitor(kiroku)
    const wrong: [Record<string, string>, string][] = [
      [{ username: 'admin' }, 'username'],
      [{ username: 'mio' }, 'username'],
      [{ email: 'tsumugi' }, 'email'],
      [{ password: 'tsumugi2026' }, 'password'],
    ]
    for (const [change, field] of wrong) {
      const page = await visitor.submit(link, { ...someone, ...change })
      expect([change, page.status, page.textOf(`${field}-problem`) !== '']).toEqual([change, 422, true])
    }
    expect((await visitor.submit(link, someone)).status).toBe(303)
  })
})

describe('open registration without mail (§2.1)', () => {
  test('an existing address gets the same response: it creates an account, but signs nobody in', async () => {
    await begin({ registration: 'open' })
    const outcomes = []
    for (const [username, email] of [
      ['stranger', 'mio@example.com'],
      ['newcomer', 'newcomer@example.com'],
    ] as const) {
      const visitor = createVisitor(kiroku)
      const made = await visitor.submit('/sign_up', { username, email, password })
      const settings = await (await createMember(kiroku, username)).open('/settings/email')
      const byEmail = await createVisitor(kiroku).signIn(email, password)
      const byName = await createVisitor(kiroku).signIn(username, password)
      const shown = settings.text.includes(email) && settings.text.includes('not confirmed')
      outcomes.push([made.status, made.location, shown, byEmail.status, byName.status])
    }
    expect(outcomes[0]).toEqual([303, '/welcome', true, 422, 303])
    expect(outcomes[1]).toEqual(outcomes[0] as never)
    expect(await userCalled('stranger')).toMatchObject({ email: 'mio@example.com', email_key: null })
    expect(await userCalled('mio')).toMatchObject({ email_key: 'mio@example.com' })
  })

  test('created accounts count too: ten an hour from one address, then one a minute', async () => {
    await begin({ registration: 'open' })
    const peer = '203.0.113.21'
    const from = { key: 'sign_up:203.0.113.21', failures: 9, last_failed_at: kiroku.clock.now }
    await kiroku.deps.write((tx) => tx.insertInto('throttles').values(from).execute())
    expect((await createVisitor(kiroku, { peer }).submit('/sign_up', someone)).status).toBe(303)
    const other = { ...someone, username: 'mugi' }
    expect((await createVisitor(kiroku, { peer }).submit('/sign_up', other)).status).toBe(429)
  })

  test('an address is changed at once, without revealing whose it is', async () => {
    await begin()
    const member = await createMember(kiroku, 'azusa')
    expect((await member.submit('/settings/email', { email: 'none' })).status).toBe(422)
    for (const email of ['mio@example.com', 'free@example.com']) {
      expect((await member.submit('/settings/email', { email })).location).toBe('/settings/email')
      expect(await userCalled('azusa')).toMatchObject({ email, email_key: null })
    }
  })

  test('from one address, accounts can be created ever more slowly; an IPv6 /64 counts as one', async () => {
    await begin({ registration: 'open' })
    const ask = async (peer: string) => {
      const page = await createVisitor(kiroku, { peer }).submit('/sign_up', { ...someone, username: 'mio' })
      return [page.status, page.headers.get('retry-after')]
    }
    for (let count = 0; count < 10; count++) expect(await ask(`2001:db8::${count}`)).toEqual([422, null])
    expect(await ask('2001:db8::ffff')).toEqual([429, '1'])
    expect(await ask('2001:db8:0:1::1')).toEqual([422, null])
    kiroku.clock.now += 1000
    expect(await ask('2001:db8::1')).toEqual([422, null])
    expect(await ask('2001:db8::1')).toEqual([429, '2'])
    for (const wait of [2, 4, 8, 16, 32, 60, 60]) {
      kiroku.clock.now += wait * 1000 - 1
      expect(await ask('2001:db8::1')).toEqual([429, '1'])
      kiroku.clock.now += 1
      expect(await ask('2001:db8::1')).toEqual([422, null])
    }
    kiroku.clock.now += 3_600_000
    for (let count = 0; count < 3; count++) expect(await ask('2001:db8::1')).toEqual([422, null])
  })
})
