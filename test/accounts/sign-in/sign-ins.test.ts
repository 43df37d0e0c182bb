import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { spendChallenge } from '../../../src/accounts/passkeys/challenge'
import { saveNewcomer } from '../../../src/accounts/provider/attempt'
import { anonymousCookie } from '../../../src/accounts/sign-in/session'
import { noteSignIn, startSignInSweep, sweepSignIns } from '../../../src/accounts/sign-in/sign-ins'
import { codeOf, enrol } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs } from '../../support/visitor'

let kiroku: Instance
let id = 0
const password = 'correct horse battery'
const day = 86_400_000

beforeEach(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
})
afterEach(() => kiroku.close())

const values = (sql: string, ...of: (string | number)[]) => kiroku.store.handle.query(sql).values(...of)
const noted = () => values('select way, outcome, second_step from sign_ins where user_id = ? order by id', id)

describe('D100: /settings/sign_ins shows', () => {
  test('sign-ins and wrong passwords, with the browser, and nothing of names that nobody has', async () => {
    const visitor = createVisitor(kiroku)
    await visitor.signIn('nodoka', 'wrong')
    await visitor.signIn('nobody', 'wrong')
    await visitor.signIn('nodoka', password)
    expect(noted()).toEqual([
      ['password', 'wrong', ''],
      ['password', 'ok', ''],
    ])
    expect(values('select count(*) from sign_ins')).toEqual([[2]])
    const { text } = await visitor.open('/settings/sign_ins')
    expect([...text.matchAll(/data-way="(\w+)" data-outcome="(\w+)"/g)].map(([, ...row]) => row)).toEqual([
      ['password', 'ok'],
      ['password', 'wrong'],
    ])
    expect(text).toContain('192.0.2.1')
  })

  test('a wrong code after the right password, and the second step of a sign-in', async () => {
    const { key } = await enrol(kiroku, await createMember(kiroku, 'nodoka'))
    const visitor = createVisitor(kiroku)
    await visitor.signIn('nodoka', password)
    await visitor.submit('/sign_in/code', { code: '000000' })
    kiroku.clock.now += 60_000
    await visitor.submit('/sign_in/code', { code: codeOf(key, kiroku.clock.now) })
    expect(noted()).toEqual([
      ['password', 'wrong_code', 'code'],
      ['password', 'ok', 'code'],
    ])
  })

  test('a disabled account’s right password, and nothing of confirmations', async () => {
    const known = await createMember(kiroku, 'nodoka')
    await known.submit('/confirm', { password: 'wrong' })
    kiroku.store.handle.run('update users set disabled_at = 1 where id = ?', [id])
    await createVisitor(kiroku).signIn('nodoka', password)
    expect(noted()).toEqual([['password', 'disabled', '']])
  })

  test('a browser that is new, which is asked about once and told (D118); “it was not” signs out everywhere else', async () => {
    const first = createVisitor(kiroku)
    await first.signIn('nodoka', password)
    const other = createVisitor(kiroku)
    await other.signIn('nodoka', password)
    expect(noted().map(([, outcome]) => outcome)).toEqual(['ok', 'new_browser'])
    const told = () =>
      kiroku.store.handle
        .query('select read_at is not null from notifications where user_id = ? and kind = ?')
        .values(id, 'new_browser')
    expect(told()).toEqual([[0]])
    const page = await first.open('/settings/sign_ins')
    expect(page.text).toContain('id="new-browser"')
    const [, row = ''] = /sign_ins\/(\d+)\/not_own/.exec(page.text) ?? []
    const stranger = await createMember(kiroku, 'mio')
    const { csrf = '' } = hiddenInputs((await stranger.open('/settings')).text, '/sign_out')
    expect((await stranger.post(`/settings/sign_ins/${row}/own`, { csrf })).status).toBe(404)
    const answered = await first.submit('/settings/sign_ins', {}, `/settings/sign_ins/${row}/not_own`)
    expect(answered.location).toBe('/settings/password')
    expect(told()).toEqual([[1]])
    expect((await other.open('/settings')).location).toStartWith('/sign_in')
    expect((await first.open('/settings/sign_ins')).text).not.toContain('id="new-browser"')
  })

  test('at most 200 of each kind: guesses displace no sign-in, and after 90 days nothing is left', async () => {
    const browser = { userAgent: 'x', address: '192.0.2.9' }
    const one = { userId: id, way: 'password', browser, at: kiroku.clock.now } as const
    await kiroku.deps.write(async (tx) => {
      await noteSignIn(tx, { ...one, outcome: 'ok' })
      for (let n = 0; n < 450; n += 1) await noteSignIn(tx, { ...one, outcome: 'wrong' })
    })
    const counts = 'select outcome, count(*) from sign_ins group by outcome order by outcome'
    expect(values(counts)).toEqual([
      ['ok', 1],
      ['wrong', 200],
    ])
    kiroku.clock.now += 90 * day - 1
    await sweepSignIns(kiroku.deps)
    expect(values('select count(*) from sign_ins')).toEqual([[201]])
    kiroku.clock.now += 1
    await sweepSignIns(kiroku.deps)
    expect(values('select count(*) from sign_ins')).toEqual([[0]])
  })
})

test('who left for a provider and what a passkey answered is forgotten while the server runs, although nobody comes', async () => {
  const { deps, clock } = kiroku
  const cookie = anonymousCookie(deps.random)
  const arrival = {
    ...{ issuer: 'https://id.example', subject: 'sub-1', name: 'mio', username: 'mio' },
    ...{ email: 'mio@example.com', isEmailVerified: true, groups: [], provedAt: undefined },
  }
  const newcomer = { arrival, provider: 'home', invitationId: null, returnTo: '/', cookie }
  await deps.write(async (tx) => {
    await saveNewcomer(tx, newcomer, { peer: '192.0.2.1', at: clock.now, random: deps.random })
    await spendChallenge(tx, deps.random(56), clock.now)
  })
  const kept = () =>
    values('select (select count(*) from provider_attempts), (select count(*) from spent_challenges)')[0]
  jest.useFakeTimers()
  const sweep = startSignInSweep(deps)
  /** Lets the timer run, and waits for what it began. */
  const wait = async (ms: number) => {
    clock.now += ms
    jest.advanceTimersByTime(ms)
    for (let write = 0; write < 4; write += 1) await deps.write(async () => {})
  }
  try {
    await wait(1000)
    expect(kept()).toEqual([1, 1])
    await wait(600_000)
    expect(kept()).toEqual([0, 0])
  } finally {
    jest.useRealTimers()
    await sweep.stop()
  }
})
