import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { listen } from '../../src/cli/server/server'
import { bodiesInFlight, cutOffSlowBodies, releaseBody } from '../../src/http/bodies-in-flight'
import { ApiError } from '../../src/http/errors'
import { clearUploads } from '../../src/http/upload/directory'
import { receiveUpload } from '../../src/http/upload/receive'
import { codePoint } from '../support/code-point'
import { open } from '../support/connection'
import type { Body } from '../support/instance'
import { until } from '../support/until'

const MiB = 1024 * 1024
const data = mkdtempSync(join(tmpdir(), 'kiroku-upload-'))
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const deps = { config: { data }, random } as Parameters<typeof receiveUpload>[1]
const rules = { maxBytes: 32 * MiB, timeLimitMs: 600_000 }
const kept = () => (existsSync(join(data, 'uploads')) ? readdirSync(join(data, 'uploads')) : [])

const senderOf = ({ headers }: Request) => ({ pool: 'uploads', key: headers.get('x-user') ?? '1' }) as const

/** Responds with what was received, the file as base64 up to 1 MiB. */
async function answer(request: Request): Promise<Response> {
  const timeLimitMs = Number(request.headers.get('x-time-limit') ?? rules.timeLimitMs)
  try {
    await using upload = await receiveUpload(request, deps, { ...rules, timeLimitMs }, senderOf(request))
    const { values, file } = upload
    const stat = file && statSync(file.path)
    const bytes = file && stat && stat.size < MiB ? await Bun.file(file.path).bytes() : undefined
    const mode = stat && (stat.mode & 0o777).toString(8)
    const content = { name: file?.name, size: stat?.size, mode, base64: bytes?.toBase64() }
    return Response.json({ values: [...values], file: file && content, kept: kept().length })
  } catch (cause) {
    if (!(cause instanceof ApiError)) return new Response(String(cause), { status: 500 })
    return Response.json(cause.violations, { status: cause.status })
  } finally {
    releaseBody(request)
  }
}

const server = listen({ host: '127.0.0.1', port: 0 }, answer)
const port = server.port ?? 0
afterAll(async () => {
  await server.stop(true)
  rmSync(data, { recursive: true })
})

async function send(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
  const said: Body = await response.json()
  return { status: response.status, said }
}

