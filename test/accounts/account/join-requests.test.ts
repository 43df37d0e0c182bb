import { afterEach, describe, expect, test } from 'bun:test'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { mostWaiting } from '../../../src/accounts/account/join-request'
import { createUser } from '../../../src/accounts/account/user'
import type { Config } from '../../../src/config'
import { createInstance, type Instance, withToken } from '../../support/instance'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let admin: Visitor
const begin = async (config: Partial<Config> = {}) => {
  kiroku = await createInstance({ config: { registration: 'approve', ...config } })
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  admin = await createMember(kiroku, 'mio')
}
afterEach(() => kiroku.close())

const password = 'correct horse battery'
const someone = { username: 'tsumugi', email: 'tsumugi@example.com', password, answer: 'I love Frieren.' }
const ask = (values: Partial<typeof someone> = {}, peer = '192.0.2.1') =>
  createVisitor(kiroku, { peer }).submit('/sign_up', { ...someone, ...values })
const waitingPage = async () => (await admin.open('/admin/users?state=waiting')).text
const requests = () => kiroku.deps.read.selectFrom('join_requests').selectAll().orderBy('id').execute()
const decide = (id: number, decision: 'accept' | 'decline') =>
  admin.submit(
    decision === 'accept' ? '/admin/users?state=waiting' : `/admin/join_requests/${id}/decline`,
    {},
    `/admin/join_requests/${id}/${decision}`,
  )
const signIn = async (name: string, typed = password) => {
  const page = await createVisitor(kiroku).signIn(name, typed)
  return [page.status, page.text.includes('Your request to join has not been answered yet.')]
}
const userCalled = (username: string) =>
  kiroku.deps.read
    .selectFrom('users')
    .select(['email', 'email_key', 'is_admin', 'created_at'])
    .where('username', '=', username)
    .executeTakeFirst()

