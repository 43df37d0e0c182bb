import { expect, test } from 'bun:test'
import { closeSync, constants, openSync, readFileSync, readlinkSync } from 'node:fs'
import { open } from '../support/connection'
import { flood } from '../support/flood'
import { type Directory, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'
import { until } from '../support/until'

/** A shell that runs the server with its standard error redirected. */
const redirected = (to: string) => ['sh', '-c', `exec "$0" "$@" 2${to}`]

const serve = (directory: Directory, to: string) =>
  startServer(directory, ['--rate-limit', 'off'], { through: redirected(to) })

/** Each request has a number; all are refused for want of a token. */
async function request(port: number, count: number): Promise<void> {
  let sent = 0
  const statuses = await flood(port, 16, () => {
    sent += 1
    return sent > count ? undefined : { method: 'GET', target: `/v1/works?page=${sent}`, headers: {} }
  })
  expect([...statuses]).toEqual([[401, count]])
}

/** The numbers of the requests in a log, in order. Throws for anything but whole lines. */
function numbersIn(log: string): number[] {
  const lines = log.trimEnd().split('\n')
  return lines.flatMap((line) => {
    const { event, url } = JSON.parse(line)
    return event === 'request' ? [Number(/page=(\d+)/.exec(url)?.[1])] : []
  })
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('the lines of 10,000 requests under load are complete and in order; SIGTERM loses none', async () => {
  using directory = await preparedDirectory()
  await using server = await serve(directory, '>log')
  await request(server.port, 10_000)
  expect((await server.end('SIGTERM')).code).toBe(0)
  const log = readFileSync(directory.file('log'), 'utf8')
  expect(numbersIn(log).toSorted((one, other) => one - other)).toEqual(upTo(10_000))
  const times = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).time)
  expect(times).toEqual(times.toSorted())
  expect(log.trimEnd().split('\n').at(-1)).toContain('"stopping"')
}, 60_000)

test('a server that is told twice to end still writes the lines of its requests', async () => {
  using directory = await preparedDirectory()
  await using server = await serve(directory, '>log')
  const unfinished = () =>
    open(server.port, 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf')
  await using first = await unfinished()
  await using _stillSending = await unfinished()
  const log = () => readFileSync(directory.file('log'), 'utf8')
  server.signal('SIGTERM')
  await until(() => log().includes('"stopping"'))
  first.send('half')
  await first.until('"error"')
  expect((await server.end('SIGTERM')).code).toBe(1)
  expect(log()).toContain('"request"')
}, 30_000)

test('a reader that is slow holds up no request and loses no line, even if the server is told to end', async () => {
  using directory = await preparedDirectory()
  await Bun.$`mkfifo ${directory.file('pipe')}`
  const reader = openSync(directory.file('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
  await using server = await serve(directory, '>pipe')
  // A pipe takes 64 KB.
  await request(server.port, 2000)
  const ended = server.end('SIGTERM')
  expect(numbersIn(await Bun.file(directory.file('pipe')).text())).toHaveLength(2000)
  expect((await ended).code).toBe(0)
  closeSync(reader)
}, 30_000)

test.each([
  ['is full', '>/dev/full'],
  ['is closed', '>&-'],
])(
  'a log that %s stops nothing and harms nothing',
  async (_, to) => {
    using directory = await preparedDirectory()
    await using server = await serve(directory, to)
    await request(server.port, 1000)
    // A file that is opened while descriptor 2 is free would get the log.
    expect(readlinkSync(`/proc/${server.pid}/fd/2`)).toStartWith('/dev/')
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  30_000,
)

test('a log whose reader has gone stops nothing', async () => {
  using directory = await preparedDirectory()
  await Bun.$`mkfifo ${directory.file('pipe')}`
  const reader = openSync(directory.file('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
  await using server = await serve(directory, '>pipe')
  await request(server.port, 10)
  closeSync(reader)
  await request(server.port, 1000)
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 30_000)
