import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '../src/db/open'
import type { Burst, LoadOrders } from './client'
import { executable } from './instance'
import { type MeasuredServer, pinned, startMeasured } from './measured'
import { median } from './median'
import type { RawOrders, RawWrites } from './raw-writes'
import { newRecords, type WriteScenario } from './write-scenarios'

export interface WriteSetup {
  /** A data directory with a catalogue and the token's user; only copies of it are written to. */
  readonly data: string
  readonly token: string
  readonly scratch: string
  readonly rounds: number
  readonly seconds: number
}

/** Acknowledged writes per second; medians of the rounds. */
export interface WriteResult {
  readonly perSecond: number
  /** CPU time of the server per write, in µs. */
  readonly cpu: number
  readonly single: number
  readonly grouped: number
  readonly timesSingle: number
  readonly timesGrouped: number
  /** In ms. */
  readonly p99: number
  /** Of the concurrent reads, in ms. */
  readonly readP99: number | undefined
  readonly failures: number
}

/** Measures HTTP and bare SQLite in turn, each on its own copy of the database, all with synchronous=FULL. */
export async function measureWrites(
  scenarios: readonly WriteScenario[],
  site: WriteSetup,
): Promise<(readonly [WriteScenario, WriteResult])[]> {
  const copies = {
    served: copyOf(site, 'served'),
    single: copyOf(site, 'single'),
    grouped: copyOf(site, 'grouped'),
  }
  const args = ['serve', '--data', copies.served, '--port', '0', '--no-catalogue', '--rate-limit', 'off']
  await using kiroku = await startMeasured([executable, ...args], join(site.scratch, 'written.log'))
  const measured: (readonly [WriteScenario, WriteResult])[] = []
  for (const scenario of scenarios) {
    const samples: Sample[] = []
    // The first round is a warm-up.
    for (let round = 0; round <= site.rounds; round++) {
      const sample = await measureRound(kiroku, scenario, copies, site)
      if (round > 0) samples.push(sample)
    }
    measured.push([scenario, summaryOf(samples)])
  }
  return measured
}

type Sample = Omit<WriteResult, 'timesSingle' | 'timesGrouped'>

const post = { method: 'POST', target: '/v1/me/records' } as const

async function measureRound(
  kiroku: MeasuredServer,
  { connections, reads }: WriteScenario,
  copies: { readonly single: string; readonly grouped: string },
  { data, token, seconds }: WriteSetup,
): Promise<Sample> {
  const { userId, records } = contentsOf(data)
  const requests = records.map((record) => ({ ...post, body: { ...record } }))
  const before = kiroku.cpu()
  const [writing, reading] = await Promise.all([
    burst({ port: kiroku.port, token, requests, connections, seconds }),
    reads && burst({ port: kiroku.port, token, requests: reads, connections: 1, seconds }),
  ])
  const cpu = kiroku.cpu() - before
  const raw = { userId, records, seconds }
  return {
    perSecond: writing.requests / writing.seconds,
    cpu: (cpu / writing.requests) * 1e6,
    single: await rawWrites({ ...raw, data: copies.single, together: 1 }),
    grouped: await rawWrites({ ...raw, data: copies.grouped, together: connections }),
    p99: writing.p99,
    readP99: reading?.p99,
    failures: writing.failures + (reading?.failures ?? 0),
  }
}

function summaryOf(samples: readonly Sample[]): WriteResult {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure))
  const isRead = samples.some(({ readP99 }) => readP99 !== undefined)
  return {
    perSecond: of(({ perSecond }) => perSecond),
    cpu: of(({ cpu }) => cpu),
    single: of(({ single }) => single),
    grouped: of(({ grouped }) => grouped),
    timesSingle: of(({ perSecond, single }) => perSecond / single),
    timesGrouped: of(({ perSecond, grouped }) => perSecond / grouped),
    p99: of(({ p99 }) => p99),
    readP99: isRead ? of(({ readP99 }) => readP99 ?? Number.NaN) : undefined,
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  }
}

const burst = (orders: LoadOrders): Promise<Burst> => runJson(1, 'client.ts', orders)

async function rawWrites(orders: RawOrders): Promise<number> {
  const { writes, seconds }: RawWrites = await runJson(0, 'raw-writes.ts', orders)
  return writes / seconds
}

async function runJson<T>(core: 0 | 1, program: string, orders: object): Promise<T> {
  const child = Bun.spawn(pinned(core, [process.execPath, join(import.meta.dir, program)]), {
    stdin: new Blob([JSON.stringify(orders)]),
    stdout: 'pipe',
  })
  const [code, answer] = await Promise.all([child.exited, child.stdout.text()])
  if (code !== 0) throw new Error(`${program} failed`)
  return JSON.parse(answer)
}

function copyOf({ data, scratch }: WriteSetup, name: string): string {
  const directory = join(scratch, name)
  mkdirSync(directory)
  using handle = new Database(databasePath(data), { readonly: true })
  handle.query('vacuum into ?').run(databasePath(directory))
  return directory
}

function contentsOf(data: string) {
  using handle = new Database(databasePath(data), { readonly: true })
  const episodes = handle
    .query<{ id: number }, []>('select id from episodes where hidden = 0 order by id')
    .all()
  const [user] = handle.query<{ id: number }, []>('select id from users').all()
  return { userId: user?.id ?? 0, records: newRecords(episodes.map(({ id }) => id)) }
}
