import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { decrypt } from 'http_ece'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createNews } from '../support/news'
import { seedLibrary } from '../support/seed-library'
import { createMember, hiddenInputs, type Visitor } from '../support/visitor'

const baseUrl = 'https://kiroku.example/log'
const path = '/settings/notifications'
const names = { 'push.example': ['93.184.215.14'], 'inside.example': ['10.0.0.1'] }
const { kiroku, handle, receiver, later, told, queue, close } = await createNews(names, {
  baseUrl,
  webPush: true,
  rateLimit: 10_000,
})
const { clock } = kiroku
afterAll(close)

const origin = { 'sec-fetch-site': 'same-origin', origin: 'https://kiroku.example' }
const minute = 60_000
const day = 86_400_000

/** A browser that was asked after a press: what it gives, and how it reads. */
function browser(endpoint = `${receiver.url}/push/abc`) {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const authSecret = randomBytes(16)
  const given = { endpoint, p256dh: ecdh.getPublicKey('base64url'), auth: authSecret.toString('base64url') }
  const read = (body: Buffer) =>
    JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret }).toString())
  return { given, read }
}

let mio: Visitor
beforeEach(async () => {
  handle.run('delete from sessions')
  mio = await createMember(kiroku, 'mio')
})

const csrf = async (visitor = mio) => {
  const { text } = await visitor.open(`/log${path}`)
  return hiddenInputs(text, `/log${path}/browser`)
}
const ask = async ({ given } = browser(), visitor = mio) =>
  visitor.post(`/log${path}/browser`, { ...(await csrf(visitor)), ...given }, origin)
const destinations = () => rowsOf(handle, 'destinations')

/** As the receiver got it. */
const bytes = () => receiver.bodies.map((body) => Buffer.from(body))

describe('a browser is told, encrypted for it alone (D86, RFC 8291)', () => {
  test('an independent reader decrypts what was sent, and the signature is that of the key that the page names (RFC 8292)', async () => {
    const phone = browser()
    expect((await ask(phone)).location).toBe(`/log${path}`)
    handle.run("update users set language = 'en' where id = 1")
    handle.run("update destinations set events = 'like'")
    told(2)
    await later(0)
    await later(20_000)
    const [{ headers } = { headers: new Headers() }] = receiver.received
    expect(phone.read(bytes()[0] ?? Buffer.of())).toEqual({
      web_push: 8030,
      notification: {
        title: 'Notification',
        body: expect.stringContaining('likes what you wrote\n'),
        navigate: `${baseUrl}/`,
        tag: `msg_${queue()[0]?.id}`,
        lang: 'en',
      },
    })
    expect([headers.get('ttl'), headers.get('content-encoding')]).toEqual(['43200', 'aes128gcm'])
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), k=(.+)$/.exec(headers.get('authorization') ?? '') ?? []
    const [head = '', claims = '', signature = ''] = token.split('.')
    const point = Buffer.from(key, 'base64url')
    const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
      part.toString('base64url'),
    )
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const signed = Buffer.from(`${head}.${claims}`)
    const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', signed, how, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      ...{ aud: receiver.url, sub: baseUrl, exp: Math.floor(clock.now / 1000) + 43_200 },
    })
    const other = await createMember(kiroku, 'azusa')
    expect((await other.open(`/log${path}`)).text).toContain(`data-push="${key}"`)
  })

  test('20 long titles are no more than 3,000 bytes', async () => {
    const phone = browser()
    await ask(phone)
    handle.run("update destinations set events = 'like'")
    handle.run('update users set name = ? where id = 2', ['😀'.repeat(100)])
    told(25)
    await later(0)
    await later(20_000)
    const [body = Buffer.of()] = bytes()
    const text = JSON.stringify(phone.read(body))
    expect([Buffer.byteLength(text) <= 3000, Buffer.byteLength(text) > 2500, body.length < 4096]).toEqual([
      true,
      true,
      true,
    ])
    expect(text).not.toContain('\ufffd')
  })

  test('another browser cannot read it', async () => {
    await ask()
    handle.run("update destinations set events = 'like'")
    told()
    await later(0)
    await later(20_000)
    expect(() => browser().read(bytes()[0] ?? Buffer.of())).toThrow()
  })
})

