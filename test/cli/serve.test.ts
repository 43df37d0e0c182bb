import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { writeAddress } from '../../src/cli/server/address-file'
import { open } from '../support/connection'
import { output, run } from '../support/in-process'
import {
  type Directory,
  freePort,
  run as runExecutable,
  spawn,
  startServer,
  temporaryDirectory,
} from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { preparedDirectory } from '../support/prepared-directory'

const makeUser = (directory: Directory, username: string) =>
  output(directory, ['user', 'create', username, '--email', `${username}@example.com`, '--password-stdin'], {
    input: 'correct horse',
  })

const status = async (url: string, token?: string) => {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token.trim()}` }
  return (await fetch(url, { headers })).status
}

test('it prints its address first, alone on a line, then the next steps; logs go elsewhere', async () => {
  using directory = temporaryDirectory()
  await using server = await startServer(directory)
  expect(await status(`${server.url}/livez`)).toBe(200)
  const { code, stdout, stderr } = await server.end('SIGTERM')
  expect(code).toBe(0)
  const [first, ...others] = stdout.trimEnd().split('\n')
  expect(first).toEndWith(`listening on http://127.0.0.1:${server.port}`)
  expect(others.join('\n')).toMatch(new RegExp(`  http://127.0.0.1:${server.port}/setup/kir_ln_\\w{49}\n`))
  expect(others.join('\n')).toContain('kiroku user create')
  expect(stdout).not.toContain('GET')
  for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
})

test('it keeps serving when nobody reads its output any more', async () => {
  using directory = await preparedDirectory()
  const child = spawn(directory, ['serve', '--port', '0', '--no-catalogue'])
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  await child.stderr.cancel()
  const [, url] = /listening on (\S+)/.exec(new TextDecoder().decode(value)) ?? []
  for (let count = 0; count < 20; count++) expect(await status(`${url}/livez`)).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('links printed by other commands lead to the running server, unless they have another address configured', async () => {
  using directory = await preparedDirectory()
  const invite = async (...flags: string[]) =>
    (await output(directory, ['invite', 'create', ...flags])).trim()
  await using server = await startServer(directory)
  expect(await invite()).toStartWith(`http://127.0.0.1:${server.port}/invitations/`)
  expect(await invite('--port', '8080')).toStartWith('http://127.0.0.1:8080/')
  expect(await invite('--base-url', 'https://kiroku.example')).toStartWith('https://kiroku.example/')
  await server.end('SIGTERM')
  expect(await invite()).toStartWith('http://127.0.0.1:3000/')
})

test('an instance with users prints no first steps; serving is the default command', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  await using server = await startServer(directory)
  const { stdout } = await server.end('SIGINT')
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  const ended = await run(directory, ['--port', 'x'])
  expect(ended.stderr).toContain('--port must be')
})

test('D54: the listening address is the real one, whatever the base URL', async () => {
  using directory = await preparedDirectory()
  await using server = await startServer(directory, [
    '--base-url',
    'https://kiroku.example/log/',
    '--host',
    '::1',
  ])
  expect(server.url).toBe(`http://[::1]:${server.port}`)
  const refusal = await (await fetch(`${server.url}/v1/works`)).text()
  expect(refusal).toContain('"url":"https://kiroku.example/log/')
})

test('commands work while it is running, and it sees what they did', async () => {
  using directory = await preparedDirectory()
  await using server = await startServer(directory)
  await makeUser(directory, 'mio')
  const token = await output(directory, ['token', 'create', 'mio', '--description', 'shell'])
  expect(await status(`${server.url}/v1/works`, token)).toBe(200)
  await output(directory, ['token', 'revoke', '1'])
  expect(await status(`${server.url}/v1/works`, token)).toBe(401)
  expect((await run(directory, ['migrate', 'up'])).stdout).toBe('nothing to do\n')
  expect((await server.end('SIGTERM')).code).toBe(0)
})

test('a second server on the same directory ends with 75 and one line; the first keeps running', async () => {
  using directory = await preparedDirectory()
  await using server = await startServer(directory)
  const second = await run(directory, ['serve', '--port', '0', '--no-catalogue'])
  expect(second).toEqual({
    code: 75,
    stdout: '',
    stderr: expect.stringMatching(/^kiroku: another kiroku is running .*\n$/),
  })
  expect(await status(`${server.url}/livez`)).toBe(200)
})

test('a port in use is 75 and one line, and releases the directory', async () => {
  using directory = await preparedDirectory()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, stdout, stderr } = await run(directory, ['serve', '--port', port, '--no-catalogue'])
  other.close()
  expect([code, stdout]).toEqual([75, ''])
  expect(stderr).toBe(`kiroku: port ${port} of 127.0.0.1 is in use by another program\n`)
  await using server = await startServer(directory)
  expect(server.port).toBeGreaterThan(0)
})

