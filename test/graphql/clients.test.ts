import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import { AnnictStrategy } from 'passport-annict'
import { openStore, prepareDirectory } from '../../src/db/open'
import { openCopy } from '../support/database-copy'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { seedLibrary } from '../support/seed-library'
import { clientDocuments } from './client-documents'

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

test.each(clientDocuments.map((document) => ({ ...document })))('$name', async ({ init, expected }) => {
  const { search = '', headers = {}, body } = init
  const response = await fetch(`${server.url}/graphql${search}`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  expect(JSON.parse(text)).toEqual({ data: expected })
})

test('a code generator reads the schema in the documentation', async () => {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  const { data } = (await response.json()) as { data: IntrospectionQuery }
  const read = printSchema(lexicographicSortSchema(buildClientSchema(data)))
  expect(`${read.trimEnd()}\n`).toBe(readFileSync('docs/schema.graphql', 'utf8'))
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
