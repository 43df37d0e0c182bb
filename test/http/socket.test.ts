import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { apiBody } from '../../src/http/request-values'
import { open } from '../support/connection'
import { createEcho } from '../support/echo'
import { createInstance } from '../support/instance'
import { until } from '../support/until'

const kiroku = await createInstance()
const echo = createEcho(kiroku)
const listening = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) => {
    const serve = request.url.includes('/v1/echo') ? echo.serve : kiroku.handle
    return serve(request, server.requestIP(request)?.address ?? '')
  },
})
afterAll(async () => {
  await listening.stop(true)
  await kiroku.close()
})

/** Sends bytes (text as one byte per character) and returns what comes back until the connection ends. */
function send(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; head: string; body: string }>()
  const chunks: Buffer[] = []
  const socket = connect(listening.port ?? 0, '127.0.0.1')
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.on('error', reject)
  socket.on('close', () => {
    const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    resolve({ status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') })
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  return promise
}

const authorization = `Authorization: Bearer ${kiroku.token}\r\n`

interface Sending {
  readonly host?: string
  readonly headers?: string
  readonly method?: string
  readonly body?: string
}

const ask = (
  target: string,
  { host = 'Host: localhost\r\n', headers = authorization, method = 'GET', body = '' }: Sending = {},
) => send(`${method} ${target} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n${body}`)

const typesOf = ({ body }: { body: string }) =>
  JSON.parse(body).errors.map(({ type }: { type: string }) => type)

test('a request is answered over a real connection too', async () => {
  const { status, head, body } = await ask('/v1/series?per_page=1')
  expect([status, JSON.parse(body).series[0].name]).toEqual([200, '星降る庭'])
  expect(head).toInclude('application/json; charset=utf-8')
  expect(kiroku.lines.at(-1)?.facts.peer).toBe('127.0.0.1')
})

describe('Host', () => {
  test.each(['nas', 'a', 'localhost', '[::1]:8080', 'LOG.example.org:80'])('%s is served', async (host) => {
    expect((await ask('/v1/series', { host: `Host: ${host}\r\n` })).status).toBe(200)
    expect((await ask('/', { host: `Host: ${host}\r\n` })).status).toBe(200)
  })

  test.each([
    ['sent twice', 'Host: localhost\r\nHost: evil.example\r\n'],
    ['sent twice alike', 'Host: localhost\r\nHost: localhost\r\n'],
    ['empty', 'Host: \r\n'],
    ['two words', 'Host: a b\r\n'],
    ['with a path', 'Host: a/b\r\n'],
    ['with a user', 'Host: mio@nas\r\n'],
    ['not ASCII', 'Host: \xe6\x98\x9f\r\n'],
    ['missing', ''],
  ])('%s is refused', async (_, host) => {
    for (const target of ['/v1/series', '/', '/v1/nothing']) {
      expect((await ask(target, { host })).status).toBe(400)
    }
  })

  test('in an absolute target does not affect links', async () => {
    const { status, body } = await ask('http://evil.example/v1/users')
    expect([status, body.includes('evil.example')]).toEqual([200, false])
  })
})

describe('a target', () => {
  test.each([
    ...['/v1/%zz', '/v1/%00', '/v1/%ff', '/v1/series?filter_name=%zz', '/v1/series?x=%00'],
    ...['/v1/series?x=%ff', '/v1/series?x=%c3', '/v1/series?x=%c3\xa9', '/v1/series?%ed%a0%80=x'],
  ])('%j is not text, and is refused', async (target) => {
    const answer = await ask(target)
    expect([answer.status, typesOf(answer)]).toEqual([400, ['invalid_params']])
  })

  // Bun replaces them with U+FFFD before any code sees the request; URLs have no such bytes (RFC 9112 §3.2).
  test('has U+FFFD in place of bytes that are neither UTF-8 nor percent-encoded', async () => {
    const { status, body } = await ask('/v1/series?filter_name=\xff')
    expect([status, JSON.parse(body).total_count]).toEqual([200, 0])
    for (const target of ['/v1/\xff', '/\x80']) expect((await ask(target)).status).toBe(404)
  })

  test('may contain unescaped UTF-8', async () => {
    const { body } = await ask(`/v1/series?filter_name=${Buffer.from('星降').toString('latin1')}`)
    expect(JSON.parse(body).total_count).toBe(1)
  })

  test.each(['//v1/series', '/v1/series#x', '/\\evil.example/v1/series', '/v1/%73eries', '/v1/series;x=1'])(
    '%s is nobody’s',
    async (target) => {
      const answer = await ask(target)
      expect([answer.status, typesOf(answer)]).toEqual([404, ['unknown_route']])
    },
  )

  test.each(['*', 'v1/series', '/v1/series?a b', '/v1/ser\x01ies'])('%j is never served', async (target) => {
    expect((await ask(target)).status).toBeWithin(400, 506)
  })
})

describe('a token', () => {
  test('in two headers is refused', async () => {
    for (const other of ['Authorization: Bearer x\r\n', authorization]) {
      const answer = await ask('/v1/series', { headers: authorization + other })
      expect([answer.status, typesOf(answer)]).toEqual([400, ['invalid_params']])
      expect(answer.head).toInclude('error="invalid_request"')
    }
  })

  test('in a cookie or as Basic is ignored', async () => {
    for (const headers of [
      `Cookie: access_token=${kiroku.token}\r\n`,
      'Authorization: Basic eDp5\r\n',
      'Cookie: %zz\r\n',
    ]) {
      expect((await ask('/v1/series', { headers })).status).toBe(401)
    }
  })
})

describe('a method', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'])(
    '%s is 405 where nobody declared it',
    async (method) => {
      const answer = await ask('/v1/series', { method })
      expect([answer.status, typesOf(answer)]).toEqual([405, ['method_not_allowed']])
      expect(answer.head).toMatch(/^allow: GET, HEAD, OPTIONS$/im)
    },
  )

  test('HEAD has the headers of GET, including the length, and no body', async () => {
    const lengthOf = ({ head }: { head: string }) => /^content-length: (\d+)$/im.exec(head)?.[1]
    const targets = [
      '/v1/series',
      '/',
      '/docs',
      '/docs/assets/swagger-ui.css',
      '/v1/nothing',
      '/v1/me/reviews/1',
    ]
    for (const target of targets) {
      const [get, head] = [await ask(target), await ask(target, { method: 'HEAD' })]
      expect([head.status, head.body, lengthOf(head)]).toEqual([get.status, '', lengthOf(get)])
    }
  })
})

describe('a body', () => {
  const form = `${authorization}Content-Type: application/x-www-form-urlencoded\r\n`
  const post = (headers: string, body: string) =>
    ask('/v1/echo', { method: 'POST', headers: form + headers, body })
  const whole = `note=${'x'.repeat(apiBody.maxBytes - 5)}`
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

  test('§2.6, D13: of 256 KiB is accepted, one byte more is 413, with and without its length', async () => {
    for (const [body, status] of [
      [whole, 200],
      [`${whole}x`, 413],
    ] as const) {
      expect((await post(`Content-Length: ${body.length}\r\n`, body)).status).toBe(status)
      expect((await post('Transfer-Encoding: chunked\r\n', chunked(body))).status).toBe(status)
    }
  })

  test.each([
    ['two lengths', 'Content-Length: 6\r\nContent-Length: 7\r\n', 'note=x'],
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', chunked('note=x')],
    ['no number as its length', 'Content-Length: x\r\n', 'note=x'],
  ])('§2.6: with %s is refused', async (_, headers, body) => {
    expect((await post(headers, body)).status).toBe(400)
  })

  test('that breaks off is not logged as a fault of the server', async () => {
    const { length } = kiroku.lines
    for (const framing of ['Content-Length: 20', 'Transfer-Encoding: chunked']) {
      await using client = await open(
        listening.port ?? 0,
        `POST /v1/me/notifications/read HTTP/1.1\r\nHost: localhost\r\n${form}${framing}\r\n\r\n1`,
      )
      await until(() => listening.pendingRequests > 0)
      await client[Symbol.asyncDispose]()
      await until(() => listening.pendingRequests === 0)
    }
    const said = kiroku.lines.slice(length).map(({ event, facts }) => [event, facts.status])
    expect(said).toEqual([
      ['request', 400],
      ['request', 400],
    ])
  })

  test('BR-09: that arrives after its token has been revoked is refused, and nothing is done', async () => {
    const body = JSON.stringify({ work_id: 3, kind: 'watching' })
    const token = await kiroku.tokenOf('azusa', 'write')
    const head =
      `POST /v1/me/statuses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    await using client = await open(listening.port ?? 0, head + body.slice(0, 1))
    await until(() => listening.pendingRequests > 0)
    kiroku.store.handle.run('delete from tokens where id = (select max(id) from tokens)')
    client.send(body.slice(1))
    await client.until('HTTP/1.1 401')
    expect(
      kiroku.store.handle.query("select * from statuses where work_id = 3 and kind = 'watching'").all(),
    ).toEqual([])
  })

  test('of a GET is ignored', async () => {
    const answer = await ask('/v1/series', {
      headers: `${authorization}Content-Length: 6\r\n`,
      body: 'page=0',
    })
    expect(answer.status).toBe(200)
  })
})
