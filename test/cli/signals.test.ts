import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from '../support/connection'
import { startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { until } from '../support/until'

const executable = process.env.KIROKU_TEST_EXECUTABLE
const kiroku = executable ?? `bun ${join(import.meta.dir, '../../src/main.ts')}`

const { PATH = '', HOME = '' } = process.env
const env = { PATH, HOME }

const isAlive = async (url: string) => (await fetch(`${url}/livez`)).status === 200

test.each(['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)(
  'promise 7: %s does not end a service; one line of the log tells of it',
  async (signal) => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory)
    server.signal(signal)
    for (let count = 0; count < 5; count++) expect(await isAlive(server.url)).toBe(true)
    const { code, stderr } = await server.end('SIGTERM')
    expect(code).toBe(0)
    expect(stderr.split('\n').filter((line) => line.includes(signal))).toHaveLength(1)
  },
)

test('promise 7: a server whose terminal is closed finishes its requests and closes the database', async () => {
  using directory = await preparedDirectory()
  let printed = ''
  const command = `exec ${kiroku} serve --port 0 --no-catalogue 2>log`
  const child = Bun.spawn(['sh', '-c', command], {
    cwd: directory.path,
    env,
    terminal: {
      data: (_, bytes) => {
        printed += new TextDecoder().decode(bytes)
      },
    },
  })
  await until(() => /listening on \S+\s/.test(printed))
  const url = /listening on (\S+)/.exec(printed)?.[1] ?? ''
  const body = 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n'
  await using late = await open(Number(new URL(url).port), `${body}Content-Length: 8\r\n\r\nhalf`)
  expect(await isAlive(url)).toBe(true)
  child.terminal?.close()
  await until(() => readFileSync(directory.file('log'), 'utf8').includes('SIGHUP'))
  late.send('half')
  await late.until('"error"')
  expect(await child.exited).toBe(0)
  expect(existsSync(directory.file('data/kiroku.db-wal'))).toBe(false)
})

test('one started with nohup keeps running when its terminal is closed', async () => {
  using directory = await preparedDirectory()
  const command = `nohup ${kiroku} serve --port 0 --no-catalogue >out 2>log & echo $! >pid; wait`
  const shell = Bun.spawn(['sh', '-c', command], { cwd: directory.path, env, terminal: {} })
  const read = (name: string) =>
    existsSync(directory.file(name)) ? readFileSync(directory.file(name), 'utf8') : ''
  await until(() => read('out').includes('listening on'))
  const url = /listening on (\S+)/.exec(read('out'))?.[1] ?? ''
  shell.terminal?.close()
  await shell.exited
  expect(await isAlive(url)).toBe(true)
  process.kill(Number(read('pid')), 'SIGTERM')
  await until(() => read('log').includes('stopping'))
})
