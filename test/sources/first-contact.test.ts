import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { allSources } from '../../src/sources/all'
import { knownFromDatabase } from '../../src/sources/known-from-database'
import { scopeOf } from '../../src/sources/run/scope'
import { debianTool } from '../support/debian-tool'
import { createInstance } from '../support/instance'
import { type Directory, output, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'
import { createVisitor, type Visitor } from '../support/visitor'

/** A request, with digits replaced by 0, because it contains days and numbers. */
interface Request {
  readonly source: string
  readonly target: string
}

/** A local server that stands in for all sources. */
function recorder() {
  const asked: Request[] = []
  const agents = new Set<string | null>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url, method, headers }) => {
      const [, source = '', target = ''] = /^https?:\/\/[^/]+\/([^/]+)(.*)$/.exec(url) ?? []
      asked.push({ source, target: masked(method, target) })
      agents.add(headers.get('user-agent'))
      return new Response('gone', { status: 410 })
    },
  })
  const env = Object.fromEntries(
    allSources.map(({ name }) => [
      `KIROKU_CATALOGUE_SOURCE_URL_${name.toUpperCase().replaceAll('-', '_')}`,
      `http://127.0.0.1:${server.port}/${name}`,
    ]),
  )
  return { asked, agents, env, [Symbol.dispose]: () => void server.stop(true) }
}

const masked = (method: string, target: string) => `${method} ${target.replace(/[0-9]+/g, '0')}`

/** The first request of each source, which is the only one if it is refused. */
async function declaredRequests(names: readonly string[]): Promise<Request[]> {
  const kiroku = await createInstance()
  const known = knownFromDatabase(kiroku.store.handle)
  const first = allSources
    .filter(({ name }) => names.includes(name))
    .map((source) => {
      const { value } = source.requests(scopeOf({}, Date.now()), {}, known, { location: undefined }).next()
      const { pathname, search } = new URL('url' in value ? String(value.url) : '')
      return { source: source.name, target: masked('json' in value ? 'POST' : 'GET', pathname + search) }
    })
  await kiroku.close()
  return first
}

const base = ['--base-url', 'http://localhost:3000']

/** Creates the administrator with the setup link and answers the question. */
async function setUp(directory: Directory, answer: string): Promise<Visitor> {
  await using server = await startServer(directory, base)
  const visitor = visitorOf(server)
  const link = (await output(directory, ['setup-url'])).trim().replace('http://localhost:3000', '')
  const account = { username: 'mio', email: 'mio@example.com', password: 'correct horse battery' }
  expect((await visitor.submit(link, account)).location).toBe('/welcome/catalogue')
  expect((await visitor.submit('/welcome/catalogue', { look: answer })).location).toBe('/welcome')
  await server.end('SIGTERM')
  return visitor
}

const visitorOf = ({ url }: Server) =>
  createVisitor({
    ask: (target, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('host', 'localhost:3000')
      return fetch(url + target, { ...init, headers, redirect: 'manual' })
    },
  })

const hasFaketime = debianTool('faketime', 'faketime') !== undefined
const [library = ''] = new Bun.Glob('/usr/lib/*/faketime/libfaketimeMT.so.1').scanSync('/')

describe.skipIf(!hasFaketime)('a new instance whose timers fire', () => {
  const recommended = ['syobocal', 'wikidata', 'bangumi-data']
  const [no, yes] = [recorder(), recorder()]
  const directories = [temporaryDirectory(), temporaryDirectory()] as const
  const clock = directories[0].file('clock')
  /** The clocks of the servers, which their timers follow, and of their child processes. */
  const faked = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', TZ: 'UTC' }
  const servers: Server[] = []
  beforeAll(async () => {
    const [quiet, curious] = directories
    await Promise.all([setUp(quiet, 'no'), setUp(curious, 'yes')])
    writeFileSync(clock, '+0')
    servers.push(await startServer(quiet, base, { env: { ...no.env, ...faked } }))
    servers.push(await startServer(curious, base, { env: { ...yes.env, ...faked } }))
    // The first check is at most ten minutes after the start, and half an hour after a source was enabled.
    writeFileSync(clock, '+1860')
    await until(() => new Set(yes.asked.map(({ source }) => source)).size >= recommended.length)
  }, 120_000)
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]()
    for (const one of [no, yes, ...directories]) one[Symbol.dispose]()
  })

  test('contacts nobody after a no', () => {
    expect(no.asked).toEqual([])
  })

  test('sends after a yes what the recommended sources declare, and nothing else', async () => {
    const declared = await declaredRequests(recommended)
    expect(declared.map(({ source }) => source).toSorted()).toEqual(recommended.toSorted())
    const others = yes.asked.filter((one) => !declared.some((request) => Bun.deepEquals(one, request)))
    expect(others).toEqual([])
  })

  test('identifies itself, but none of its users', () => {
    expect([...yes.agents]).toEqual([expect.stringMatching(/^kiroku\/\S+$/)])
  })
})
