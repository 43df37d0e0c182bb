import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '../src/db/open'
import type { Burst, LoadOrders } from './client'
import { contentsOf, executable, kiroku } from './instance'
import { makeLargeInstance } from './list-instances'
import { type MeasuredServer, pinned, startMeasured } from './measured'
import { type BenchRequest, requestsOf, scenarios } from './scenarios'
import { table } from './table'
import { newRecords } from './write-scenarios'

/**
 * Throughput of one server with 1, 64 and 256 clients, on one core and on two, in an instance of 1,000,000
 * records or in that of a given data directory, which is written to.
 */
export async function measureGrowing(
  scratch: string,
  pack: string,
  given: string | undefined,
  seconds: number,
) {
  const data = given ?? (await makeLargeInstance(scratch, pack))
  const token = await tokenOfMostRecords(data)
  const size = sizeOf(data)
  const rows: string[][] = [['requests', 'clients', 'cores', 'a second', 'µs of CPU', 'p99 ms', 'failed']]
  for (const cores of [0, '0,1'] as const)
    for (const [name, requests] of requestKinds(data))
      for (const connections of cores === 0 ? [1, 64, 256] : [64]) {
        await using server = await startMeasured(serve(data), join(scratch, 'growing.log'), cores)
        const orders = { port: server.port, token, requests, connections, seconds }
        rows.push([name, String(connections), cores === 0 ? '1' : '2', ...(await burst(server, orders))])
      }
  return `${table(rows)}\n\n${size}`
}

const serve = (data: string) => {
  const options = ['--port', '0', '--no-catalogue', '--rate-limit', 'off']
  return [executable, 'serve', '--data', data, ...options]
}

async function tokenOfMostRecords(data: string): Promise<string> {
  using handle = new Database(databasePath(data), { readonly: true })
  const sql = 'select username from users order by records_count desc limit 1'
  const username = handle.query<{ username: string }, []>(sql).get()?.username ?? ''
  const make = ['token', 'create', username, '--description', 'bench', '--scope', 'read write']
  return await kiroku([...make, '--data', data])
}

function requestKinds(data: string): readonly (readonly [string, readonly BenchRequest[]])[] {
  using handle = new Database(databasePath(data), { readonly: true })
  const episodes = handle.query<{ id: number }, []>('select id from episodes where hidden = 0').all()
  const records = newRecords(episodes.map(({ id }) => id))
  const pages = scenarios.filter(({ name }) => name === 'works, any page')
  return [
    ['a list, kept', [{ target: '/v1/works?per_page=25' }]],
    ['lists, any page', pages.flatMap((scenario) => requestsOf(scenario, contentsOf(data)))],
    [
      'newest of others',
      [{ target: '/v1/me/following_activities?per_page=25' }, { target: '/v1/records?per_page=25' }],
    ],
    [
      'POST record',
      records.map((record) => ({ method: 'POST', target: '/v1/me/records', body: { ...record } })),
    ],
  ]
}

/** The first burst warms up. */
async function burst(server: MeasuredServer, orders: LoadOrders): Promise<string[]> {
  await load({ ...orders, seconds: 1 })
  const before = server.cpu()
  const result = await load(orders)
  const cpu = ((server.cpu() - before) / result.requests) * 1e6
  const perSecond = result.requests / result.seconds
  return [perSecond.toFixed(0), cpu.toFixed(0), result.p99.toFixed(1), String(result.failures)]
}

async function load(orders: LoadOrders): Promise<Burst> {
  const child = Bun.spawn(pinned(1, [process.execPath, join(import.meta.dir, 'client.ts')]), {
    stdin: new Blob([JSON.stringify(orders)]),
    stdout: 'pipe',
  })
  const [code, said] = await Promise.all([child.exited, child.stdout.text()])
  if (code !== 0) throw new Error('the load client failed')
  return JSON.parse(said)
}

/** Size with every index, and of the catalogue. */
function sizeOf(data: string): string {
  const path = databasePath(data)
  using handle = new Database(path, { readonly: true })
  const count = (name: string) =>
    handle.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n ?? 0
  const megabytes = (statSync(path).size / 1e6).toFixed(0)
  return `The database has ${megabytes} MB for ${count('records')} records of ${count('users')} users.`
}
