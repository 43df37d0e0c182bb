import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { createRawSite } from '../../support/raw-site'
import { fetching, refusal } from '../../support/source-fetch'

const MiB = 1024 * 1024
const sixteen = (bytes: Uint8Array) => Buffer.concat(Array.from({ length: 16 }, () => bytes))
const zeros = Buffer.alloc(64 * MiB)
/** A GiB of zeros: as members of gzip (RFC 1952 §2.2) and as frames of zstd, 1 MB and 100 KB of them. */
const bombs: Readonly<Record<string, Uint8Array>> = {
  gzip: sixteen(gzipSync(zeros)),
  zstd: sixteen(zstdCompressSync(zeros)),
  deflate: deflateSync(zeros),
  br: brotliCompressSync(zeros.subarray(0, 16 * MiB)),
}
const text = 'a text that does not get much smaller: 0123456789'
const whole = gzipSync(text)
const wide = zstdCompressSync(Buffer.from(text))

const head = (...lines: string[]) =>
  ['HTTP/1.1 200 OK', 'Content-Type: text/xml', ...lines, '', ''].join('\r\n')
const packed = (socket: Socket, encoding: string, body: Uint8Array) =>
  socket.end(
    Buffer.concat([
      Buffer.from(head(`Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`)),
      body,
    ]),
  )

function drip(socket: Socket): void {
  socket.write(head('Content-Length: 1000000'))
  const timer = setInterval(() => socket.write('x'), 5)
  socket.on('close', () => clearInterval(timer))
}

const acts: Readonly<Record<string, (socket: Socket) => void>> = {
  '/silent': () => {},
  '/half-a-header': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: te'),
  '/drip': drip,
  '/stops': (socket) => socket.write(`${head('Content-Length: 1000')}abc`),
  '/breaks-off': (socket) => socket.end(`${head('Content-Length: 1000')}abc`),
  '/breaks-off-in-chunks': (socket) => socket.end(`${head('Transfer-Encoding: chunked')}3\r\nabc\r\n`),
  '/closes': (socket) => socket.destroy(),
  '/nonsense': (socket) => socket.end('<!doctype html>\n'),
  '/large': (socket) => socket.end(head('Content-Length: 1001') + 'x'.repeat(1001)),
  '/large-in-chunks': (socket) =>
    socket.end(`${head('Transfer-Encoding: chunked')}3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`),
  '/exactly': (socket) => socket.end(head('Content-Length: 1000') + 'x'.repeat(1000)),
  '/cut-gzip': (socket) => packed(socket, 'gzip', whole.subarray(0, -9)),
  '/damaged-gzip': (socket) => packed(socket, 'gzip', Buffer.from(whole).fill(0, 12, 20)),
  '/cut-zstd': (socket) => packed(socket, 'zstd', wide.subarray(0, -4)),
  '/no-gzip': (socket) => packed(socket, 'gzip', Buffer.from(text)),
  '/no-br': (socket) => packed(socket, 'br', Buffer.from(text)),
  '/compress': (socket) => packed(socket, 'compress', Buffer.from(text)),
  '/gzip-of-nothing': (socket) => packed(socket, 'gzip', sixteen(sixteen(gzipSync('')))),
  '/gzip-twice': (socket) => packed(socket, 'gzip, gzip', gzipSync(whole)),
}

let store: CatalogueStore
let site: Awaited<ReturnType<typeof createRawSite>>
beforeAll(async () => {
  store = await catalogueStore()
  site = await createRawSite((socket, path) => {
    const bomb = bombs[path.slice('/bomb-'.length)]
    if (bomb !== undefined) packed(socket, path.slice('/bomb-'.length), bomb)
    else acts[path]?.(socket)
  })
})
beforeEach(() => store.handle.run('delete from source_hosts'))
afterAll(() => {
  store.close()
  site.stop()
})

const asked = (path: string, maxBytes = 1000, limits: object = {}) =>
  refusal(
    fetching({ store, base: site.base, source: { maxBytes }, limits }).ask(`https://api.example${path}`),
  )

describe('an answer is refused', () => {
  test.each([
    ['/large', 'refused: larger than 1000 bytes'],
    ['/large-in-chunks', 'refused: larger than 1000 bytes'],
    ['/exactly', 'taken'],
    ['/breaks-off', 'unreachable: the answer broke off'],
    ['/breaks-off-in-chunks', 'unreachable: the answer broke off'],
    ['/closes', 'unreachable: 127.0.0.1: unreachable: ECONNRESET'],
    ['/nonsense', 'unreachable: 127.0.0.1: unreachable: Malformed_HTTP_Response'],
    ['/cut-gzip', 'not_understood: damaged or cut off'],
    ['/damaged-gzip', 'not_understood: damaged or cut off'],
    ['/cut-zstd', 'not_understood: damaged or cut off'],
    ['/no-gzip', 'not_understood: damaged or cut off'],
    ['/no-br', 'not_understood: damaged or cut off'],
    ['/compress', 'not_understood: an unknown content encoding'],
    ['/gzip-of-nothing', 'refused: larger than 1000 bytes'],
    ['/gzip-twice', 'not_understood: an unknown content encoding'],
  ])('%s', async (path, expected) => {
    expect(await asked(path)).toBe(expected)
  })

  test.each(['/silent', '/half-a-header'])('%s', async (path) => {
    expect(await asked(path, 1000, { headersMs: 200 })).toBe('unreachable: no answer within 0.2 s')
  })

  test.each(['/drip', '/stops'])('%s', async (path) => {
    expect(await asked(path, MiB, { wholeMs: 400 })).toBe('unreachable: the answer came too slowly')
  })
})

test('an answer that arrives fast enough may take longer than the limit', async () => {
  // A byte every 5 ms, so these take 2 s.
  expect(await asked('/drip', 399, { headersMs: 1000, wholeMs: 1500, minSpeed: 1 })).toBe(
    'refused: larger than 399 bytes',
  )
})

describe('a bomb', () => {
  test.each(Object.keys(bombs))('of %s is refused for its ratio', async (encoding) => {
    expect(await asked(`/bomb-${encoding}`, 2048 * MiB)).toBe('refused: compressed more than 200 to 1')
  })

  test.each(Object.keys(bombs))('of %s is refused for its size', async (encoding) => {
    const asking = asked(`/bomb-${encoding}`, 8 * MiB, { maxRatio: Number.POSITIVE_INFINITY })
    expect(await asking).toBe(`refused: larger than ${8 * MiB} bytes`)
  })
})

test('a stopped run does not wait for an answer', async () => {
  const stopping = new AbortController()
  const { ask } = fetching({ store, base: site.base })
  const asking = refusal(
    ask('https://api.example/stops', {
      signal: stopping.signal,
      keep: async (content) => {
        for await (const _ of content) stopping.abort(new Error('SIGTERM'))
      },
    }),
  )
  expect(await asking).toBe('Error: SIGTERM')
})

test('storing the content may fail', async () => {
  const { ask } = fetching({ store, base: site.base })
  const keep = () => Promise.reject(new Error('ENOSPC'))
  expect(await refusal(ask('https://api.example/exactly', { keep }))).toBe('Error: ENOSPC')
})