test('D43: what was acknowledged before a kill -9 is kept after the restart, which needs no repair', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  await using first = await startServer(directory)
  const token = await output(directory, ['token', 'create', 'mio', '--description', 'shell'])
  expect((await first.end('SIGKILL')).code).toBe(137)
  await using second = await startServer(directory)
  expect(await status(`${second.url}/v1/works`, token)).toBe(200)
})

test('partial uploads of a killed server are gone when the next one serves', async () => {
  using directory = await preparedDirectory()
  mkdirSync(directory.file('data/uploads'), { recursive: true })
  writeFileSync(directory.file('data/uploads/half'), 'x')
  await using _server = await startServer(directory)
  expect(existsSync(directory.file('data/uploads'))).toBe(false)
})

test('D55: idle and half-open connections do not delay the end', async () => {
  using directory = await preparedDirectory()
  await using server = await startServer(directory)
  await using idle = await open(server.port, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  await using half = await open(server.port, 'GET /livez HT')
  await using _silent = await open(server.port, '')
  await idle.until('"status"')
  expect((await server.end('SIGTERM')).code).toBe(0)
  await Promise.all([idle.closed, half.closed])
})

test('a server that still loads its first catalogue tells commands its port, and the log how long it has taken', async () => {
  using directory = temporaryDirectory()
  const port = freePort()
  const server = spawn(directory, ['serve', '--port', `${port}`])
  let heard = ''
  for await (const bytes of server.stderr) {
    heard += new TextDecoder().decode(bytes)
    if (heard.includes('catalogue_loading')) break
  }
  expect(heard).toContain('up to half a minute')
  const url = await output(directory, ['setup-url'])
  server.kill()
  expect(url).toStartWith(`http://127.0.0.1:${port}/setup/`)
  await server.exited
})

test('commands that print addresses take those of the server that runs', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  writeAddress(directory.file('data'), { baseUrl: 'http://127.0.0.1:4567', local: undefined })
  for (const command of ['setup-url', 'invite create', 'feed create mio', 'hook create mio generic'])
    expect([command, await output(directory, command.split(' '))]).toEqual([
      command,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:4567\//),
    ])
})

test('commands do not invent the port of a server that has none yet', async () => {
  using directory = await preparedDirectory()
  writeAddress(directory.file('data'), { baseUrl: '', local: undefined })
  expect(await run(directory, ['setup-url'])).toMatchObject({
    code: 78,
    stderr: 'kiroku: the port of the server is not known: give --port or --base-url\n',
  })
})

test('the health check distinguishes a running server from none', async () => {
  using directory = await preparedDirectory()
  await using server = await startServer(directory, ['--host', '0.0.0.0'])
  const port = String(server.port)
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' }
  const ask = ['healthcheck', '--port', port, '--host', '0.0.0.0']
  expect(await runExecutable(directory, ask, { env })).toEqual({ code: 0, stdout: 'alive\n', stderr: '' })
  expect((await run(directory, ['healthcheck', '--port', '0', '--base-url', server.url])).code).toBe(0)
  // Without a port, that of the server on the data directory.
  expect((await run(directory, ['healthcheck'])).code).toBe(0)
  expect((await run(directory, ['healthcheck', '--data', directory.file('data')])).code).toBe(0)
  await server.end('SIGTERM')
  const { code, stderr } = await run(directory, ask)
  expect([code, stderr]).toEqual([75, `kiroku: http://127.0.0.1:${port}/livez: ECONNREFUSED\n`])
  expect((await run(directory, ['healthcheck', '--port', '0'])).code).toBe(78)
})

test('settings come from the configuration file of the data directory', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  writeFileSync(directory.file('data/kiroku.toml'), 'base-url = "https://kiroku.example"')
  await using server = await startServer(directory)
  const { stdout } = await server.end('SIGTERM')
  expect(stdout).toContain('https://kiroku.example')
})
