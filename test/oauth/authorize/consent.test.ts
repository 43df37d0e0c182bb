import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import { answerOf, authorizeUrl, callback, consentInputs, decide, registerClient } from '../../support/oauth'
import { createMember, createVisitor, hiddenInputs, sameOrigin } from '../../support/visitor'

const kiroku = await createInstance()
const { deps, clock, lines } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const mio = await createMember(kiroku, 'mio')

const codes = async () => (await deps.read.selectFrom('authorization_codes').select('id').execute()).length
const pending = async () => (await deps.read.selectFrom('consent_requests').select('id').execute()).length
const inputs = async (visitor = mio, who = client) => consentInputs(await visitor.open(authorizeUrl(who)))

/** Runs `attempt` and checks that it yields no code. */
async function withoutCode<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await codes()
  const result = await attempt()
  expect(await codes()).toBe(before)
  return result
}

describe('the CSRF token', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another origin, in an old browser', { origin: 'https://evil.example' }],
    ['from a sibling', { 'sec-fetch-site': 'same-site', origin: 'http://a.localhost:3000' }],
  ])('AZ-20: a form %s is refused, and the log says so (§2.7)', (_, headers) =>
    withoutCode(async () => {
      const form = { ...(await inputs()), decision: 'approve' }
      const page = await mio.post('/oauth/authorize', form, headers)
      expect([page.status, page.location]).toEqual([403, ''])
      const logged = lines.findLast(({ event }) => event === 'csrf_refused')
      expect(logged?.facts).toMatchObject({ path: '/oauth/authorize', user: 1 })
    }),
  )

  test.each([[{ origin: 'null' }], [{}], [sameOrigin]])(
    'AZ-20: without its token it is refused, with %p',
    (headers) =>
      withoutCode(async () => {
        const { request = '' } = await inputs()
        for (const csrf of ['', 'x'.repeat(43)]) {
          const form = { request, csrf, decision: 'approve' }
          expect((await mio.post('/oauth/authorize', form, headers)).status).toBe(403)
        }
      }),
  )

  test('AZ-20: sent twice is refused', () =>
    withoutCode(async () => {
      const { request = '', csrf = '' } = await inputs()
      const form = [
        ['request', request],
        ['csrf', csrf],
        ['csrf', csrf],
        ['decision', 'approve'],
      ] as const
      expect((await mio.post('/oauth/authorize', form)).status).toBe(422)
    }))
})

describe('a consent request', () => {
  test.each([
    ['nothing', ''],
    ['nonsense', 'kir_pq_x'],
  ])('AZ-21: %s is no handle', (_, request) =>
    withoutCode(async () => {
      const { csrf = '' } = await inputs()
      const page = await mio.post('/oauth/authorize', { csrf, request, decision: 'approve' })
      expect([page.status, page.location]).toEqual([400, ''])
    }),
  )

  test('AZ-21: is bound to its session', () =>
    withoutCode(async () => {
      const { request = '' } = await inputs()
      const again = await createMember(kiroku, 'mio')
      const { csrf = '' } = hiddenInputs((await again.open('/')).text, '/sign_out')
      const page = await again.post('/oauth/authorize', { csrf, request, decision: 'approve' })
      expect([page.status, page.location]).toEqual([400, ''])
    }))

  test('AZ-21: is decided once', async () => {
    for (const decision of ['approve', 'deny']) {
      const form = { ...(await inputs()), decision }
      expect((await mio.post('/oauth/authorize', form)).status).toBe(303)
      await withoutCode(async () => {
        const page = await mio.post('/oauth/authorize', { ...form, decision: 'approve' })
        expect([page.status, page.location]).toEqual([400, ''])
      })
    }
  })

  test('AZ-21: expires after ten minutes', async () => {
    const [late, timely] = [await inputs(), await inputs()]
    clock.now += 599_999
    expect((await mio.post('/oauth/authorize', { ...timely, decision: 'approve' })).status).toBe(303)
    clock.now += 1
    await withoutCode(async () => {
      const page = await mio.post('/oauth/authorize', { ...late, decision: 'approve' })
      expect([page.status, page.location]).toEqual([400, ''])
    })
  })

  test('AZ-21: is what was shown, whatever else the form says', async () => {
    const form = {
      client_id: 'other',
      redirect_uri: 'https://evil.example/',
      scope: 'read write',
      state: 'x',
    }
    const page = await mio.post('/oauth/authorize', { ...(await inputs()), ...form, decision: 'approve' })
    expect(page.location).toStartWith(`${callback}?code=`)
    expect(answerOf(page)).not.toHaveProperty('state')
    const kept = deps.read.selectFrom('authorization_codes').select(['scope', 'application_id'])
    expect(await kept.orderBy('id', 'desc').executeTakeFirst()).toEqual({
      scope: 'read',
      application_id: client.id,
    })
  })

  test('AZ-21: is one of at most 20 per session, the newest; expired ones are deleted', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    const others = await pending()
    const first = await inputs(azusa)
    for (let n = 0; n < 20; n += 1) await inputs(azusa)
    expect(await pending()).toBe(others + 20)
    await withoutCode(async () => {
      const page = await azusa.post('/oauth/authorize', { ...first, decision: 'approve' })
      expect(page.status).toBe(400)
    })
    clock.now += 600_000
    await inputs(azusa)
    expect(await pending()).toBe(1)
  })

  test.each(['', 'maybe', 'APPROVE'])(
    'a decision of %p is none, and leaves the question open',
    async (decision) => {
      const form = await inputs()
      await withoutCode(async () => {
        expect((await mio.post('/oauth/authorize', { ...form, decision })).status).toBe(400)
      })
      expect((await mio.post('/oauth/authorize', { ...form, decision: 'approve' })).status).toBe(303)
    },
  )
})