describe('registration approve (D51)', () => {
  test('refuses what breaks a rule, and keeps nothing of it', async () => {
    await begin()
    const wrong: [Partial<typeof someone>, string][] = [
      [{ answer: ' ' }, 'answer'],
      [{ answer: '記'.repeat(501) }, 'answer'],
      [{ username: 'mio' }, 'username'],
      [{ password: 'tsumugi2026' }, 'password'],
      [{ email: 'tsumugi' }, 'email'],
    ]
    for (const [values, field] of wrong) {
      const page = await ask(values)
      expect([values, page.status, page.textOf(`${field}-problem`) !== '']).toEqual([values, 422, true])
      for (const typed of ['username', 'email'] as const)
        expect(page.text).toContain(`value="${{ ...someone, ...values }[typed]}"`)
    }
    expect(await requests()).toEqual([])
  })

  test('asks the question of the instance, and takes an answer of 500 characters', async () => {
    await begin()
    expect((await createVisitor(kiroku).open('/sign_in')).text).toContain(
      '<a href="/sign_up">Ask to join</a>',
    )
    expect((await createVisitor(kiroku).open('/sign_up')).text).toContain('Why would you like to join?')
    await admin.submit('/admin/instance', { question: '好きな作品は？\n<b>' })
    const japanese = createVisitor(kiroku, { language: 'ja' })
    expect((await japanese.open('/sign_up')).text).toContain('好きな作品は？\n&#60;b&#62;')
    const answer = '𝄞'.repeat(500)
    expect((await japanese.submit('/sign_up', { ...someone, answer })).status).toBe(200)
    expect(await requests()).toMatchObject([
      { question: '好きな作品は？\n<b>', answer, language: 'ja', email_key: null },
    ])
    expect(await waitingPage()).toContain(answer)
    // Changed since: the answer stands beside what was asked.
    await admin.submit('/admin/instance', { question: 'Who are you?' })
    expect(await waitingPage()).toContain('&#60;b&#62;')
  })

  test('who waits is nowhere but on the page of administrators', async () => {
    await begin()
    const asked = await ask()
    expect([asked.status, asked.headers.getSetCookie().join()]).toEqual([200, ''])
    expect(asked.text).toContain('Your request has been sent')
    for (const secret of ['tsumugi', 'Frieren', password])
      expect(JSON.stringify(kiroku.lines)).not.toContain(secret)
    expect(kiroku.lines.map(({ event }) => event)).toContain('join_asked')
    expect(await userCalled('tsumugi')).toBeUndefined()
    const token = withToken(await kiroku.tokenOf('azusa', 'read'))
    for (const path of ['/v1/users?filter_usernames=tsumugi', '/v1/users?filter_query=tsumugi'])
      expect(await (await kiroku.ask(path, token)).json()).toMatchObject({ users: [], total_count: 0 })
    expect((await (await createMember(kiroku, 'azusa')).open('/@tsumugi')).status).toBe(404)
    expect((await admin.open('/admin/users')).text).not.toContain('tsumugi')
    const shown = await waitingPage()
    for (const text of ['tsumugi@example.com', 'not confirmed', 'Why would you like', 'I love Frieren.'])
      expect(shown).toContain(text)
  })

  test('who waits learns of it by signing in, with the right password only', async () => {
    await begin()
    await ask()
    expect(await signIn('tsumugi', 'wrong horse battery')).toEqual([422, false])
    expect(await signIn('Tsumugi')).toEqual([403, true])
    // Nobody has proved that the address is theirs.
    expect(await signIn('tsumugi@example.com')).toEqual([422, false])
  })

  test('an accepted request becomes an account, from then on', async () => {
    await begin()
    await ask()
    kiroku.clock.now += 60_000
    expect((await decide(1, 'accept')).location).toBe('/admin/users?state=waiting')
    expect(await userCalled('tsumugi')).toMatchObject({
      email: 'tsumugi@example.com',
      email_key: null,
      is_admin: 0,
      created_at: kiroku.clock.now,
    })
    expect([await requests(), await signIn('tsumugi')]).toEqual([[], [303, false]])
    expect((await admin.post('/admin/join_requests/1/accept', await csrfOf(admin))).status).toBe(404)
    const token = withToken(await kiroku.tokenOf('azusa', 'read'))
    const found = await kiroku.ask('/v1/users?filter_query=tsumugi', token)
    expect(await found.json()).toMatchObject({ users: [{ username: 'tsumugi', name: 'tsumugi' }] })
  })

  test('a declined request is forgotten, and its sender may ask again', async () => {
    await begin()
    await ask()
    expect((await admin.open('/admin/join_requests/1/decline')).text).toContain(
      'Decline the request of tsumugi?',
    )
    expect((await decide(1, 'decline')).location).toBe('/admin/users?state=waiting')
    expect([await requests(), await signIn('tsumugi')]).toEqual([[], [422, false]])
    expect((await admin.open('/admin/join_requests/1/decline')).status).toBe(404)
    expect(await waitingPage()).toContain('Nobody is waiting.')
    expect((await ask()).status).toBe(200)
    expect(await requests()).toMatchObject([{ id: 2 }])
  })

  test('a name that waits is taken for everybody else', async () => {
    await begin()
    await ask()
    const again = await ask({ username: 'TSUMUGI' })
    expect([again.status, again.textOf('username-problem')]).toEqual([
      422,
      'The username TSUMUGI is already taken.',
    ])
    const made = { username: 'tsumugi', email: 'other@example.com', password, isAdmin: false }
    expect(createUser(kiroku.deps, made)).rejects.toThrow('already taken')
    expect(await requests()).toHaveLength(1)
  })

  test('people with an invitation do not wait', async () => {
    await begin()
    const { code } = await createInvitation(kiroku.deps, {
      createdBy: null,
      uses: 1,
      expiresIn: undefined,
      note: '',
    })
    const { answer: _, ...account } = someone
    const made = await createVisitor(kiroku).submit(`/invitations/${code}`, account)
    expect([made.status, made.location]).toEqual([303, '/welcome'])
    expect(await requests()).toEqual([])
  })

  test('at most a thousand wait: then others are told to try later, and nothing of theirs is kept', async () => {
    await begin()
    await ask()
    const [first] = await requests()
    const crowd = Array.from({ length: mostWaiting - 1 }, (_, at) => `crowd_${at}`)
    await kiroku.deps.write(async (tx) => {
      for (const username of crowd)
        await tx
          .insertInto('join_requests')
          .values({
            ...(first as NonNullable<typeof first>),
            id: undefined,
            username,
            username_key: username,
          })
          .execute()
    })
    const refused = await ask({ username: 'late' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Too many people')])
    expect(await requests()).toHaveLength(mostWaiting)
    expect(await waitingPage()).toContain(`<span class="amount">${mostWaiting}</span>`)
    await decide(1, 'decline')
    expect((await ask({ username: 'late' }, '192.0.2.9')).status).toBe(200)
  })
})

const csrfOf = async (visitor: Visitor) => ({
  csrf: /name="csrf" value="([^"]+)"/.exec((await visitor.open('/admin/users')).text)?.[1] ?? '',
})
