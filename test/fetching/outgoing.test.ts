import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { discover } from '../../src/accounts/provider/discovery'
import { s3Destination } from '../../src/backup/remote/s3-destination'
import { withSource } from '../../src/cli/import-source'
import { createFetcher } from '../../src/covers/fetch/fetcher'
import type { Outside } from '../../src/fetching/outside'
import { newPace } from '../../src/transfer/annict-account/pages'
import { pullAnnict } from '../../src/transfer/annict-account/pull'
import { type CatalogueStore, catalogueStore } from '../support/catalogue-store'
import { providerAt } from '../support/identity-provider'
import { temporaryDirectory } from '../support/kiroku'
import { createRawSite } from '../support/raw-site'
import { hurriedWorld } from '../support/s3'
import { fetching } from '../support/source-fetch'
import { createOutside, createWebSite } from '../support/web-site'

const directory = temporaryDirectory()
let store: CatalogueStore
let answer: (path: string) => Response | Promise<Response>
const site = createWebSite((path) =>
  path === '/robots.txt' ? new Response('', { status: 404 }) : answer(path),
)
/** Must never be asked. */
const inside = createWebSite(() => new Response('secret'))

beforeAll(async () => {
  store = await catalogueStore()
})
beforeEach(() => {
  store.handle.run('delete from source_hosts')
  site.asked.length = 0
  inside.asked.length = 0
})
afterAll(async () => {
  store.close()
  directory[Symbol.dispose]()
  await Promise.all([site.stop(), inside.stop()])
})

interface Use {
  readonly name: string
  /** Whether whoever runs kiroku names the host, which may be anywhere. */
  readonly isOperators?: true
  readonly isByHttps?: true
  /** How many are followed. */
  readonly redirects: number
  /** The media type that it expects. */
  readonly type: string
  /** What it says of an answer that becomes large, and of one that ends early. */
  readonly ofBomb: string
  readonly ofCut: string
  /** Requests something from this server by way of this world. */
  run(outside: Outside, origin: string): Promise<unknown>
}

const uses: readonly Use[] = [
  {
    name: 'covers',
    type: 'text/xml',
    ofBomb: 'too large',
    ofCut: 'the answer broke off',
    redirects: 5,
    run: (outside, origin) =>
      createFetcher(outside, 'kiroku').get(`${origin}/a`, { types: ['text/xml'], maxBytes: 1000 }),
  },
  {
    name: 'catalogue sources',
    isByHttps: true,
    type: 'text/xml',
    ofBomb: 'larger than 1000000 bytes',
    ofCut: 'the answer broke off',
    redirects: 5,
    run: (outside, origin) => {
      const isLocal = origin.startsWith('http://127.0.0.1:')
      const hosts = [new URL(origin).hostname]
      return isLocal
        ? fetching({ store, base: origin }).ask('https://api.example/a')
        : fetching({ store, outside, source: { hosts } }).ask(`https://${hosts[0]}/a`)
    },
  },
  {
    name: 'an Annict account',
    type: 'application/json',
    ofBomb: 'too_large',
    ofCut: 'no_answer',
    redirects: 0,
    run: (outside, annictUrl) =>
      pullAnnict(
        { folder: directory.path, annictUrl, userAgent: 'kiroku', outside, pace: newPace() },
        { token: 'secret-token', signal: new AbortController().signal },
      ),
  },
  {
    name: 'catalogue files',
    type: 'application/zstd',
    ofBomb: 'compressed more than 200 to 1',
    ofCut: 'the answer ended early',
    isOperators: true,
    redirects: 5,
    run: (_, origin) =>
      withSource(`${origin}/a`, directory.path, async (bytes) => await Array.fromAsync(bytes)),
  },
  {
    name: 'a provider',
    type: 'application/json',
    ofBomb: 'larger than 262144 bytes',
    ofCut: 'the answer broke off',
    isOperators: true,
    redirects: 0,
    run: (outside, issuer) => discover({ outside, steady: () => performance.now() }, providerAt({ issuer })),
  },
  {
    name: 'a bucket',
    type: 'application/xml',
    ofBomb: 'is no S3 server',
    ofCut: 'no answer from',
    isOperators: true,
    redirects: 0,
    run: (_, endpoint) =>
      s3Destination(
        {
          ...{ endpoint, region: 'us-east-1', bucket: 'backups', prefix: '' },
          ...{ accessKeyId: 'key', secretAccessKey: 'secret' },
        },
        hurriedWorld,
      ).list(),
  },
]

