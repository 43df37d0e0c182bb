import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { register } from '../../support/apps'
import { askCodes, type Codes, codesFor, poll, registerDevice } from '../../support/device'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { basic, type Client, expectError, expectHeaders, postAs } from '../../support/oauth'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor
let tv: Client
let box: Client

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  tv = await registerDevice(kiroku, mio, { scopes: 'read' })
  box = await registerDevice(kiroku, mio, { name: 'Box', confidential: '1' })
})
afterAll(() => kiroku.close())

const path = '/oauth/device_authorization'
const rows = () => kiroku.deps.read.selectFrom('device_grants').selectAll().execute()

describe('a device gets no codes (RFC 8628 §3.1)', () => {
  test('for an application without the grant', async () => {
    for (const confidential of ['1', '']) {
      const plain = await register(kiroku, mio, { confidential })
      await expectError(await askCodes(kiroku, plain), '400 unauthorized_client')
    }
    expect(await rows()).toEqual([])
  })

  test('for a client that fails to authenticate', async () => {
    for (const values of [{ client_id: undefined }, { client_id: 'x' }, { client_secret: box.secret }]) {
      await expectError(await askCodes(kiroku, tv, values), '401 invalid_client')
    }
    for (const client_secret of [undefined, 'x', tv.uid]) {
      await expectError(await askCodes(kiroku, box, { client_secret }), '401 invalid_client')
    }
    expect(await rows()).toEqual([])
  })

  test.each(['admin', 'read  write', 'read\twrite', 'READ', 'write', 'read write'])(
    'for the scope %p, where read is all that is registered',
    async (scope) => {
      await expectError(await askCodes(kiroku, tv, { scope }), '400 invalid_scope')
      expect(await rows()).toEqual([])
    },
  )

  test('by another method, from the query, or with a parameter sent twice', async () => {
    expect((await kiroku.ask(path)).status).toBe(405)
    await expectError(await postAs(kiroku, `${path}?client_id=${tv.uid}`, {}), '400 invalid_request')
    const twice = await kiroku.ask(path, {
      method: 'POST',
      body: `client_id=${tv.uid}&client_id=${tv.uid}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await expectError(twice, '400 invalid_request')
    expect(await rows()).toEqual([])
  })
})

describe('a device gets codes (RFC 8628 §3.2)', () => {
  test('with everything it has to show and to do', async () => {
    const response = await askCodes(kiroku, tv)
    const body: Body = await response.json()
    expect([response.status, body]).toEqual([
      200,
      {
        device_code: expect.stringMatching(/^kir_dc_[0-9A-Za-z]{49}$/),
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: 'http://localhost:3000/device',
        verification_uri_complete: `http://localhost:3000/device?user_code=${body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    ])
    expectHeaders(response)
  })

  test('by HTTP Basic and as JSON too, and different ones each time', async () => {
    const asked = [
      await postAs(kiroku, path, { scope: 'read write' }, basic(box.uid, box.secret)),
      await kiroku.ask(path, {
        method: 'POST',
        body: JSON.stringify({ client_id: tv.uid }),
        headers: { 'content-type': 'application/json' },
      }),
    ]
    const codes: Codes[] = await Promise.all(asked.map((response) => response.json() as Promise<Codes>))
    expect(asked.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(codes.flatMap(({ device_code, user_code }) => [device_code, user_code])).size).toBe(4)
  })

  test('of which only the hashes are stored, and nothing is in the log (ST-01, §2.7)', async () => {
    const { device_code, user_code } = await codesFor(kiroku, tv)
    await mio.open(`/device?user_code=${user_code}`)
    const kept = JSON.stringify(await rows()) + JSON.stringify(kiroku.lines)
    for (const secret of [device_code, device_code.slice(7), user_code, user_code.replace('-', '')]) {
      expect(kept).not.toContain(secret)
    }
  })

  test('that are deleted a day after they expired', async () => {
    const codes = await codesFor(kiroku, tv)
    kiroku.clock.now += 600_000 + 86_400_000 - 1
    await codesFor(kiroku, tv)
    await expectError(await poll(kiroku, tv, codes), '400 expired_token')
    kiroku.clock.now += 1
    await codesFor(kiroku, tv)
    await expectError(await poll(kiroku, tv, codes), '400 invalid_grant')
  })
})

test('the metadata includes the grant and its endpoint (RFC 8628 §4, MD-03)', async () => {
  const metadata: Body = await (await kiroku.ask('/.well-known/oauth-authorization-server')).json()
  expect(metadata).toMatchObject({
    device_authorization_endpoint: 'http://localhost:3000/oauth/device_authorization',
    grant_types_supported: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  })
})

test('links start with the base URL, whatever Host is sent (D2)', async () => {
  const proxied = await createInstance({ config: { baseUrl: 'https://kiroku.example/diary' } })
  const owner = await createMember(proxied, 'mio')
  const { uid } = await proxied.deps.write((tx) =>
    tx
      .insertInto('applications')
      .values({
        ...{ owner_id: 1, uid: 'tv', name: 'TV', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scope: 'read' },
        ...{ is_confidential: 0, has_device_grant: 1, created_at: 0, updated_at: 0 },
      })
      .returning('uid')
      .executeTakeFirstOrThrow(),
  )
  const headers = { host: 'evil.example' }
  const body: Body = await (await postAs(proxied, path, { client_id: uid }, headers)).json()
  expect(body.verification_uri).toBe('https://kiroku.example/diary/device')
  const page = await owner.open(`/device?user_code=${body.user_code}`)
  expect(page.text).toContain('action="/diary/device"')
  await proxied.close()
})
