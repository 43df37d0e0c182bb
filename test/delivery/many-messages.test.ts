import { afterAll, expect, test } from 'bun:test'
import { createNews } from '../support/news'

const count = Number(process.env.KIROKU_MESSAGES ?? 500)
const hour = 3_600_000

/** How often each message was asked for, and which arrived, by its id. */
const tries = new Map<string, number>()
const arrived = new Map<string, number>()

type Way = (request: Request, tried: number) => Response | Promise<Response>
const never = new Promise<Response>(() => {})
const fine = () => new Response('ok')
const ways: Record<string, Way> = {
  'fine.test': fine,
  // As ntfy.sh does.
  'busy.test': (_, tried) =>
    tried < 3 ? new Response('', { status: 429, headers: { 'retry-after': '90' } }) : fine(),
  'down.test': (_, tried) => (tried < 4 ? new Response('', { status: 503 }) : fine()),
  'broken.test': () => new Response('', { status: 503 }),
  'gone.test': () => new Response('', { status: 404 }),
  'slow.test': (_, tried) => (tried < 2 ? never : fine()),
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const id = request.headers.get('webhook-id') ?? ''
    const tried = (tries.get(id) ?? 0) + 1
    tries.set(id, tried)
    await request.bytes()
    const response = await (ways[new URL(request.url).hostname] ?? fine)(request, tried)
    if (response.ok) arrived.set(id, (arrived.get(id) ?? 0) + 1)
    return response
  },
})
/** Ends the connection of the first try of each message without an answer. */
const resets = new Set<string>()
const rude = Bun.listen<{ seen: string }>({
  port: 0,
  hostname: '127.0.0.1',
  socket: {
    open: (socket) => {
      socket.data = { seen: '' }
    },
    data: (socket, bytes) => {
      socket.data.seen += bytes.toString('latin1')
      const id = /webhook-id: (msg_\d+)/i.exec(socket.data.seen)?.[1]
      if (id === undefined || !socket.data.seen.includes('\r\n\r\n')) return
      if (!resets.has(id)) {
        resets.add(id)
        socket.terminate()
        return
      }
      arrived.set(id, (arrived.get(id) ?? 0) + 1)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    },
  },
})

const hosts = [...Object.keys(ways), 'reset.test']
const portOf = (host: string) => String(host === 'reset.test' ? rude.port : server.port)
const { kiroku, handle, later, close } = await createNews(
  Object.fromEntries(hosts.map((host) => [host, ['127.0.0.1']])),
  { outgoingAllow: hosts.map((hostname) => ({ hostname, port: portOf(hostname) })) },
)
afterAll(async () => {
  await server.stop(true)
  rude.stop(true)
  await close()
})

/** Of people with a destination of each kind; one hangs, as a try takes 10 seconds. */
function fill(): void {
  const people = Math.ceil(count / 200)
  handle.transaction(() => {
    for (let person = 0; person < people; person++) {
      handle.run(
        `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at, quiet_from)
         values (?1, 'p' || ?1, 'p' || ?1, '', ?1 || '@p.test', ?1 || '@p.test', '', 1, null)`,
        [1000 + person],
      )
      for (const [at, host] of hosts.entries())
        handle.run(
          `insert into destinations (id, user_id, kind, url, host, secret, events, created_at)
           values (?, ?, 'webhook', ?, ?, 'whsec_AAAA', 'episode', 1)`,
          [10_000 + person * 10 + at, 1000 + person, `http://${host}:${portOf(host)}/`, host],
        )
    }
    const quick = hosts.filter((host) => host !== 'slow.test')
    for (let n = 0; n < count; n++) {
      const person = n % people
      const host = n < 1 ? 'slow.test' : (quick[Math.floor(n / people) % quick.length] ?? '')
      handle.run(
        `insert into outgoing (user_id, destination_id, kind, items, next_at, created_at)
         values (?, ?, 'episode', '[{"text":"x"}]', ?, ?)`,
        [1000 + person, 10_000 + person * 10 + hosts.indexOf(host), kiroku.clock.now, kiroku.clock.now],
      )
    }
  })()
}

const byHost = () =>
  handle
    .query<{ host: string; state: string; n: number; tries: number }, []>(
      `select host, state, count(*) as n, max(tries) as tries from outgoing
       join destinations on destinations.id = destination_id group by 1, 2 order by 1, 2`,
    )
    .all()

test(`${count} messages to destinations that answer 200, 429, 503, 404, hang and reset arrive or fail by the rule (D85)`, async () => {
  fill()
  Bun.gc(true)
  const before = process.memoryUsage().rss
  let most = before
  for (let hours = 0; hours < 60; hours++) {
    await later(hours === 0 ? 0 : hour)
    most = Math.max(most, process.memoryUsage().rss)
    if (byHost().every(({ state }) => state !== 'waiting')) break
  }
  const rows = handle.query<{ id: number; state: string }, []>('select id, state from outgoing').all()
  expect(rows).toHaveLength(count)
  const sent = rows.filter(({ state }) => state === 'sent').map(({ id }) => `msg_${id}`)
  expect(sent.toSorted()).toEqual([...arrived.keys()].toSorted())
  // Nothing was killed, so nothing arrives twice.
  expect([...arrived.values()].every((times) => times === 1)).toBe(true)
  const ends = Map.groupBy(byHost(), ({ host }) => host)
  const statesOf = (host: string) => ends.get(host)?.map(({ state, tries }) => [state, tries])
  expect(['fine.test', 'busy.test', 'down.test', 'reset.test', 'slow.test'].map(statesOf)).toEqual([
    [['sent', 1]],
    [['sent', 3]],
    [['sent', 4]],
    [['sent', 2]],
    [['sent', 2]],
  ])
  // Ten that failed in a row switch a destination off; what waited is dropped.
  for (const [host, most] of [
    ['broken.test', 7],
    ['gone.test', 1],
  ] as const) {
    expect(ends.get(host)?.find(({ state }) => state === 'failed')?.tries).toBe(most)
    const off = handle
      .query('select count(*) as n from destinations where host = ? and is_on = 1 and id >= 10000')
      .get(host)
    expect([host, off]).toEqual([host, { n: 0 }])
  }
  if (process.env.KIROKU_MESSAGES !== undefined) {
    const mib = (bytes: number) => Math.round(bytes / 1_048_576)
    console.log(
      JSON.stringify({
        before: mib(before),
        most: mib(most),
        after: mib(process.memoryUsage().rss),
        ends: byHost(),
      }),
    )
  }
}, 600_000)