describe('changes before the decision', () => {
  const asBefore = { redirect_uris: callback, scope: 'read write' as const }
  const decideLater = async (
    change: () => Promise<unknown>,
    who = client,
    visitor = mio,
    decision = 'approve',
  ) => {
    const form = await inputs(visitor, who)
    await change()
    return await withoutCode(() => visitor.post('/oauth/authorize', { ...form, decision }))
  }

  test('AZ-29: a deleted application gets no code', async () => {
    const gone = await registerClient(kiroku)
    const remove = () => deps.write((tx) => tx.deleteFrom('applications').where('id', '=', gone.id).execute())
    const page = await decideLater(remove, gone)
    expect([page.status, page.location]).toEqual([400, ''])
  })

  test('AZ-29: a disabled user grants none', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    const disable = (disabled_at: number | null) =>
      deps.write((tx) => tx.updateTable('users').set({ disabled_at }).where('id', '=', 4).execute())
    const page = await decideLater(() => disable(1), client, azusa)
    await disable(null)
    expect(page.location).not.toContain('code=')
  })

  test.each([{ redirect_uris: 'https://client.example/other' }, { scope: 'write' as const }])(
    'AZ-21, AZ-25: an application that now has %p is told nothing',
    async (change) => {
      const changed = await registerClient(kiroku)
      const edit = () =>
        deps.write((tx) => tx.updateTable('applications').set(change).where('id', '=', changed.id).execute())
      for (const decision of ['approve', 'deny']) {
        await deps.write((tx) =>
          tx.updateTable('applications').set(asBefore).where('id', '=', changed.id).execute(),
        )
        const page = await decideLater(edit, changed, mio, decision)
        expect([page.status, page.location]).toEqual([400, ''])
      }
    },
  )
})

test('AZ-25: a refusal is sent with state', async () => {
  const page = await withoutCode(() => decide(mio, client, { decision: 'deny', params: { state: 's' } }))
  expect(answerOf(page)).toMatchObject({ error: 'access_denied', state: 's' })
})

test.each(['approve', 'deny'])(
  'AZ-26: %s redirects by 303, is not kept and tells nobody whence',
  async (decision) => {
    const page = await decide(mio, client, { decision })
    expect(page.status).toBe(303)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  },
)

describe('methods', () => {
  test.each(['GET', 'HEAD'])('AZ-27: %s issues no code', (method) =>
    withoutCode(async () => {
      const page = await mio.open(authorizeUrl(client, { decision: 'approve' }), {
        method,
        headers: { 'sec-purpose': 'prefetch' },
      })
      expect([page.status, page.location]).toEqual([200, ''])
    }),
  )

  test.each(['PUT', 'PATCH', 'DELETE'])('AZ-27: %s is 405', async (method) => {
    const page = await mio.open('/oauth/authorize', { method })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  test.each(['GET', 'POST', 'OPTIONS'])(
    'AZ-23: no page of another origin may read what %s answers',
    async (method) => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      const page = await mio.open(authorizeUrl(client), { method, headers })
      expect([...page.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      if (method === 'OPTIONS')
        expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    },
  )

  test('AZ-27: a visitor decides nothing', () =>
    withoutCode(async () => {
      const stranger = createVisitor(kiroku)
      const { csrf = '' } = hiddenInputs((await stranger.open('/sign_in')).text, '/sign_in')
      const { request = '' } = await inputs()
      const page = await stranger.post('/oauth/authorize', { csrf, request, decision: 'approve' })
      expect(page.location).toStartWith('/sign_in?')
    }))
})