const boundary = { 'content-type': 'multipart/form-data; boundary=edge' }
const part = (head: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const file = (content: string, name = 'list.xml') => part(`name="file"; filename="${name}"`, content)
const end = '--edge--\r\n'

/** Nothing is left behind, neither on disk nor in the memory accounting. */
async function nothingIsLeft() {
  // Bun does not count the requests of clients that hung up.
  await until(() => server.pendingRequests === 0 && bodiesInFlight().uploads === 0)
  expect(kept()).toEqual([])
}

describe('an upload', () => {
  test('is a file that only its owner can read, and is deleted after use', async () => {
    const { status, said } = await send(
      part('name="source"', 'mal') + file('<a/>') + part('name="x"', '') + end,
      boundary,
    )
    expect([status, said]).toEqual([
      200,
      {
        values: [
          ['source', 'mal'],
          ['x', ''],
        ],
        file: { name: 'list.xml', size: 4, mode: '600', base64: btoa('<a/>') },
        kept: 1,
      },
    ])
    expect((statSync(join(data, 'uploads')).mode & 0o777).toString(8)).toBe('700')
    await nothingIsLeft()
  })

  test('may lack its file, or contain an empty one', async () => {
    expect((await send(part('name="source"', 'mal') + end, boundary)).said.file).toBeUndefined()
    expect((await send(file('', '') + end, boundary)).said.file).toMatchObject({ name: '', size: 0 })
    await nothingIsLeft()
  })

  test('contains the bytes that were sent, whatever they are', async () => {
    const bytes = fc.uint8Array({ maxLength: 300_000, size: 'max' })
    const property = fc.asyncProperty(bytes, fc.string({ unit: codePoint }), async (content, value) => {
      fc.pre(!value.includes('\0'))
      const form = new FormData()
      form.append('note', value.replaceAll(/\r\n|\r|\n/g, '\r\n'))
      form.append('file', new Blob([content]), 'a')
      const { status, said } = await send(form)
      expect([status, said.file.base64]).toEqual([200, content.toBase64()])
    })
    await fc.assert(property, { numRuns: 30 })
    await nothingIsLeft()
  })

  test('of 32 MiB is accepted, one byte more is refused, with and without its length', async () => {
    const whole = 'x'.repeat(rules.maxBytes)
    expect((await send(file(whole) + end, boundary)).said.file.size).toBe(rules.maxBytes)
    const over = file(`${whole}x`) + end
    const tooLarge = { status: 413, said: ['The body is limited to 32768 KiB.'] }
    expect(await send(over, boundary)).toEqual(tooLarge)
    expect(await send(new Blob([over]).stream(), boundary)).toEqual(tooLarge)
    await nothingIsLeft()
  })

  test('that declares a larger size is refused before it has arrived', async () => {
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=edge\r\n`
    await using client = await open(port, `${head}Content-Length: ${34 * MiB}\r\n\r\n--edge`)
    await client.until('HTTP/1.1 413')
    await nothingIsLeft()
  })

  test('that never begins a part is cut off at 33 MiB', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(MiB).fill(65)),
    })
    expect((await send(endless, boundary)).status).toBe(413)
    await nothingIsLeft()
  })

  test('has its owner’s name for the file, without folders and invisible characters', async () => {
    const nameOf = async (sent: string) => (await send(file('x', sent) + end, boundary)).said.file.name
    expect(await nameOf('C:\\lists\\星.xml')).toBe('星.xml')
    expect(await nameOf('../../etc/passwd')).toBe('passwd')
    expect(await nameOf('a\u202e\u0007b')).toBe('ab')
    expect(await nameOf('長'.repeat(300))).toBe('長'.repeat(200))
  })
})

describe('a hostile body', () => {
  test.each([
    ['that is no form', 'x', { 'content-type': 'text/xml' }, 'must be multipart'],
    ['without a boundary', file('x') + end, { 'content-type': 'multipart/form-data' }, 'malformed'],
    ['without its end', file('x'), boundary, 'malformed'],
    ['cut in the head of a part', `${file('x')}--edge\r\nContent-Disp`, boundary, 'malformed'],
    ['of boundaries', '--edge\r\n'.repeat(3), boundary, 'malformed'],
    ['with two files', file('x') + file('y') + end, boundary, 'At most one file'],
    ['with a nameless value', part('', 'x') + end, boundary, 'must have a name'],
    ['with NUL in a value', part('name="a"', '\0') + end, boundary, 'NUL'],
    ['with a value of 65 KiB', part('name="a"', 'x'.repeat(65 * 1024)) + end, boundary, '64 KiB'],
    ['with __proto__', part('name="__proto__"', 'x') + end, boundary, '__proto__'],
    ['of 10,000 parts', part('name="a"', 'x').repeat(10_000) + end, boundary, 'At most'],
    ['of 10,000 parts of no form', '--edge\r\nX: y\r\n\r\n\r\n'.repeat(10_000) + end, boundary, 'At most'],
  ] as const)('%s is refused with its rule', async (_, body, headers, rule) => {
    const { status, said } = await send(body, headers)
    expect([status, said.join()]).toEqual([400, expect.stringContaining(rule)])
    await nothingIsLeft()
  })

  test.each([
    ['a huge head', `name="file"; filename="${'x'.repeat(2 * MiB)}"`],
    ['many heads', `name="file"; filename="a"${'\r\nX-Y: z'.repeat(5000)}`],
  ])('with %s never makes a fault', async (_, head) => {
    const { status } = await send(part(head, 'x') + end, boundary)
    expect([200, 400]).toContain(status)
    await nothingIsLeft()
  })

  test('of any bytes is accepted or refused', async () => {
    const pieces = fc.constantFrom(
      '--edge',
      '\r\n',
      '--',
      'Content-Disposition: form-data; name="a"',
      '; filename="b"',
      ':',
      '"',
      'x',
      '\0',
    )
    const property = fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (some) => {
      expect([200, 400]).toContain((await send(some.join(''), boundary)).status)
    })
    await fc.assert(property, { numRuns: 300 })
    await nothingIsLeft()
  })

  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=edge\r\n'
  const whileReceiving = async () => {
    await until(() => kept().length > 0)
  }

  test('that breaks off in the file leaves none', async () => {
    const begun = `--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(MiB)}`
    for (const framing of ['Content-Length: 9000000', 'Transfer-Encoding: chunked']) {
      const body = framing.startsWith('C') ? begun : `${begun.length.toString(16)}\r\n${begun}\r\n`
      const client = await open(port, `${head}${framing}\r\n\r\n${body}`)
      await whileReceiving()
      await client[Symbol.asyncDispose]()
      await nothingIsLeft()
    }
  })

  test('that ends before its declared length is refused; bytes after it are not part of it', async () => {
    const body = file('x') + end
    await using client = await open(
      port,
      `${head}Content-Length: ${body.length - 4}\r\nConnection: close\r\n\r\n${body}`,
    )
    await client.until('malformed')
    await nothingIsLeft()
  })

  test('that arrives too slowly is refused when its time is over', async () => {
    await using client = await open(port, `${head}X-Time-Limit: 60\r\nContent-Length: 900\r\n\r\n--edge\r\n`)
    await client.until('must arrive within 0.001 minutes')
    await nothingIsLeft()
  })

  test('takes the place of the slowest of three of one user, and of nine in all', async () => {
    const begin = (user: number) =>
      open(port, `${head}X-User: ${user}\r\nContent-Length: 900\r\n\r\n--edge\r\n`)
    const clients = [await begin(1), await begin(1), await begin(1)]
    await clients[0]?.until('HTTP/1.1 503')
    for (const user of [2, 2, 3, 3, 4, 4]) clients.push(await begin(user))
    await until(() => kept().length >= 8)
    expect((await send(file('x') + end, { ...boundary, 'x-user': '5' })).status).toBe(200)
    await clients[1]?.until('HTTP/1.1 503')
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    await nothingIsLeft()
  })

  test('that arrives too slowly is cut off, also while most of its time is left', async () => {
    await using client = await open(port, `${head}Content-Length: 900\r\n\r\n--edge\r\n`)
    await whileReceiving()
    for (let second = 0; second < 16; second += 1) cutOffSlowBodies()
    await client.until('too slowly')
    await nothingIsLeft()
  })
})

test('a disk that refuses the file is a fault of the server, not of the form', async () => {
  rmSync(join(data, 'uploads'), { recursive: true })
  writeFileSync(join(data, 'uploads'), '')
  expect((await send(file('x') + end, boundary).catch(() => ({ status: 500 }))).status).toBe(500)
  rmSync(join(data, 'uploads'))
  await nothingIsLeft()
})

test('partial uploads of a killed server are deleted by the next one', () => {
  mkdirSync(join(data, 'uploads'), { recursive: true })
  writeFileSync(join(data, 'uploads', 'left'), 'x')
  clearUploads(data)
  expect(kept()).toEqual([])
  clearUploads(data)
})
