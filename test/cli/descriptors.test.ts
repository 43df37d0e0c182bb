import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { open } from '../support/connection'
import type { Directory } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { until } from '../support/until'

const executable = process.env.KIROKU_TEST_EXECUTABLE
const kiroku = executable ?? `bun ${join(import.meta.dir, '../../src/main.ts')}`
const { PATH = '', HOME = '' } = process.env

/** A server that may have 64 open files and connections. */
async function fewDescriptors(directory: Directory) {
  const command = `ulimit -n 64 && exec ${kiroku} serve --port 0 --no-catalogue --rate-limit off >out 2>log`
  const child = Bun.spawn(['sh', '-c', command], { cwd: directory.path, env: { PATH, HOME } })
  const read = (name: string) => {
    try {
      return readFileSync(directory.file(name), 'utf8')
    } catch {
      return ''
    }
  }
  await until(() => read('out').includes('listening on'))
  const url = /listening on (\S+)/.exec(read('out'))?.[1] ?? ''
  const warnings = () =>
    read('log')
      .split('\n')
      .filter((line) => line.includes('"descriptors"'))
  const end = async () => {
    child.kill('SIGTERM')
    return await child.exited
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { pid: child.pid, url, port: Number(new URL(url).port), warnings, end, [Symbol.asyncDispose]: kill }
}

/** Connections that send a text and then nothing more; some may be refused. */
const knock = (port: number, count: number, text: string): readonly Socket[] =>
  Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    return socket.on('error', () => {})
  })

/** The response to a request on a new connection; undefined while it is refused. */
const alive = (url: string) =>
  fetch(`${url}/livez`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => undefined,
  )

async function untilAlive(url: string): Promise<void> {
  await until(async () => (await alive(url)) === 200)
}

test('promise 12: idle connections are closed when descriptors run out, and one line says so', async () => {
  using directory = await preparedDirectory()
  await using server = await fewDescriptors(directory)
  const idle = knock(server.port, 200, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  await until(() => server.warnings().length > 0)
  await untilAlive(server.url)
  for (let n = 0; n < 20; n++) expect(await alive(server.url)).toBe(200)
  for (const socket of idle) socket.destroy()
  expect(server.warnings()).toHaveLength(1)
  expect(JSON.parse(server.warnings()[0] ?? '')).toMatchObject({ why: 'no file descriptors are left' })
  expect(await server.end()).toBe(0)
}, 60_000)

test.skipIf(process.platform !== 'linux')(
  'promise 12: connections that are not idle take no processor time while they hold all descriptors',
  async () => {
    using directory = await preparedDirectory()
    await using server = await fewDescriptors(directory)
    const half = knock(server.port, 100, 'GET /livez HTTP/1.1\r\nHo')
    await until(() => server.warnings().length > 0)
    const before = processorTime(server.pid)
    await Bun.sleep(2000)
    expect(processorTime(server.pid) - before).toBeLessThan(20)
    for (const socket of half) socket.destroy()
    await untilAlive(server.url)
    expect(server.warnings()).toHaveLength(1)
    expect(await server.end()).toBe(0)
  },
  60_000,
)

test('promise 7: a request waiting on a paused listener is answered before the end', async () => {
  using directory = await preparedDirectory()
  await using server = await fewDescriptors(directory)
  const head = 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n'
  await using late = await open(server.port, `${head}Content-Length: 8\r\n\r\nhalf`)
  const half = knock(server.port, 100, 'GET /livez HTTP/1.1\r\nHo')
  await until(() => server.warnings()[0]?.includes('"accepting":false') === true)
  const ended = server.end()
  late.send('half')
  await late.until('"error"')
  expect(await ended).toBe(0)
  for (const socket of half) socket.destroy()
}, 60_000)

/** CPU time of a process, in hundredths of a second. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}
