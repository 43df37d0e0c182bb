import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import type { Destination } from '../../../src/backup/destination'
import { s3Destination } from '../../../src/backup/remote/s3-destination'
import { Failure } from '../../../src/lib/failure'
import { temporaryDirectory } from '../../support/kiroku'
import { hurriedWorld } from '../../support/s3'

const directory = temporaryDirectory()
const file = directory.file('backup')
const name = 'kiroku-20260401T120000Z.tar.zst'
const secret = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY'
const servers: Disposable[] = []

beforeAll(() => writeFileSync(file, new Uint8Array(200_000).fill(7)))
afterEach(() => {
  for (const server of servers.splice(0)) server[Symbol.dispose]()
})
afterAll(() => directory[Symbol.dispose]())

type Serve = (request: Request, seen: string) => Response | Promise<Response>

interface Asked {
  readonly bucket: Destination
  /** The requests the server received. */
  readonly requests: readonly string[]
  /** How many attempts were made: a request that is aborted at once may never arrive. */
  attempts(): number
}

/** A bucket on a server that responds like this. */
function bucketAt(answer: Serve, patience = 5000): Asked {
  const requests: string[] = []
  let attempts = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const seen = `${request.method} ${pathname}${search}`
      requests.push(seen)
      await request.arrayBuffer()
      return await answer(request, seen)
    },
  })
  servers.push({ [Symbol.dispose]: () => void server.stop(true) })
  const settings = {
    ...{ endpoint: `http://127.0.0.1:${server.port}`, region: 'us-east-1', bucket: 'backups', prefix: '' },
    ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: secret },
  }
  const counted = () => {
    attempts++
    return patience
  }
  const bucket = s3Destination(settings, { ...hurriedWorld, patience: counted })
  return { bucket, requests, attempts: () => attempts }
}

/** The failures of every operation: one line each, without the secret. */
async function failuresOf(bucket: Destination): Promise<readonly Failure[]> {
  const failures: Failure[] = []
  for (const use of [
    bucket.list,
    () => bucket.put(name, file),
    () => bucket.get(name, directory.file('back')),
  ]) {
    const cause = await use()
      .then(() => undefined)
      .catch((thrown) => thrown)
    if (!(cause instanceof Failure)) throw new Error(`no failure but ${cause}`)
    expect(cause.message).not.toContain(secret)
    expect(cause.message).not.toMatch(/\p{Cc}|AKIA/u)
    failures.push(cause)
  }
  expect(readdirSync(directory.path)).toEqual(['backup'])
  return failures
}

const xml = (text: string, status = 200, headers = {}) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, { status, headers })

test('a redirect to another server is not followed', async () => {
  let visits = 0
  const elsewhere = Bun.serve({
    port: 0,
    fetch: () => {
      visits += 1
      return new Response('')
    },
  })
  const { bucket } = bucketAt(() => Response.redirect(`http://127.0.0.1:${elsewhere.port}/`, 307))
  for (const { message, exitCode } of await failuresOf(bucket)) {
    expect([message, exitCode]).toEqual([expect.stringContaining('--s3-region'), 78])
    expect(message).not.toContain(String(elsewhere.port))
  }
  expect(visits).toBe(0)
  await elsewhere.stop(true)
})

test('a bucket in another region is reported as such', async () => {
  const moved = '<Error><Code>PermanentRedirect</Code></Error>'
  const { bucket } = bucketAt(() => xml(moved, 301, { 'x-amz-bucket-region': 'eu-central-1' }))
  for (const { message } of await failuresOf(bucket))
    expect(message).toContain('the bucket is in the region eu-central-1: set --s3-region (now us-east-1)')
})

test.each([
  ['HTML', () => new Response('<!doctype html><title>Welcome to nginx!</title><p>hi')],
  ['HTML for 404', () => new Response('<html><body>Not Found</body></html>', { status: 404 })],
  ['nothing', () => new Response('')],
  ['another document', () => xml('<Rss><Item/></Rss>')],
  ['nested without end', () => xml('<a>'.repeat(100_000))],
  [
    'a page of a list that never ends',
    () => xml('<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'),
  ],
])('%s for XML is no S3 server', async (_, answer) => {
  const { bucket, requests } = bucketAt(answer)
  const [failure] = await failuresOf(bucket)
  expect([failure?.message, failure?.exitCode]).toEqual([expect.stringContaining('is no S3 server'), 78])
  expect(requests.length).toBeLessThan(320)
})

