import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openNotify, openSupervisor, watchdog, watchdogMs } from '../../src/cli/server/supervisor'
import { startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

describe('a service manager is notified', () => {
  test.each(['in a file', 'of the abstract kind'])(
    'that it listens, lives and stops, by a socket %s',
    async (kind) => {
      using directory = await preparedDirectory()
      const path = kind === 'in a file' ? directory.file('notify') : `@kiroku-${directory.path}`
      await using manager = await startManager(path)
      await using server = await startServer(directory, [], {
        env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '20000' },
      })
      expect(await manager.next()).toBe(`READY=1 STATUS=serving ${server.url}`)
      for (let ping = 0; ping < 3; ping++)
        expect(await manager.next()).toBe(`WATCHDOG=1 STATUS=serving ${server.url}`)
      server.signal('SIGTERM')
      let told = await manager.next()
      while (told.startsWith('WATCHDOG=1')) told = await manager.next()
      expect(told).toBe('STOPPING=1 STATUS=finishing what runs')
      const { code, stderr } = await server.exited
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining('notify_failed'),
      })
    },
  )

  test('without a watchdog, only of the start and the end', async () => {
    using directory = await preparedDirectory()
    await using manager = await startManager(directory.file('notify'))
    await using server = await startServer(directory, [], {
      env: { NOTIFY_SOCKET: directory.file('notify') },
    })
    expect(await manager.next()).toStartWith('READY=1')
    server.signal('SIGTERM')
    expect(await manager.next()).toStartWith('STOPPING=1')
  })

  test('if its socket is gone, the log says so in one line and the server still serves', async () => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory, [], { env: { NOTIFY_SOCKET: directory.file('none') } })
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    const { code, stderr } = await server.end('SIGTERM')
    expect(code).toBe(0)
    expect(stderr.match(/notify_failed/g)).toHaveLength(1)
  })
})

test('nothing is sent without a socket, or to one of another machine', async () => {
  expect(await openNotify({})).toBeUndefined()
  expect(await openNotify({ NOTIFY_SOCKET: '' })).toBeUndefined()
  expect(await openNotify({ NOTIFY_SOCKET: 'vsock:2:1234' })).toBeUndefined()
  const supervisor = await openSupervisor({}, () => {})
  supervisor.ready('', () => Promise.reject(new Error('unwanted')))
  supervisor.stopping()
})

test('a watchdog for another process, or with an invalid number, is ignored', () => {
  expect(watchdogMs({ WATCHDOG_USEC: '60000000' }, 7)).toBe(60_000)
  expect(watchdogMs({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 7)).toBe(60_000)
  expect(watchdogMs({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, 7)).toBeUndefined()
  for (const none of ['', '0', '-1', 'x']) expect(watchdogMs({ WATCHDOG_USEC: none }, 7)).toBeUndefined()
})

describe('the watchdog', () => {
  test('gets no ping while a write is neither done nor refused for longer than any may take', async () => {
    const { beat, told, pass, writes } = watched()
    beat()
    pass(45_000)
    beat()
    expect(told()).toEqual(['WATCHDOG=1 STATUS=fine', 'WATCHDOG=1 STATUS=fine'])
    pass(1)
    beat()
    expect(told()).toEqual(['STATUS=the writer hangs: a write is neither done nor refused'])
    expect(writes).toHaveLength(1)
    writes[0]?.resolve(undefined)
    await writes[0]?.promise
    beat()
    expect(told()).toEqual(['WATCHDOG=1 STATUS=fine'])
  })

  test('gets pings while writes fail: a restart would not make room on a disk', async () => {
    const { beat, told, pass, writes } = watched()
    for (let n = 0; n < 3; n++) {
      beat()
      writes[n]?.reject(new Error('disk full'))
      await writes[n]?.promise.catch(() => {})
      pass(30_000)
    }
    expect(writes).toHaveLength(3)
    expect(told()).toEqual(Array(3).fill('WATCHDOG=1 STATUS=fine'))
  })
})

/** A watchdog whose clock and writer the test controls. */
function watched() {
  let now = 0
  let sent: string[] = []
  const writes: PromiseWithResolvers<unknown>[] = []
  const beat = watchdog({
    text: 'fine',
    notify: (...assignments) => sent.push(assignments.join(' ')) > 0,
    write: () => {
      const write = Promise.withResolvers<unknown>()
      writes.push(write)
      return write.promise as Promise<never>
    },
    steady: () => now,
  })
  const told = () => {
    const all = sent
    sent = []
    return all
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { beat, told, pass, writes }
}

/** The other end of the socket, in another language because Bun has no datagram sockets of this kind. */
async function startManager(path: string) {
  const script = join(import.meta.dir, '../support/notify-socket.py')
  const child = Bun.spawn(['/usr/bin/python3', script, path], { stdout: 'pipe' })
  const lines = linesOf(child.stdout)
  const next = async () => String((await lines.next()).value)
  expect(await next()).toBe('bound')
  return {
    next,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