describe('it ends', () => {
  const waiting = async () => {
    await ask()
    handle.run("update destinations set events = 'like'")
    told()
    await later(0)
  }

  test.each([404, 410])(
    'when the server of the browser answers %d, at once, and its owner is told',
    async (status) => {
      await waiting()
      receiver.state.answer = () => new Response('', { status })
      await later(20_000)
      expect(destinations()).toMatchObject([{ kind: 'push', is_on: 0, failures: 1 }])
      expect(
        handle.query("select count(*) as n from notifications where kind = 'destination_off'").get(),
      ).toEqual({
        n: 1,
      })
      expect((await mio.open(`/log${path}`)).text).toContain('data-push')
    },
  )

  test('503 is tried again', async () => {
    await waiting()
    receiver.state.answer = () => new Response('', { status: 503 })
    await later(20_000)
    receiver.state.answer = () => new Response('', { status: 201 })
    await later(minute)
    expect([destinations()[0]?.is_on, queue().map(({ state }) => state)]).toEqual([1, ['sent']])
  })

  test('with its session: signed out, ended elsewhere, or expired', async () => {
    await waiting()
    const other = await createMember(kiroku, 'mio')
    await ask(browser(), other)
    expect(destinations()).toHaveLength(2)
    await other.post(
      '/log/sign_out',
      hiddenInputs((await other.open('/log/settings')).text, '/log/sign_out'),
      origin,
    )
    expect([destinations().length, queue().length]).toEqual([1, 1])
    receiver.received.length = 0
    handle.run('delete from outgoing')
    clock.now += 14 * day + 1
    told()
    await later(0)
    await later(20_000)
    expect([receiver.received, queue()]).toEqual([[], []])
    handle.run('delete from sessions')
    expect(destinations()).toEqual([])
  })

  test('when the operator no longer wants it', async () => {
    await ask()
    const off = await createInstance({ seed: seedLibrary, config: { baseUrl } })
    const member = await createMember(off, 'mio')
    const { text } = await member.open(`/log${path}`)
    expect(text).not.toContain('data-push')
    const fields = { ...browser().given, csrf: hiddenInputs(text, `/log${path}`).csrf ?? '' }
    expect((await member.post(`/log${path}/browser`, fields, origin)).status).toBe(422)
    const kinds = rowsOf(off.store.handle, 'destinations').map(({ kind }) => kind)
    expect(kinds).not.toContain('push')
    await off.close()
    const plain = await createInstance({
      seed: seedLibrary,
      config: { baseUrl: 'http://kiroku.lan', webPush: true },
    })
    expect((await (await createMember(plain, 'mio')).open(path)).text).not.toContain('data-push')
    await plain.close()
  })
})

describe('what a browser sends is checked', () => {
  test.each([
    ['https://inside.example/x', {}],
    ['http://push.example/x', {}],
    ['file:///etc/passwd', {}],
    ['', {}],
    ['https://push.example/x', { p256dh: 'AAAA' }],
    ['https://push.example/x', { auth: 'AAAA' }],
  ])('%s %o is refused', async (endpoint, wrong) => {
    const { given } = browser(endpoint)
    const { status, text } = await mio.post(
      `/log${path}/browser`,
      { ...(await csrf()), ...given, ...wrong },
      origin,
    )
    expect([status, text.includes('What the browser sent is no address'), destinations()]).toEqual([
      422,
      true,
      [],
    ])
  })

  test('its host is shown, and nothing else of it, on the page, by the API and in the log', async () => {
    const { given } = browser('https://push.example/secret-path')
    await ask({ given, read: () => '' })
    const { text } = await mio.open(`/log${path}`)
    expect([
      text.includes('This browser is told through push.example.'),
      text.includes('This browser<span>push.example'),
    ]).toEqual([true, true])
    const { destinations: listed } = await kiroku.json('/log/v1/me/destinations')
    expect(listed).toMatchObject([
      { kind: 'push', host: 'push.example', events: ['episode', 'comment', 'meeting'] },
    ])
    const said = JSON.stringify([text, listed, kiroku.lines])
    for (const secret of ['secret-path', given.p256dh, given.auth]) expect(said).not.toContain(secret)
    const params = new URLSearchParams({ kind: 'push', url: 'https://push.example/x', events: 'episode' })
    expect((await kiroku.get('/log/v1/me/destinations', { method: 'POST', body: params })).status).toBe(400)
  })

  test('one for each session, with what was chosen for it; of more than ten the oldest goes', async () => {
    await ask()
    handle.run("update destinations set events = 'follow'")
    handle.run('update destinations set is_on = 0')
    await ask(browser(`${receiver.url}/push/second`))
    expect(destinations()).toMatchObject([{ events: 'follow', is_on: 1, url: `${receiver.url}/push/second` }])
    for (let n = 0; n < 10; n++) await ask(browser(), await createMember(kiroku, 'mio'))
    expect(destinations()).toHaveLength(10)
    expect(destinations().map(({ events }) => events)).not.toContain('follow')
  })
})
