import { afterAll, describe, expect, test } from 'bun:test'
import { createUser } from '../../src/accounts/account/user'
import { createInstance, withToken } from '../support/instance'
import { registerClient } from '../support/oauth'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance({ config: { requireTwoStep: 'off' } })
const { ask, deps, lines } = kiroku
afterAll(kiroku.close)

/** The events that one request left in the log; its own line comes last. */
async function loggedBy(request: () => Promise<{ readonly status: number }>) {
  const before = lines.length
  const { status } = await request()
  const events = lines.slice(before)
  expect(events.at(-1)?.facts).toMatchObject({ status })
  return { status, events, line: events.at(-1)?.facts ?? {} }
}

const mio = await createMember(kiroku, 'mio')
const post = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the log says who was refused with 403 (ASVS 16.3.2)', () => {
  test('for a token without the scope, its number and its user', async () => {
    const token = await kiroku.tokenOf('mio', 'read')
    const init = withToken(token, { method: 'POST', headers: post, body: 'username=azusa' })
    const { status, line } = await loggedBy(() => ask('/v1/me/follows', init))
    expect(status).toBe(403)
    const { id, user_id } = await deps.read
      .selectFrom('tokens')
      .select(['id', 'user_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({ user: user_id, token: id })
  })

  test.each(['/admin', '/admin/users'])('a member at %s, by user and session', async (target) => {
    const { status, line } = await loggedBy(() => mio.open(target))
    expect(status).toBe(403)
    expect(line).toMatchObject({ user: 1, session: expect.any(Number) })
  })

  test('for a form from another site, its member', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const { status, line } = await loggedBy(() => mio.post('/settings/profile', {}, headers))
    expect([status, line.user]).toEqual([403, 1])
  })

  test('for an application that revokes what is not its own, its client ID', async () => {
    const client = await registerClient(kiroku)
    const token = await kiroku.tokenOf('mio', 'read')
    const body = new URLSearchParams({ client_id: client.uid, client_secret: client.secret, token })
    const { status, events } = await loggedBy(() => ask('/oauth/revoke', { method: 'POST', body }))
    expect(status).toBe(403)
    expect(events[0]).toMatchObject({
      event: 'client_refused',
      facts: { error: 'unauthorized_client', client: client.uid },
    })
  })

  test('for a disabled account, its user', async () => {
    const password = 'correct horse battery'
    const nodoka = { username: 'nodoka', email: 'n@example.com', password, isAdmin: false }
    const user = await createUser(deps, nodoka)
    const change = { disabled_at: deps.now() }
    await deps.write((tx) => tx.updateTable('users').set(change).where('id', '=', user).execute())
    const { status, events } = await loggedBy(() => createVisitor(kiroku).signIn('nodoka', password))
    expect(status).toBe(403)
    const signIn = events.find(({ event }) => event === 'sign_in')
    expect(signIn?.facts).toMatchObject({ outcome: 'disabled', user })
  })
})

test('other requests are not linked to a user', async () => {
  for (const request of [
    () => mio.open('/settings'),
    () => kiroku.get('/v1/works'),
    () => mio.open('/nothing'),
  ]) {
    const { line } = await loggedBy(request)
    expect(Object.keys(line)).toEqual(['id', 'peer', 'method', 'url', 'status', 'ms'])
  }
})
