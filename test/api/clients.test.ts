import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fromScript } from '../support/from-script'
import { output } from '../support/in-process'
import { type Body, query } from '../support/instance'
import { type Directory, type Server, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { seedLibrary } from '../support/seed-library'
import { createVisitor, hiddenInputs } from '../support/visitor'

// What public clients send to Annict's REST API, written down from what they do.
let directory: Directory
let server: Server
let token: string

beforeAll(async () => {
  directory = await preparedDirectory(seedLibrary)
  const create = ['token', 'create', 'mio', '--description', 'clients', '--scope', 'read write']
  token = (await output(directory, create)).trim()
  server = await startServer(directory, ['--rate-limit', 'off'])
}, 60_000)
afterAll(async () => {
  await server?.end('SIGTERM')
  directory?.[Symbol.dispose]()
})

const send = async (method: string, path: string, params: Record<string, string>, headers = {}) => {
  const response = await fetch(`${server.url}/v1/${path}${query(params)}`, { method, headers })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Body) }
}

test('python-annict, with requests in Python', async () => {
  const heard = await fromScript('rest-python.py', { module: 'requests', input: [server.url, token] })
  if (heard === undefined) return
  expect(JSON.parse(heard)).toEqual({
    ...{ released: ['2021-04-05', ''], next: null },
    episodes: [
      [4, '星降る庭'],
      [2, '星降る庭'],
      [3, '星降る庭'],
      [1, '星降る庭'],
    ],
    ...{ programs: [[2, true]], zoned: [3] },
    ...{ made: ['星 & 100%', 4.8, true], edited: ['edited', true], set: true, deleted: true },
  })
}, 60_000)

test('the gem annict, with Faraday in Ruby', async () => {
  const heard = await fromScript('rest-ruby.rb', { module: 'faraday_middleware', input: [server.url, token] })
  if (heard === undefined) return
  expect(JSON.parse(heard)).toEqual({
    works: [[1, 'https://hoshi.example/bigger.png']],
    activities: ['mio'],
    made: [200, 'Ruby から', 'good'],
    status: [204, ''],
  })
}, 60_000)

describe('TVTestAnnictRecorder, with cpr in C++', () => {
  test('reads works and episodes with the fields it needs, and the token among the parameters', async () => {
    const works = { filter_ids: '1', fields: 'title,no_episodes', access_token: token }
    const { body } = await send('GET', 'works', works)
    expect(body).toMatchObject({ works: [{ title: '星降る庭', no_episodes: false }], total_count: 1 })
    const fields = 'id,title,number,number_text,work.title'
    const asked = { filter_work_id: '1', fields, sort_id: 'desc', per_page: '50', access_token: token }
    const { episodes } = (await send('GET', 'episodes', asked)).body ?? {}
    expect(episodes[0]).toEqual({
      ...{ id: 4, title: '', number: 'SP', number_text: '特別編' },
      work: { title: '星降る庭' },
    })
  })

  test('writes with everything in the query and no body', async () => {
    const record = await send('POST', 'me/records', { episode_id: '2', access_token: token })
    expect([record.status, record.body?.episode.id]).toEqual([200, 2])
    const watched = { work_id: '1', kind: 'watched', access_token: token }
    expect((await send('POST', 'me/statuses', watched)).status).toBe(204)
    const { works } =
      (await send('GET', 'me/works', { filter_status: 'watched', access_token: token })).body ?? {}
    expect(works.map(({ id }: Body) => id)).toContain(1)
  })
})

test('AnnictAPI, with APIKit in Swift: lists with commas, words for booleans, and every one of its fields', async () => {
  const authorization = `Bearer ${token}`
  const asked = {
    ...{
      fields: 'id,started_at,is_rebroadcast,channel,work,episode',
      filter_ids: '1,2,3',
      filter_work_ids: '1,2',
    },
    ...{ filter_started_at_gt: '2026/03/31 00:00', filter_unwatched: 'false', filter_rebroadcast: 'false' },
    ...{ page: '1', per_page: '2', sort_started_at: 'desc' },
  }
  const { body } = await send('GET', 'me/programs', asked, { authorization, accept: 'application/json' })
  const keys = ['id', 'started_at', 'is_rebroadcast', 'channel', 'work', 'episode']
  for (const program of body?.programs ?? []) expect(Object.keys(program).toSorted()).toEqual(keys.toSorted())
  expect(body?.programs.length).toBeGreaterThan(0)
  const season = await send(
    'GET',
    'works',
    { filter_season: '2021-spring', sort_season: 'asc' },
    { authorization },
  )
  expect(season.body?.works.map(({ id }: Body) => id)).toEqual([1])
})

test('ruru-annict-mcp, with fetch in TypeScript: numbers as texts, and a place where to show what is on', async () => {
  const mine = {
    filter_unwatched: 'true',
    sort_started_at: 'asc',
    page: '1',
    per_page: '25',
    access_token: token,
  }
  const { status, body } = await send('GET', 'me/programs', mine)
  expect([status, Array.isArray(body?.programs)]).toEqual([200, true])
  const followed = { filter_actions: 'create_record,create_review', per_page: '10', access_token: token }
  expect((await send('GET', 'me/following_activities', followed)).status).toBe(200)
  for (const path of ['casts', 'staffs'])
    expect(
      (await send('GET', path, { filter_work_id: '1', sort_sort_number: 'asc', access_token: token })).status,
    ).toBe(200)
  const me = (await send('GET', 'me', { access_token: token })).body
  expect([me?.username, me?.records_count]).toEqual(['mio', expect.any(Number)])
})

test('anct, with net/http in Go: its token request is a query without a body, for which kiroku has a switch (D65)', async () => {
  const [redirect_uri, password] = ['urn:ietf:wg:oauth:2.0:oob', 'correct horse battery']
  const user = ['user', 'create', 'sawako', '--email', 'sawako@example.com', '--password-stdin']
  await output(directory, user, { input: password })
  const app = ['app', 'create', 'sawako', '--name', 'anct', '--redirect-uri', redirect_uri]
  const { client_id, client_secret } = JSON.parse(await output(directory, app))
  /** The code that the page shows for copying, and what the client gets for it. */
  const signIn = async ({ url }: Server) => {
    const sawako = createVisitor({
      ask: (target, init) => fetch(url + target, { ...init, redirect: 'manual' }),
    })
    await sawako.signIn('sawako', password)
    const asked = { client_id, response_type: 'code', redirect_uri, scope: 'read write' }
    const { text } = await sawako.open(`/oauth/authorize${query(asked)}`)
    const shown = await sawako.post('/oauth/authorize', {
      ...hiddenInputs(text, '/oauth/authorize'),
      decision: 'approve',
    })
    const exchange = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri }
    const code = shown.textOf('authorization_code')
    const init = { method: 'POST', headers: { accept: 'application/json' } }
    const response = await fetch(`${url}/oauth/token${query({ ...exchange, code })}`, init)
    return (await response.json()) as Body
  }
  expect((await signIn(server)).error).toBe('invalid_request')
  await server.end('SIGTERM')
  server = await startServer(directory, ['--rate-limit', 'off', '--oauth-query-parameters'])
  const { access_token } = await signIn(server)
  const me = await send('GET', 'me', {}, { authorization: `Bearer ${access_token}` })
  expect([me.status, me.body?.username]).toEqual([200, 'sawako'])
}, 90_000)
