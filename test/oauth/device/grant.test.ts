import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { register } from '../../support/apps'
import { type Codes, codesFor, decideOn, poll, registerDevice } from '../../support/device'
import { type Body, createInstance, type Instance, withToken } from '../../support/instance'
import { type Client, errorOf, expectError, expectHeaders, isAlive, postAs } from '../../support/oauth'
import { createMember, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor
let tv: Client
let codes: Codes

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  tv = await registerDevice(kiroku, mio)
})
beforeEach(async () => {
  azusa = await createMember(kiroku, 'azusa')
  codes = await codesFor(kiroku, tv)
})
afterAll(() => kiroku.close())

const tokenOf = async (response: Response): Promise<string> => ((await response.json()) as Body).access_token

describe('a device that polls gets no token (RFC 8628 §3.5)', () => {
  test('before a decision: authorization_pending', async () => {
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
    kiroku.clock.now += 5000
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
  })

  test('sooner than after the interval: slow_down, and the interval is 5 seconds longer each time', async () => {
    const after = async (ms: number) => {
      kiroku.clock.now += ms
      return await errorOf(await poll(kiroku, tv, codes))
    }
    expect(await after(0)).toBe('400 authorization_pending')
    expect(await after(4999)).toBe('400 slow_down')
    expect(await after(9999)).toBe('400 slow_down')
    expect(await after(15_000)).toBe('400 authorization_pending')
    expect(await after(14_999)).toBe('400 slow_down')
  })

  test('when access was denied: access_denied, however often it polls', async () => {
    await decideOn(azusa, codes, 'deny')
    for (let times = 0; times < 3; times += 1) {
      await expectError(await poll(kiroku, tv, codes), '400 access_denied')
    }
  })

  test('after the codes expired, to the millisecond, even if somebody approved in time: expired_token', async () => {
    kiroku.clock.now += 599_999
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
    await decideOn(azusa, codes, 'approve')
    kiroku.clock.now += 1
    await expectError(await poll(kiroku, tv, codes), '400 expired_token')
  })

  test('with another client’s code, which stays valid for its own: invalid_grant', async () => {
    await decideOn(azusa, codes, 'approve')
    const other = await registerDevice(kiroku, mio, { confidential: '1' })
    await expectError(await poll(kiroku, other, codes), '400 invalid_grant')
    expect((await poll(kiroku, tv, codes)).status).toBe(200)
  })

  test('with an invalid code: invalid_grant, or invalid_request for none at all', async () => {
    for (const device_code of ['x', codes.user_code, `${codes.device_code.slice(0, -1)}_`]) {
      await expectError(await poll(kiroku, tv, codes, { device_code }), '400 invalid_grant')
    }
    await expectError(await poll(kiroku, tv, codes, { device_code: undefined }), '400 invalid_request')
    await expectError(await poll(kiroku, tv, codes, { device_code: '' }), '400 invalid_request')
    const query = `/oauth/token?device_code=${codes.device_code}`
    await expectError(await postAs(kiroku, query, {}), '400 invalid_request')
  })

  test('as an application without the grant, or that no longer has it: unauthorized_client (§3.1)', async () => {
    const plain = await register(kiroku, mio)
    await expectError(await poll(kiroku, plain, codes), '400 unauthorized_client')
    const gone = await registerDevice(kiroku, mio)
    const waiting = await codesFor(kiroku, gone)
    await decideOn(azusa, waiting, 'approve')
    const values = { name: 'TV', redirect_uri: gone.redirectUri, scopes: 'read write', device_grant: '' }
    await mio.submit(`/oauth/applications/${gone.id}/edit`, values)
    await expectError(await poll(kiroku, gone, waiting), '400 unauthorized_client')
  })

  test('without the client’s secret, and then the code stays valid: invalid_client (§3.4)', async () => {
    const box = await registerDevice(kiroku, mio, { confidential: '1' })
    const waiting = await codesFor(kiroku, box)
    await decideOn(azusa, waiting, 'approve')
    for (const client_secret of [undefined, 'x', tv.uid]) {
      await expectError(await poll(kiroku, box, waiting, { client_secret }), '401 invalid_client')
    }
    expect((await poll(kiroku, box, waiting)).status).toBe(200)
  })

  test('when the approver is disabled or revoked it, or the application is deleted', async () => {
    await decideOn(azusa, codes, 'approve')
    const disable = (at: number | null) =>
      kiroku.deps.write((tx) =>
        tx.updateTable('users').set({ disabled_at: at }).where('username', '=', 'azusa').execute(),
      )
    await disable(kiroku.clock.now)
    await expectError(await poll(kiroku, tv, codes), '400 invalid_grant')
    await disable(null)
    const doomed = await registerDevice(kiroku, mio)
    const waiting = await codesFor(kiroku, doomed)
    await decideOn(azusa, waiting, 'approve')
    await mio.submit(`/oauth/applications/${doomed.id}/revoke_tokens`)
    await expectError(await poll(kiroku, doomed, waiting), '400 invalid_grant')
    await mio.submit(`/oauth/applications/${doomed.id}/delete`)
    await expectError(await poll(kiroku, doomed, waiting), '401 invalid_client')
  })
})

describe('a device that polls gets a token (RFC 8628 §3.5)', () => {
  test('for the user who approved it, with the requested scope (TK-01, TK-20)', async () => {
    const asked = await codesFor(kiroku, tv, { scope: 'write read' })
    const page = await decideOn(azusa, asked, 'approve')
    expect([page.status, page.text.includes('The device is connected')]).toEqual([200, true])
    const response = await poll(kiroku, tv, asked, { scope: 'read' })
    expectHeaders(response)
    const body: Body = await response.json()
    expect([response.status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^kir_at_[0-9A-Za-z]{49}$/),
        token_type: 'bearer',
        scope: 'read write',
        created_at: Math.floor(kiroku.clock.now / 1000),
      },
    ])
    const me: Body = await (await kiroku.ask('/v1/me', withToken(body.access_token))).json()
    expect(me.username).toBe('azusa')
    expect(JSON.stringify(kiroku.lines)).not.toContain(body.access_token)
    expect((await azusa.open('/settings/applications')).text).toContain('TV')
  })

  test('at once when it is approved, however often it polled before', async () => {
    for (let times = 0; times < 3; times += 1) await poll(kiroku, tv, codes)
    await decideOn(azusa, codes, 'approve')
    expect(await isAlive(kiroku, await tokenOf(await poll(kiroku, tv, codes)))).toBe(true)
  })

  test('once', async () => {
    await decideOn(azusa, codes, 'approve')
    const token = await tokenOf(await poll(kiroku, tv, codes))
    await expectError(await poll(kiroku, tv, codes), '400 invalid_grant')
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('once, for twenty polls at the same time', async () => {
    await decideOn(azusa, codes, 'approve')
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(kiroku, tv, codes)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(400)])
  })
})
