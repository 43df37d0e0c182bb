import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createInvitation } from '../src/accounts/account/invitation'
import { createResetLink } from '../src/accounts/account/new-password'
import { findSession, startSession } from '../src/accounts/sign-in/session'
import { createSecret } from '../src/lib/secret'
import { createInstance, type Instance, setClock, withToken } from './support/instance'
import { createMember } from './support/visitor'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance({ config: { registration: 'invite' } })
})
afterAll(() => kiroku.close())

const minute = 60_000
const day = 86_400_000
const mio = 1

/** Sets the clock; the next request notices, and what it writes is waited for. */
async function set(by: number): Promise<void> {
  setClock(kiroku, by)
  await kiroku.ask('/livez')
  await kiroku.deps.write(async () => {})
}

/** Something with a lifetime: how long, how to create it, and how to check whether it is still valid. */
interface Lasting {
  readonly lifetime: number
  make(): Promise<() => Promise<boolean>>
}

const opens = (target: string) => async () => (await kiroku.ask(target)).status === 200

const lasting: Readonly<Record<string, Lasting>> = {
  'a confirmed password': {
    lifetime: 15 * minute,
    make: async () => {
      const visitor = await createMember(kiroku, 'mio')
      return async () => (await visitor.open('/settings/two_step')).status === 200
    },
  },
  'a session that nobody uses': {
    lifetime: 14 * day,
    make: async () => {
      const cookie = createSecret('se', kiroku.deps.random)
      const browser = { userAgent: '', address: '' }
      const session = { userId: mio, cookie, browser, at: kiroku.clock.now, believed: kiroku.clock.now }
      await kiroku.deps.write((tx) => startSession(tx, session))
      return async () => (await findSession(kiroku.deps, cookie)) !== undefined
    },
  },
  'a link for a new password': {
    lifetime: 60 * minute,
    make: async () => opens(`/reset_password/${await createResetLink(kiroku.deps, mio)}`),
  },
  'an invitation': {
    lifetime: 90 * minute,
    make: async () => {
      const asked = { createdBy: null, uses: 1, expiresIn: 90 * minute, note: '' }
      return opens(`/invitations/${(await createInvitation(kiroku.deps, asked)).code}`)
    },
  },
  'an access token that expires': {
    lifetime: 120 * minute,
    make: async () => {
      const token = await kiroku.tokenOf('mio', 'read', 120 * minute)
      return async () => (await kiroku.ask('/v1/me', withToken(token))).status === 200
    },
  },
}

const length = fc.integer({ min: 1, max: 60 * 24 * 400 }).map((minutes) => minutes * minute + 1)
const short = fc.integer({ min: 1, max: 100 }).map((minutes) => minutes * minute + 1)
const step = fc.oneof(
  fc.record({ what: fc.constant('pass' as const), by: short }),
  fc.record({ what: fc.constantFrom('ahead' as const, 'back' as const), by: fc.oneof(short, length) }),
)

describe('whatever the clock is set to', () => {
  test.each(Object.entries(lasting))(
    '%s is valid for its lifetime from the latest moment it can have been created, and no longer',
    async (_, { lifetime, make }) => {
      await fc.assert(
        fc.asyncProperty(length, fc.array(step, { maxLength: 8 }), async (first, steps) => {
          await set(first)
          const isGood = await make()
          let made = kiroku.clock.now
          for (const { what, by } of steps) {
            if (what === 'pass') kiroku.clock.now += by
            else await set(what === 'ahead' ? by : -by)
            made = Math.min(made, kiroku.clock.now)
            const expected = kiroku.clock.now - made < lifetime
            expect(await isGood()).toBe(expected)
            // Something expired may become valid again with the clock; neither outcome is guaranteed.
            if (!expected) return
          }
        }),
        { numRuns: 40 },
      )
    },
    120_000,
  )

  test('nobody waits longer than a quarter of an hour, nor longer than announced', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        for (const { what, by } of steps) {
          const wait = await guess()
          expect(wait).toBeLessThanOrEqual(15 * 60)
          if (wait > 0) {
            kiroku.clock.now += wait * 1000
            expect(await guess()).toBe(0)
          }
          if (what === 'pass') continue
          await set(what === 'ahead' ? by : -by)
        }
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})

/** Types an unknown device code; returns how many seconds to wait instead, if any. */
async function guess(): Promise<number> {
  const member = await createMember(kiroku, 'azusa')
  const page = await member.submit('/device', { user_code: 'BCDF-GHJK' })
  return Number(page.headers.get('retry-after') ?? 0)
}
