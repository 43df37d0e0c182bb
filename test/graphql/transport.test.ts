import { afterAll, expect, spyOn, test } from 'bun:test'
import { type Body, createInstance, types, withToken } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, post } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { token, ask, get } = kiroku
const { result } = asking(kiroku)

const query =
  'query Q($n: Int, $s: [StatusState!]) { viewer { username libraryEntries(first: $n, states: $s) { nodes { id } } } }'
const variables = { n: 1, s: 'WATCHING' }
const expected = {
  data: { viewer: { username: 'mio', libraryEntries: { nodes: [{ id: expect.any(String) }] } } },
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const posted = (body: string, type: string = types.json) => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
})

async function answered(response: Response): Promise<Body> {
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const answer = JSON.parse(text)
  expect(Object.keys(answer).filter((key) => key !== 'data' && key !== 'errors')).toEqual([])
  for (const error of answer.errors ?? [])
    expect(Object.keys(error).filter((key) => !['message', 'locations', 'path'].includes(key))).toEqual([])
  return answer
}

test.each([
  ['no token', {}],
  ['another scheme', { headers: { authorization: `Basic ${token}` } }],
  ['an unknown token', withToken('kir_pat_nothing')],
  ['a session', { headers: { cookie: 'session=1' } }],
])('401, before anything else, with %s', async (_, init: RequestInit) => {
  for (const body of [JSON.stringify({ query }), '[', 'text']) {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'content-type': types.json }
    const response = await ask('/graphql', { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toEqual([401, { message: 'Not authorized' }])
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer realm="kiroku"')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('401 for a token that has expired or whose user is disabled', async () => {
  const short = await kiroku.tokenOf('Ritsu_T', 'read', 60)
  kiroku.clock.now += 61_000
  for (const refused of [short, await kiroku.tokenOf('yui', 'read')])
    expect((await post(kiroku, { query }, refused)).status).toBe(401)
})

test('two tokens at once are refused as in REST (D30)', async () => {
  const response = await get(`/graphql?access_token=${token}`, posted(JSON.stringify({ query })))
  expect(response.status).toBe(400)
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"')
})

test.each([
  ['GET', {}],
  ['PUT', posted('{}')],
  ['DELETE', {}],
])('%s is 405, and executes nothing', async (method, init: RequestInit) => {
  const response = await get(`/graphql?${form({ query })}`, { ...init, method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  expect(await response.json()).toEqual({ errors: [{ message: 'Send queries by POST.' }] })
})

test('scripts of any origin may send requests', async () => {
  const response = await ask('/graphql', { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
  expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
})

test.each([
  ['JSON', '', posted(JSON.stringify({ query, variables }))],
  [
    'JSON with a charset and other members',
    '',
    posted(
      JSON.stringify({ query, variables, extensions: { a: 1 }, id: 3 }),
      'Application/JSON; charset=UTF-8',
    ),
  ],
  [
    'JSON whose variables are text',
    '',
    posted(JSON.stringify({ query, variables: JSON.stringify(variables), operationName: 'Q' })),
  ],
  [
    'a form',
    '',
    posted(form({ query, variables: JSON.stringify(variables), operationName: '' }), types.form),
  ],
  [
    'a query string without a body or type',
    `?${form({ query, variables: JSON.stringify(variables) })}`,
    { method: 'POST' },
  ],
  [
    'a body, which wins over the query string',
    `?${form({ query: '{ nothing }' })}`,
    posted(JSON.stringify({ query, variables })),
  ],
  ['a trailing slash', '/', posted(JSON.stringify({ query, variables }))],
])('it takes %s', async (_, target, init: RequestInit) => {
  expect(await answered(await get(`/graphql${target}`, init))).toEqual(expected)
})

test.each([
  ['a form', posted(form({ query: '{ viewer { username } }', access_token: token }), types.form)],
  ['JSON', posted(JSON.stringify({ query: '{ viewer { username } }', access_token: token }))],
])('the token may stand in %s', async (_, init: RequestInit) => {
  expect(await answered(await ask('/graphql', init))).toEqual({ data: { viewer: { username: 'mio' } } })
})

test.each([
  ['null', { query: '{ viewer { username } }', variables: null, operationName: null }],
  ['blank', { query: '{ viewer { username } }', variables: '', operationName: '' }],
])('variables and operationName may be %s', async (_, body) => {
  expect(await answered(await post(kiroku, body, token))).toEqual({ data: { viewer: { username: 'mio' } } })
})

test.each([
  ['no query', '{}', /query is required/],
  ['a blank query', '{"query":" "}', /query is required/],
  ['a query that is no text', '{"query":{"a":1}}', /query must be text/],
  ['no JSON', '{', /not valid JSON/],
  ['a batch', `[${JSON.stringify({ query })}]`, /Batches/],
  ['null', 'null', /must be an object/],
  ['a syntax error', '{"query":"{ viewer {"}', /Syntax Error/],
  ['an unknown field', '{"query":"{ viewer { usernam } }"}', /Cannot query field "usernam"/],
  ['an unknown operation', JSON.stringify({ query, operationName: 'R' }), /Unknown operation/],
  [
    'two operations and no name',
    '{"query":"query A { viewer { id } } query B { viewer { id } }"}',
    /operation name/,
  ],
  ['variables of another type', JSON.stringify({ query, variables: { n: 'x' } }), /\$n/],
  ['variables that are no JSON', JSON.stringify({ query, variables: '{' }), /variables must be a JSON/],
  ['variables that are a list', JSON.stringify({ query, variables: '[1]' }), /variables must be an object/],
  [
    'a number of more than 32 bits',
    '{"query":"{ searchWorks(annictIds: [4294967296]) { nodes { id } } }"}',
    /32-bit/,
  ],
  ['a subscription', '{"query":"subscription { viewer { id } }"}', /subscription/],
  ['a NUL in the query', '{"query":"{ viewer { \\u0000 } }"}', /NUL/],
  ['a NUL in a text', String.raw`{"query":"{ searchWorks(titles: [\"\\u0000\"]) { nodes { id } } }"}`, /NUL/],
  [
    'a NUL in a variable',
    JSON.stringify({
      query: 'query ($t: [String!]) { searchWorks(titles: $t) { nodes { id } } }',
      variables: { t: 'a\0' },
    }),
    /NUL/,
  ],
  [
    'a lone surrogate',
    String.raw`{"query":"query ($t: [String!]) { searchWorks(titles: $t) { nodes { id } } }","variables":{"t":"\ud800"}}`,
    /surrogate/,
  ],
])('200 with errors and without data for %s', async (_, body, message) => {
  const answer = await answered(await get('/graphql', posted(body)))
  expect(answer).toEqual({ errors: expect.anything() })
  expect(answer.errors[0].message).toMatch(message)
})

test.each(['text/plain', 'application/graphql', 'multipart/form-data; boundary=x'])(
  '%s is not executed',
  async (type) => {
    const { errors, data } = await answered(await get('/graphql', posted(JSON.stringify({ query }), type)))
    expect([errors.length, data]).toEqual([1, undefined])
  },
)

test('bytes that are not UTF-8 are an error', async () => {
  const body = new Uint8Array([0x7b, 0xff, 0x7d])
  const init = { method: 'POST', headers: { 'content-type': types.json }, body }
  expect((await answered(await get('/graphql', init))).errors).toHaveLength(1)
})

test('a body above 256 KiB is 413, one below is accepted', async () => {
  const body = (length: number) => JSON.stringify({ query: `{ viewer { username } } #${'x'.repeat(length)}` })
  const tooLarge = await get('/graphql', posted(body(256 * 1024)))
  expect([tooLarge.status, Object.keys((await tooLarge.json()) as object)]).toEqual([413, ['errors']])
  expect(await answered(await get('/graphql', posted(body(255 * 1024))))).toEqual({
    data: { viewer: { username: 'mio' } },
  })
})

test('queries need read, mutations write; introspection needs only a token', async () => {
  const [reader, writer] = [await kiroku.tokenOf('mio', 'read'), await kiroku.tokenOf('mio', 'write')]
  const mutation = `mutation { a: updateStatus(input: {workId: "${btoa('Work-4')}", state: WATCHED}) { work { viewerStatusState } } }`
  const refused = await result(mutation, {}, reader)
  expect(refused).toEqual({
    data: { a: null },
    errors: [
      { message: 'the access token lacks the scope write', locations: expect.anything(), path: ['a'] },
    ],
  })
  expect((await result(`{ viewer { id } }`, {}, writer)).data).toEqual({ viewer: null })
  expect(await result('{ searchWorks(annictIds: [4]) { nodes { viewerStatusState } } }')).toEqual({
    data: { searchWorks: { nodes: [{ viewerStatusState: 'NO_STATE' }] } },
  })
  expect((await result('{ __typename __schema { queryType { name } } }', {}, writer)).data.__schema).toEqual({
    queryType: { name: 'Query' },
  })
  expect((await result(mutation, {}, writer)).data).toEqual({ a: { work: { viewerStatusState: 'WATCHED' } } })
})

test('each request counts towards the rate limit', async () => {
  const limited = await createInstance({ seed: seedLibrary, config: { rateLimit: 2 } })
  const statuses: number[] = []
  const clock = spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 })
  for (let n = 0; n < 3; n++) statuses.push((await post(limited, { query }, limited.token)).status)
  const last = await post(limited, { query }, limited.token)
  clock.mockRestore()
  expect([...statuses, Object.keys((await last.json()) as object)]).toEqual([200, 200, 429, ['errors']])
  expect(last.headers.get('retry-after')).toMatch(/^\d+$/)
  await limited.close()
})

test('a full disk is 503 for a mutation, and reveals nothing about the server', async () => {
  const { write } = kiroku.deps
  Object.assign(kiroku.deps, {
    write: () =>
      Promise.reject(
        Object.assign(new Error('database or disk is full: /data/kiroku.db'), { code: 'SQLITE_FULL' }),
      ),
  })
  const response = await post(
    kiroku,
    {
      query: `mutation { updateStatus(input: {workId: "${btoa('Work-4')}", state: WATCHING}) { work { id } } }`,
    },
    token,
  )
  Object.assign(kiroku.deps, { write })
  const text = await response.text()
  expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
  expect(text).not.toContain('kiroku.db')
})
