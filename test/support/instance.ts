import type { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PasswordCost } from '../../src/accounts/account/password'
import { createToken, type TokenScope } from '../../src/accounts/token'
import { createShared, type Endpoint } from '../../src/api/endpoint'
import type { Json } from '../../src/api/fields'
import { v1 } from '../../src/api/v1'
import { createApp } from '../../src/app'
import type { Config } from '../../src/config'
import type { Generations } from '../../src/db/generations/generations'
import { openStore, readsOf, type Store } from '../../src/db/open'
import type { Deps } from '../../src/deps'
import type { Outside } from '../../src/fetching/outside'
import { errorTypes } from '../../src/http/errors'
import { incoming } from '../../src/http/incoming'
import { createServer } from '../../src/http/server'
import type { Facts } from '../../src/log/levels'
import { openMail } from '../../src/mail/open-mail'
import type { Metrics } from '../../src/metrics/metrics'
import { openCopy, openFrom, type Seed } from './database-copy'
import { NoticingGenerations } from './noticing-generations'
import { seedCatalogue } from './seed'
import { nowhere } from './web-site'

/** An application with its own data directory, and a clock that only the test moves. */
export interface Instance {
  readonly deps: Deps
  readonly store: Store
  /** `now` moves as time passes; `setBy` is how far it was also set, which a steady clock does not notice. */
  readonly clock: { now: number; setBy: number }
  /** Every logged line. */
  readonly lines: { readonly event: string; readonly facts: Facts }[]
  /** A token of the user `mio` with read and write. */
  readonly token: string
  handle(request: Request, peer?: string): Promise<Response>
  /** Sends a request with `mio`'s token. */
  get(target: string, init?: RequestInit): Promise<Response>
  /** Sends a request with nothing but `init`. */
  ask(target: string, init?: RequestInit, peer?: string): Promise<Response>
  /** The JSON of a 200. */
  json(target: string): Promise<Body>
  tokenOf(username: string, scope: TokenScope, expiresIn?: number): Promise<string>
  close(): Promise<void>
}

/** Parsed JSON that tests may access freely. */
// biome-ignore lint/suspicious/noExplicitAny: a wrong guess fails the test
export type Body = any

/** When the clock starts. */
export const start = Date.UTC(2026, 3, 1, 12)

/** How to create an instance; by default with the small catalogue of seed.ts and no rate limit. */
export interface Making {
  /** Fills the database; called once per process for all instances with the same function. */
  readonly seed?: Seed
  /** Instead of a seed: a data directory whose database is copied, with the user `mio` added. */
  readonly data?: string
  readonly config?: Partial<Config>
  readonly metrics?: Metrics
  readonly outside?: Outside
  /** Those of the database; by default they also notice what a test writes on the handle. */
  generations?(handle: Database): Generations
}

export async function createInstance({
  seed = seedCatalogue,
  data,
  config,
  metrics,
  outside = nowhere,
  generations = (handle) => new NoticingGenerations(handle),
}: Making = {}): Promise<Instance> {
  const directory = mkdtempSync(join(tmpdir(), 'kiroku-test-'))
  const handle = data === undefined ? await openCopy(directory, seed) : await openFrom(directory, data)
  // Nothing here has to survive a power cut.
  handle.run('pragma synchronous = off')
  const store = openStore(directory, handle, { generations: generations(handle) })
  const clock = { now: start, setBy: 0 }
  const lines: Instance['lines'] = []
  const settings = { ...standard, data: directory, ...config }
  const log: Deps['log'] = (event, facts = {}) => lines.push({ event, facts })
  const deps: Deps = {
    ...readsOf(store),
    ...{ write: store.write, generations: store.generations, storage: store.storage },
    config: settings,
    now: () => clock.now,
    wallClock: { behind: () => undefined, believed: () => clock.now },
    steady: () => clock.now - clock.setBy,
    outside,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    passwordCost: cheapPasswords,
    log,
    isStopping: () => false,
    mail: openMail(settings, log),
    metrics,
  }
  const tokenOf = tokenMaker(deps)
  const token = await tokenOf('mio', 'read write')
  const app = createApp(deps)
  const answer = (request: Request, peer = '192.0.2.1') => app.handle(request, peer)
  const ask: Instance['ask'] = (target, init, peer) => answer(requestOf(target, init), peer)
  const get: Instance['get'] = (target, init) => ask(target, withToken(token, init))
  const json: Instance['json'] = async (target) => {
    const response = await get(target)
    expect([target, response.status]).toEqual([target, 200])
    return response.json()
  }
  const close = async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { deps, store, clock, lines, token, handle: answer, get, ask, json, tokenOf, close }
}

