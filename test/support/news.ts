import { beforeEach } from 'bun:test'
import type { Config } from '../../src/config'
import { collectNews } from '../../src/delivery/collect'
import { sendDue } from '../../src/delivery/deliver'
import { wayOut } from '../../src/delivery/way-out'
import type { Outside } from '../../src/fetching/outside'
import { type Body, createInstance } from './instance'
import { seedLibrary } from './seed-library'

export interface Received {
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** A server on this machine that gets messages, answering as `answer` says. */
export function createReceiver() {
  const received: Received[] = []
  /** The bytes of each. */
  const bodies: Uint8Array[] = []
  const state = { answer: (): Response | Promise<Response> => new Response('ok') }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const bytes = await request.bytes()
      bodies.push(bytes)
      const body = new TextDecoder().decode(bytes)
      received.push({ path: pathname + search, headers: request.headers, body })
      return await state.answer()
    },
  })
  const port = String(server.port ?? 0)
  return { received, bodies, state, port, url: `http://127.0.0.1:${port}`, stop: () => server.stop(true) }
}

/** The world, but that each name has the addresses that the test says. */
export function createNames(names: Record<string, readonly string[]>): Outside {
  return {
    resolve: async (host) => names[host] ?? Promise.reject(new Error('ENOTFOUND')),
    mayReach: (address) => !/^(?:127|10|192\.168)\.|^::1$|^::ffff:/.test(address),
    steady: () => performance.now(),
    sleep: async () => {},
  }
}

/** mio (1) and others with a library, and a receiver that the operator allows. Everything is empty before each test. */
export async function createNews(
  names: Record<string, readonly string[]> = {},
  config: Partial<Config> = {},
) {
  const receiver = createReceiver()
  const outgoingAllow = [{ hostname: '127.0.0.1', port: receiver.port }]
  const kiroku = await createInstance({
    seed: seedLibrary,
    config: { outgoingAllow, ...config },
    outside: createNames(names),
  })
  const { handle } = kiroku.store
  const { deps, clock, get } = kiroku
  const start = clock.now
  beforeEach(() => {
    for (const table of ['outgoing', 'destinations', 'notifications']) handle.run(`delete from ${table}`)
    handle.run("delete from instance where name like '%_queued'")
    handle.run('update users set quiet_from = null')
    receiver.received.length = 0
    receiver.bodies.length = 0
    receiver.state.answer = () => new Response('ok')
    clock.now = start
  })
  const signal = new AbortController().signal
  /** Runs the jobs, some time later. */
  const later = async (ms: number) => {
    clock.now += ms
    await collectNews(deps)
    await sendDue(deps, wayOut(deps), signal)
  }
  const add = async (params: Readonly<Record<string, string>>) => {
    const response = await get('/v1/me/destinations', { method: 'POST', body: new URLSearchParams(params) })
    const body: Body = await response.json()
    return { status: response.status, ...body }
  }
  const told = (count = 1) => {
    for (let n = 0; n < count; n++)
      handle.run("insert into notifications (user_id, actor_id, kind, created_at) values (1, 2, 'like', ?)", [
        clock.now,
      ])
  }
  const queue = () =>
    handle
      .query<
        { id: number; state: string; tries: number; next_at: number; why: string | null; n: number },
        []
      >(
        'select id, state, tries, next_at, why, json_array_length(items) + more as n from outgoing order by id',
      )
      .all()
  const close = async () => {
    await receiver.stop()
    await kiroku.close()
  }
  return { kiroku, handle, receiver, later, add, told, queue, close, start }
}
