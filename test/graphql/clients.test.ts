import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import * as graphql17 from 'graphql'
import * as graphql15 from 'graphql-15'
import * as graphql16 from 'graphql-16'
import { AnnictStrategy } from 'passport-annict'
import { openStore, prepareDirectory } from '../../src/db/open'
import { openCopy } from '../support/database-copy'
import { fromScript } from '../support/from-script'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { seedLibrary } from '../support/seed-library'
import { clientDocuments } from './client-documents'
import { publicClients } from './public-clients'

const directory = temporaryDirectory()
const data = directory.file('data')
prepareDirectory(data)
await openStore(data, await openCopy(data, seedLibrary)).close()
const token = (
  await output(directory, ['token', 'create', 'mio', '--description', 'clients', '--scope', 'read write'])
).trim()
const server = await startServer(directory, ['--rate-limit', 'off'])
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

test.each([...publicClients, ...clientDocuments].map((document) => ({ ...document })))(
  '$name',
  async ({ init, expected }) => {
    const { search = '', headers = {}, body } = init
    const response = await fetch(`${server.url}/graphql${search}`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    expect([response.status, text]).toEqual([200, text])
    expect(JSON.parse(text)).toEqual({ data: expected })
  },
)

const ask = async (query: string) => {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return ((await response.json()) as Body).data
}

// What a version may ask for, and an older one does not know.
const newer = { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }
const readers = [
  [15, graphql15, {}],
  [16, graphql16, newer],
  [17, graphql17, newer],
] as const

test.each(readers)('graphql-js %d reads the schema in the documentation', async (_, graphql, options) => {
  const asked = { directiveIsRepeatable: true, schemaDescription: true, ...options }
  const { buildClientSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } =
    graphql as typeof graphql17
  const schema = buildClientSchema(await ask(getIntrospectionQuery(asked)))
  const read = printSchema(lexicographicSortSchema(schema))
  expect(`${read.trimEnd()}\n`).toBe(readFileSync('docs/schema.graphql', 'utf8'))
})

test('the directives, and their locations, are those of the specification of 2021', async () => {
  const { __schema } = await ask('{ __schema { directives { name locations } } }')
  const names = __schema.directives.map(({ name }: Body) => name)
  expect(names.toSorted()).toEqual(['deprecated', 'include', 'skip', 'specifiedBy'])
  const locations = __schema.directives.flatMap(({ name, locations }: Body) =>
    locations.map((location: string) => `@${name} on ${location}`),
  )
  expect(locations.length).toBeGreaterThan(6)
  expect(locations.filter((text: string) => !locations2021.has(text.replace(/.* on /, '')))).toEqual([])
})

/** https://spec.graphql.org/October2021/#sec-Type-System.Directives */
const locations2021 = new Set([
  ...[
    'QUERY',
    'MUTATION',
    'SUBSCRIPTION',
    'FIELD',
    'FRAGMENT_DEFINITION',
    'FRAGMENT_SPREAD',
    'INLINE_FRAGMENT',
  ],
  ...['VARIABLE_DEFINITION', 'SCHEMA', 'SCALAR', 'OBJECT', 'FIELD_DEFINITION', 'ARGUMENT_DEFINITION'],
  ...['INTERFACE', 'UNION', 'ENUM', 'ENUM_VALUE', 'INPUT_OBJECT', 'INPUT_FIELD_DEFINITION'],
])

test('graphql-core, from Python, reads the schema and checks documents against it', async () => {
  const documents = {
    right: '{ viewer { username libraryEntries(seasons: []) { nodes { work { coverUrl } } } } }',
    wrong: '{ viewer { nonsense } }',
  }
  const input = [server.url, token, JSON.stringify(documents)]
  const heard = await fromScript('graphql-python.py', { module: 'graphql', input })
  if (heard === undefined) return
  const { errors, answer } = JSON.parse(heard)
  expect(errors).toEqual({ right: [], wrong: [expect.stringContaining('nonsense')] })
  expect(answer.viewer.username).toBe('mio')
  expect(answer.viewer.libraryEntries.nodes.length).toBeGreaterThan(2)
})

test('passport-annict signs in', async () => {
  const strategy = new AnnictStrategy(
    { clientID: 'id', clientSecret: 'secret', callbackURL: 'http://localhost/callback', scope: 'read' },
    () => {},
  ) as unknown as {
    _oauth2: { _request: (method: string, url: string, ...more: unknown[]) => void }
    userProfile(token: string, done: (error: unknown, profile: Body) => void): void
  }
  // Only the base URL is changed.
  const { _oauth2: client } = strategy
  const ask = client._request.bind(client)
  client._request = (method, url, ...more) =>
    ask(method, url.replace('https://api.annict.com', server.url), ...more)
  const profile = await new Promise<Body>((resolve, reject) =>
    strategy.userProfile(token, (error, profile) => (error ? reject(error) : resolve(profile))),
  )
  expect(profile).toMatchObject({
    ...{ provider: 'annict', id: 1, displayName: 'みお', username: 'mio' },
    ...{ emails: [{ value: 'mio@example.com' }], photos: [{ value: `${server.url}/assets/avatar.svg` }] },
  })
})
