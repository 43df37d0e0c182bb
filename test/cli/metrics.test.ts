import { describe, expect, test } from 'bun:test'
import { debianTool, runTool } from '../support/debian-tool'
import { run } from '../support/in-process'
import { freePort, type Server, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

const promtool = debianTool('promtool', 'prometheus')

/** Where the server says its metrics are, which it prints after the first line. */
async function metricsOf(server: Server): Promise<string> {
  const { stdout } = await server.end('SIGTERM')
  return /metrics at (\S+)/.exec(stdout)?.[1] ?? expect.unreachable(stdout)
}

describe('--metrics', () => {
  test('opens a separate listener that serves /metrics and nothing else', async () => {
    using directory = await preparedDirectory()
    const port = freePort()
    await using server = await startServer(directory, ['--metrics', `127.0.0.1:${port}`])
    const metrics = `http://127.0.0.1:${port}/metrics`
    await fetch(`${server.url}/works/1`)
    const answer = await fetch(metrics)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const text = await answer.text()
    expect(text).toContain('kiroku_http_requests_total{route="/works/:id",method="GET",code="404"} 1\n')
    for (const name of [
      'kiroku_write_commit_seconds_count',
      'kiroku_database_bytes',
      'process_resident_memory_bytes',
    ])
      expect([name, Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) > 0]).toEqual([name, true])
    const open = await fetch(metrics, { headers: { accept: 'application/openmetrics-text;version=1.0.0' } })
    expect(await open.text()).toEndWith('# EOF\n')
    expect((await fetch(metrics, { method: 'POST' })).status).toBe(405)
    for (const path of ['', 'v1/works', 'metrics/x', 'livez'])
      expect([path, (await fetch(`http://127.0.0.1:${port}/${path}`)).status]).toEqual([path, 404])
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    if (promtool !== undefined)
      expect(await runTool([promtool, 'check', 'metrics'], text)).toEqual({ code: 0, said: '' })
    expect(await metricsOf(server)).toBe(metrics)
  })

  test('is off by default', async () => {
    using directory = await preparedDirectory()
    const server = await startServer(directory)
    const { stdout, code } = await server.end('SIGTERM')
    expect([stdout.includes('metrics'), code]).toEqual([false, 0])
  })

  test('with an address in use ends with 75 and names it', async () => {
    using directory = await preparedDirectory()
    using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { code, stderr } = await run(directory, [
      ...['serve', '--port', '0', '--no-catalogue', '--metrics', `127.0.0.1:${taken.port}`],
    ])
    expect([code, stderr.trim()]).toEqual([
      75,
      `kiroku: port ${taken.port} of 127.0.0.1 is in use by another program`,
    ])
  })
})

describe('the log of a server', () => {
  const logOf = async (args: readonly string[]) => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory, args)
    for (const path of ['/livez', '/readyz', '/works']) await fetch(server.url + path)
    return (await server.end('SIGTERM')).stderr.trimEnd().split('\n')
  }

  test('does not mention successful health checks', async () => {
    const lines = (await logOf([])).map((line) => JSON.parse(line))
    expect(lines.map(({ event, url, level }) => [event, url, level])).toEqual([
      ['request', '/works', 'info'],
      ['stopping', undefined, 'info'],
    ])
  })

  test('mentions them at level debug', async () => {
    const urls = (await logOf(['--log-level', 'debug'])).map((line) => JSON.parse(line).url)
    expect(urls).toEqual(['/livez', '/readyz', '/works', undefined])
  })

  test('is human-readable on request', async () => {
    const [line] = await logOf(['--log-format', 'human'])
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d info {2}request id=\S+ peer=127\.0\.0\.1 method=GET url=\/works status=\d+ ms=/,
    )
  })

  test('grows by at most --log-limit an hour, whatever is requested', async () => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory, ['--log-limit', '1MB', '--rate-limit', 'off'])
    const asked = 600
    for (let n = 0; n < asked; n++) await fetch(`${server.url}/${n}?${'x'.repeat(4000)}`)
    const lines = (await server.end('SIGTERM')).stderr.trimEnd().split('\n')
    const requests = lines.filter((line) => line.includes('"event":"request"'))
    expect(requests.join('\n').length).toBeGreaterThan(700_000)
    // A fifth is reserved for other events.
    expect(requests.join('\n').length).toBeLessThan(810_000)
    expect(requests.length).toBeLessThan(asked)
    expect(lines.some((line) => line.includes('"event":"log_limited"'))).toBe(true)
    expect(lines.at(-1)).toContain('"event":"stopping"')
  })
})