/** argon2id's minimum; test/cli/accounts.test.ts and test/accounts/account/password.test.ts test the product's cost. */
export const cheapPasswords: PasswordCost = { memoryCost: 8, timeCost: 1 }

const standard: Config = {
  host: '127.0.0.1',
  port: 3000,
  data: '',
  baseUrl: 'http://localhost:3000',
  hsts: 'on',
  registration: 'invite',
  requireTwoStep: 'off',
  passwordSignIn: true,
  ...{ publicCatalogue: true, catalogueEdits: 'propose' },
  noWorker: false,
  queryTokens: true,
  oauthQueryParameters: false,
  catalogue: false,
  fetchImages: false,
  annictUrl: 'https://api.annict.com',
  catalogueContact: undefined,
  allowNetworkFilesystem: false,
  nightlyCheck: undefined,
  rateLimit: null,
  ...{ trustedProxies: [], outgoingAllow: [], webPush: false, providers: [] },
  smtpUrl: undefined,
  mailFrom: undefined,
  s3Endpoint: undefined,
  s3Region: 'us-east-1',
  s3AccessKeyId: undefined,
  s3SecretAccessKey: undefined,
  backupPassphrase: undefined,
  backupTo: undefined,
  backupEvery: null,
  backupKeep: { d: 7 },
  logLevel: 'info',
  logFormat: 'auto',
  logLimit: null,
  slowQuery: null,
  metrics: null,
}

const tokenMaker = (deps: Deps) => async (username: string, scope: TokenScope, expiresIn?: number) => {
  const { id: userId } = await deps.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return (await createToken(deps, { userId, description: 'test', scope, expiresIn })).token
}

/** Sets the clock ahead, or back by a negative number of milliseconds, without time passing. */
export function setClock({ clock }: Instance, by: number): void {
  clock.now += by
  clock.setBy += by
}

/** A request as it arrives: a Request created by hand has no Host. */
export function requestOf(target: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers)
  if (!headers.has('host')) headers.set('host', 'localhost:3000')
  return new Request(`http://localhost:3000${target}`, { ...init, headers })
}

export function withToken(token: string, init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

/** An application with one made-up endpoint, for what no endpoint of the product shows yet. */
export function serveOnly(endpoint: Endpoint, { deps }: Instance, shared = createShared(deps)) {
  const app = createServer(deps).use(v1(shared, [endpoint], []))
  return async (request: Request, peer: string): Promise<Response> =>
    app.fetch(incoming(request, { peer, id: 'one' }, ''))
}

/** The media types of bodies. */
export const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
}

/** Any body a request can have. */
export type RequestBody = NonNullable<RequestInit['body']>

export function formData(entries: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.append(name, value)
  return form
}

/** The target of an endpoint, with its path parameters filled in. */
export const targetOf = (path: string) => path.replace(/:[a-z_]+/g, '1')

/** The developer_messages of an error, after checking its format (D27). */
export async function refusals(
  response: Response,
  type: keyof typeof errorTypes,
  baseUrl = standard.baseUrl,
): Promise<string[]> {
  const text = await response.text()
  expect([response.status, text]).toEqual([errorTypes[type].status, text])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const { errors, ...others } = JSON.parse(text) as { errors: Record<string, string>[] }
  expect(others).toEqual({})
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors) {
    expect(Object.keys(error)).toEqual(['type', 'message', 'developer_message', 'url'])
    expect(Object.values(error).every((value) => typeof value === 'string' && value !== '')).toBe(true)
    expect([error.type, error.url]).toEqual([type, `${baseUrl}/docs/errors#${type}`])
  }
  return errors.map((error) => error.developer_message ?? '')
}

/** A percent-encoded query of parameters. */
export const query = (params: Readonly<Record<string, string>>) => `?${new URLSearchParams(params)}`

/** The ids of the items in a list, which is the only array in its envelope. */
export const idsOf = (envelope: Body): number[] => itemsOf(envelope).map((item) => item.id)

export const itemsOf = (envelope: Body): Body[] => Object.values(envelope).find(Array.isArray) as Body[]

/** Every field of a JSON value by its dotted path, including objects and arrays. */
export function pathsOf(value: Json, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsOf(item, at)))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => {
    const path = at === '' ? name : `${at}.${name}`
    return [path, ...pathsOf(inside, path)]
  })
}