test('an endless response is not read to its end', async () => {
  let sent = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          sent += 65_536
          controller.enqueue(new Uint8Array(65_536).fill(65))
        },
      }),
    )
  const { bucket } = bucketAt(endless)
  for (const { message } of await failuresOf(bucket)) expect(message).toContain('too long')
  // 4 MiB of a list, 64 KiB of an object, and what is in transit.
  expect(sent).toBeLessThan(40_000_000)
})

test('a server that sends slowly, or nothing, is given up after a while', async () => {
  const drip = () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await new Promise(setImmediate)
          controller.enqueue(new TextEncoder().encode('<'))
        },
      }),
    )
  for (const answer of [drip, () => new Promise<Response>(() => {})]) {
    const { bucket, attempts } = bucketAt(answer, 20)
    for (const { message, exitCode } of await failuresOf(bucket))
      expect([message, exitCode]).toEqual([expect.stringContaining('it took too long'), 74])
    expect(attempts()).toBe(21)
  }
})

test('a server with an error is retried at most seven times', async () => {
  const { bucket, requests } = bucketAt(() => xml('<Error><Code>SlowDown</Code></Error>', 503))
  for (const { message, exitCode } of await failuresOf(bucket))
    expect([message, exitCode]).toEqual([expect.stringContaining('(SlowDown)'), 74])
  expect(requests).toHaveLength(21)
  const answers = [new Response('', { status: 500 }), new Response('', { status: 429 })]
  const listed = '<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>'
  const recovering = bucketAt(() => answers.shift() ?? xml(listed))
  expect(await recovering.bucket.list()).toEqual([{ name: 'a', bytes: 1 }])
})

test('texts from the server are not repeated', async () => {
  const shouted = `\x1b[2J${secret} AKIAIOSFODNN7EXAMPLE`
  const error = `<Error><Code>${secret.slice(0, 4)}\n!</Code><Message>${shouted}</Message></Error>`
  const { bucket } = bucketAt(() =>
    xml(error.replaceAll('\x1b', ''), 403, { 'x-amz-bucket-region': shouted.slice(4) }),
  )
  for (const { message } of await failuresOf(bucket)) expect(message).toContain('(status 403)')
})

test('an object shorter, longer or different from what was sent is removed again', async () => {
  for (const headers of [
    { 'content-length': '199999' },
    { 'content-length': '200000', 'x-amz-meta-sha256': 'f'.repeat(64) },
  ]) {
    const { bucket, requests } = bucketAt((request, seen) => {
      if (seen.includes('uploads=') && request.method === 'POST')
        return xml('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
      if (seen.includes('uploads=')) return xml('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
      if (request.method === 'POST')
        return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
      return new Response(null, { headers: request.method === 'HEAD' ? headers : {} })
    })
    const failure = await bucket.put(name, file).catch((cause) => cause)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.message).toContain('arrived damaged')
    expect(requests.at(-1)).toBe(`DELETE /backups/${name}`)
  }
})

test('an upload whose completion fails with status 200 is a failure', async () => {
  const { bucket } = bucketAt((request, seen) => {
    if (seen.includes('uploads=') && request.method === 'POST')
      return xml('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    if (seen.includes('uploads=')) return xml('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
    return request.method === 'POST' ? xml('<Error><Code>InvalidPart</Code></Error>') : new Response('')
  })
  const failure = await bucket.put(name, file).catch((cause) => cause)
  expect([failure.message, failure.exitCode]).toEqual(['s3://backups: the server refused (InvalidPart)', 74])
})

test('a changing object, a wrong range and other content are not accepted as a backup', async () => {
  const part = (etag: string, range: string, sha256 = '') =>
    new Response(new Uint8Array(65_536), {
      status: 206,
      headers: { etag, 'content-range': range, ...(sha256 === '' ? {} : { 'x-amz-meta-sha256': sha256 }) },
    })
  const changing = [part('"1"', 'bytes 0-65535/131072'), part('"2"', 'bytes 65536-131071/131072')]
  const answers: [Serve, string][] = [
    [() => changing.shift() ?? new Response(), 'changed while'],
    [() => part('"1"', 'bytes 65536-131071/131072'), 'another range'],
    [() => part('"1"', 'bytes 0-65535/999999999999999'), 'MB are needed'],
    [() => part('"1"', 'bytes 0-65535/65536', 'f'.repeat(64)), 'is not what was stored there'],
  ]
  for (const [answer, why] of answers) {
    const { bucket } = bucketAt(answer)
    const failure = await bucket.get(name, directory.file('back')).catch((cause) => cause)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.message).toContain(why)
    expect(readdirSync(directory.path)).toEqual(['backup'])
  }
})
