import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { listen, stop } from '../../src/cli/server/server'
import { exitCodes } from '../../src/lib/failure'
import { open } from '../support/connection'

const loopback = { host: '127.0.0.1', port: 0 }
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server whose requests report when they have started, and end when told to. */
function serverThatWaits() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const server = listen(loopback, async (request) => {
    if (request.method === 'GET') return new Response('at once')
    begun.resolve()
    const [text] = await Promise.all([request.text(), end.promise])
    return new Response(`had ${text}`)
  })
  return { server, port: server.port ?? 0, begun: begun.promise, end: () => end.resolve() }
}

test('D55: a running request is answered before the end; an idle connection is closed at once', async () => {
  const { server, port, begun, end } = serverThatWaits()
  await using idle = await open(port, get)
  await idle.until('at once')
  await using running = await open(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody')
  await begun
  const stopped = stop(server)
  await idle.closed
  expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  end()
  await running.until('had body')
  await stopped
  await running.closed
})

test('D55: so is one whose body is still arriving', async () => {
  const { server, port, begun, end } = serverThatWaits()
  end()
  await using idle = await open(port, get)
  await idle.until('at once')
  await using late = await open(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf')
  await begun
  const stopped = stop(server)
  await idle.closed
  late.send('half')
  await late.until('had halfhalf')
  await stopped
})

test('D55: when nothing is running, connections that never sent a whole request delay nothing', async () => {
  const { server, port } = serverThatWaits()
  await using half = await open(port, 'GET / HT')
  await using _silent = await open(port, '')
  await using idle = await open(port, get)
  await idle.until('at once')
  await stop(server)
  await half.closed
})

test('a port in use and a foreign address cause different errors', async () => {
  const { server, port } = serverThatWaits()
  const codeOf = (host: string, wanted: number) => {
    try {
      listen({ host, port: wanted }, async () => new Response()).stop(true)
      return 0
    } catch (cause) {
      return cause instanceof Error && 'exitCode' in cause ? cause.exitCode : cause
    }
  }
  expect(codeOf('127.0.0.1', port)).toBe(exitCodes.busy)
  expect(codeOf('192.0.2.1', 0)).toBe(exitCodes.config)
  await stop(server)
})

test('a second signal ends the process at once; one during the start ends it cleanly', async () => {
  const signals = JSON.stringify(join(import.meta.dir, '../../src/cli/server/signals.ts'))
  const ended = async (ready: string, kills: number) => {
    const program = `
      const { watchSignals } = await import(${signals})
      const { stop, ready } = watchSignals()
      ${ready}
      stop.then((signal) => console.log(signal))
      setInterval(() => {}, 1000)
      console.log('watching')`
    const child = Bun.spawn(['bun', '-e', program], { stdout: 'pipe' })
    const reader = child.stdout.getReader()
    for (let index = 0; index < kills; index++) {
      await reader.read()
      child.kill('SIGTERM')
    }
    return await child.exited
  }
  expect(await ended('ready()', 2)).toBe(1)
  expect(await ended('', 1)).toBe(0)
})