const here = () => site.at('127.0.0.1', '')
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
const asked = () => site.asked.filter(({ path }) => path !== '/robots.txt').length

/** The error that a use ends with. */
async function refusal(use: Use, { outside } = createOutside(), origin = here()): Promise<Error> {
  const cause = await use.run(outside, origin).then(
    () => undefined,
    (cause) => cause,
  )
  if (!(cause instanceof Error)) throw new Error(`${use.name} took it`)
  expect(cause.message).not.toContain('secret')
  return cause
}

describe.each(uses.filter(({ isOperators }) => isOperators !== true))('requests for $name', (use) => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['the address of a cloud’s metadata', ['169.254.169.254']],
    ['this machine', ['::1']],
    ['a private address beside a public one', ['127.0.0.1', 'fd00::1']],
  ])('do not reach %s by a name', async (_, addresses) => {
    const world = createOutside({ 'inside.test': addresses })
    await refusal(use, world, site.at('inside.test', ''))
    expect([world.state.resolved, site.asked]).toEqual([['inside.test'], []])
  })

  test('do not reach a private address that is written out', async () => {
    expect((await refusal(use, createOutside(), 'http://[::ffff:10.0.0.1]:80')).message).not.toContain(
      'ECONN',
    )
  })

  // A connection by name, to whatever it resolves to then, would be noticed by test/support/no-contact.ts.
  test('connect to the address that was checked, of each look at the name', async () => {
    answer = () => redirect('/b')
    const [world, later] = [createOutside(), createOutside({ 'moving.test': ['10.0.0.1'] })]
    const answers = [world]
    const resolve = (host: string) => (answers.shift() ?? later).outside.resolve(host)
    await refusal(use, { ...world, outside: { ...world.outside, resolve } }, site.at('moving.test', ''))
    expect([world.state.resolved.length, site.asked.length]).toEqual([1, use.isByHttps ? 0 : 1])
  })

  test('are not led into the network', async () => {
    answer = () => redirect(inside.at('hidden.test'))
    await refusal(use, createOutside({ 'hidden.test': ['10.0.0.1'] }))
    expect([asked(), inside.asked]).toEqual([1, []])
  })
})

describe.each(uses)('requests for $name', (use) => {
  test('end after their number of redirects', async () => {
    answer = () => redirect('/again')
    await refusal(use)
    expect(asked()).toBe(use.redirects + 1)
  })

  test.each([
    ['a file', () => 'file:///etc/passwd'],
    ['another protocol', () => 'ftp://127.0.0.1/'],
    ['a name and a password', () => inside.at('mio:pass@127.0.0.1')],
    ['no address', () => 'http://['],
  ])('are not led to %s', async (_, location) => {
    answer = () => redirect(location())
    await refusal(use)
    expect([asked(), inside.asked]).toEqual([1, []])
  })

  test('refuse a small answer that becomes large', async () => {
    const zeros = Bun.gzipSync(new Uint8Array(64 * 2 ** 20))
    const headers = { 'content-type': use.type, 'content-encoding': 'gzip' }
    answer = () => new Response(zeros, { headers })
    expect((await refusal(use)).message).toContain(use.ofBomb)
  })

  test('fail if the answer breaks off', async () => {
    const cut = await createRawSite((socket, path) =>
      socket.end(
        path === '/robots.txt'
          ? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'
          : `HTTP/1.1 200 OK\r\nContent-Type: ${use.type}\r\nContent-Length: 999\r\n\r\n<a`,
      ),
    )
    expect((await refusal(use, createOutside(), cut.base)).message).toContain(use.ofCut)
    cut.stop()
  })
})
