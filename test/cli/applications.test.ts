import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'

const uri = 'https://client.example/callback'
const create = (...args: string[]) => [
  'app',
  'create',
  'mio',
  '--name',
  'Stats',
  '--redirect-uri',
  uri,
  ...args,
]
const listed = async (directory: Directory) => JSON.parse(await output(directory, ['app', 'list', '--json']))

describe('an application is not registered on the command line', () => {
  let directory: Directory
  beforeAll(async () => {
    directory = temporaryDirectory()
    await withUsers(directory, 'mio')
  })
  afterAll(() => directory[Symbol.dispose]())

  const wrong: [string, number, string[], string][] = [
    ['without its owner', 64, ['app', 'create'], 'USERNAME is missing; see kiroku help app create'],
    [
      'for somebody unknown',
      65,
      ['app', 'create', 'nobody', ...create().slice(3)],
      'there is no user called "nobody"',
    ],
    ['without a name', 64, ['app', 'create', 'mio', '--redirect-uri', uri], '--name is missing'],
    ['without a redirect URI', 64, ['app', 'create', 'mio', '--name', 'x'], '--redirect-uri is missing'],
    [
      'with a name it may not have (AP-07)',
      64,
      create('--name', 'Kiroku'),
      'the name must not be the name of',
    ],
    [
      'with a redirect URI that is none (AZ-07)',
      64,
      create('--redirect-uri', '/x'),
      'redirect URI 2 must be a complete',
    ],
    [
      'with a scope that does not exist',
      64,
      create('--scope', 'admin'),
      '--scope must be read, write or read',
    ],
    [
      'with an address in the clear, where the instance’s is not (D57)',
      64,
      create('--base-url', 'https://kiroku.example', '--redirect-uri', 'http://client.example/'),
      'redirect URI 2 must start with https:',
    ],
  ]
  test.each(wrong)('%s', async (_, code, args, words) => {
    const ended = await run(directory, args)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toStartWith(`kiroku: ${words}`)
  })

  test('and none exists then', async () => {
    const { code, stdout, stderr } = await run(directory, ['app', 'list'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe('there are no applications yet: see kiroku help app create\n')
  })
})

test('registering an application prints one line of JSON, which shows its secret only this once (AP-03)', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const other = 'http://127.0.0.1/callback'
  const lines = await output(
    directory,
    create('--redirect-uri', other, '--scope', 'write read', '--device', '--send-iss'),
  )
  expect(lines).toMatch(/^\{[^\n]*\}\n$/)
  const { client_id, client_secret, ...more } = JSON.parse(lines)
  expect([client_id, client_secret, more]).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    expect.stringMatching(/^kir_cs_[0-9A-Za-z]{49}$/),
    {},
  ])
  const isPublic = JSON.parse(await output(directory, create('--scope', 'read', '--public')))
  expect(isPublic).toEqual({ client_id: expect.stringMatching(/^[0-9a-f]{32}$/), client_secret: null })
  expect(await listed(directory)).toMatchObject([
    {
      ...{ client_id, name: 'Stats', owner: 'mio', redirect_uris: [uri, other], scope: 'read write' },
      ...{ public: false, device: true, send_iss: true, users: 0, last_used_at: null },
    },
    { client_id: isPublic.client_id, scope: 'read', public: true, device: false, send_iss: false },
  ])
  const table = await output(directory, ['app', 'list'])
  expect(table).toContain(client_id)
  expect(table).not.toContain('kir_cs_')
})

test('an application’s tokens are revoked by its client id; an unknown id is 65 (AP-04)', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const { client_id } = JSON.parse(await output(directory, create()))
  const unknown = await run(directory, ['app', 'revoke', 'f'.repeat(32)])
  expect([unknown.code, unknown.stderr]).toEqual([
    65,
    `kiroku: there is no application with the client id "${'f'.repeat(32)}"\n`,
  ])
  expect(await output(directory, ['app', 'revoke', client_id])).toBe(`revoked 0 tokens of ${client_id}\n`)
})

test('applications can be registered while a server is running', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  await using server = await startServer(directory)
  expect(JSON.parse(await output(directory, create())).client_secret).toStartWith('kir_cs_')
  expect((await fetch(`${server.url}/livez`)).status).toBe(200)
})

test('standard error warns about an unencrypted address (D57)', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const ended = await run(directory, create('--redirect-uri', 'http://client.example/cb'))
  expect([ended.code, ended.stdout.split('\n').length, ended.stderr]).toEqual([
    0,
    2,
    'codes sent to these addresses can be intercepted: http://client.example/cb\n',
  ])
})

test('help shows that a redirect URI may be repeated', async () => {
  using directory = temporaryDirectory()
  const help = await output(directory, ['help', 'app', 'create'])
  expect(help).toContain('--name NAME --redirect-uri URI... [--scope SCOPE] [--public] [--device]')
  expect(help).toContain('--send-iss')
  expect(help).toContain('--base-url URL')
})
