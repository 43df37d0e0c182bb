import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { output, run, startServer, temporaryDirectory } from './support/kiroku'

/** What only the compiled file can get wrong; `bun run test` sets it. */
const compiled = process.env.KIROKU_TEST_EXECUTABLE !== undefined

describe.if(compiled)('the compiled file (D1)', () => {
  test.if(process.platform === 'linux')('D117: has at most 120 MB', () => {
    expect(statSync(process.env.KIROKU_TEST_EXECUTABLE ?? '').size).toBeLessThanOrEqual(120_000_000)
  })

  test('runs nothing from the current directory', async () => {
    using directory = temporaryDirectory()
    await Bun.write(directory.file('.env'), 'KIROKU_PORT=none\nKIROKU_UNKNOWN=1\n')
    await Bun.write(directory.file('bunfig.toml'), 'preload = ["./preload.ts"]\n')
    await Bun.write(directory.file('preload.ts'), 'console.log("preloaded")\n')
    await Bun.write(directory.file('tsconfig.json'), 'not JSON')
    await Bun.write(directory.file('package.json'), 'not JSON')
    expect(await output(directory, ['version'])).toMatch(/^kiroku \d+\.\d+\.\d+( \(\w+(-dirty)?\))?\n$/)
    await using server = await startServer(directory)
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
  })

  test('§2.6: accepts request headers of more than 16 KiB', async () => {
    using directory = temporaryDirectory()
    await using server = await startServer(directory)
    expect(await statusFor(server.port, 100_000)).not.toContain(' 200 ')
    expect(await statusFor(server.port, 60_000)).toContain(' 200 ')
  })

  test('names the files and lines of the source in a stack trace', async () => {
    using directory = temporaryDirectory()
    const { stderr } = await run(directory, ['user', 'list', '--verbose'])
    const [, path = '', line, column] = /\n {4}at (src\/\S+):(\d+):(\d+)\n/.exec(stderr) ?? []
    const source = (await Bun.file(path).text()).split('\n')[Number(line) - 1]
    expect(source?.slice(Number(column) - 1)).toStartWith('Failure(')
  })

  test('contains every file it serves', async () => {
    using directory = temporaryDirectory()
    await using server = await startServer(directory)
    const page = await (await fetch(`${server.url}/docs`)).text()
    const linked = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(linked.length).toBeGreaterThan(2)
    const others = [
      '/docs/assets/graphiql.js',
      '/docs/assets/graphiql.css',
      '/assets/avatar.svg',
      '/openapi.json',
    ]
    for (const path of [...linked, ...others]) {
      const response = await fetch(server.url + path, { headers: { accept: 'text/html,*/*' } })
      expect([path, response.status, (await response.text()).length > 100]).toEqual([path, 200, true])
    }
  })
})

/** The status line of the response to a request with one long header; fetch would not send it. */
function statusFor(port: number, length: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const long = 'x'.repeat(length)
      socket.write(`GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long}\r\nConnection: close\r\n\r\n`)
    })
    socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => resolve('closed'))
    socket.once('error', reject)
  })
}
