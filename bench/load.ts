import { join } from 'node:path'
import type { Answer } from './bare-server'
import type { Burst, LoadOrders } from './client'
import { type MeasuredServer, pinned, startMeasured } from './measured'
import { median } from './median'
import { type BenchRequest, type Contents, requestsOf, type Scenario } from './scenarios'

export interface LoadSetup {
  readonly kiroku: MeasuredServer
  readonly raw: MeasuredServer
  readonly token: string
  readonly contents: Contents
  readonly scratch: string
  readonly rounds: number
  /** How long each server is loaded per round, in seconds. */
  readonly seconds: number
}

/** CPU time per request in µs, and requests per second. */
export interface Figures {
  readonly cpu: number
  readonly perSecond: number
}

export interface LoadResult {
  readonly kiroku: Figures
  /** kiroku's CPU time divided by that of a bare server sending the same bytes. */
  readonly timesBare: number
  readonly timesRaw: number | undefined
  readonly bare: Figures
  readonly raw: Figures | undefined
  readonly failures: number
  /** The number of bursts in which the client used more CPU than the server. */
  readonly clientBoundBursts: number
  readonly bursts: number
  readonly bytes: number
  readonly requests: number
}

/** Loads each server in turn, round by round; every figure is the median of the rounds. */
export async function measureLoad(scenario: Scenario, site: LoadSetup): Promise<LoadResult> {
  const requests = requestsOf(scenario, site.contents)
  await using bare = await startBare(requests, site)
  const servers = { kiroku: site.kiroku, bare, raw: scenario.raw ? site.raw : undefined }
  const rounds: { kiroku: Sample; bare: Sample; raw: Sample | undefined }[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= site.rounds; round++) {
    const sample = {
      kiroku: await burst(servers.kiroku, requests, site),
      bare: await burst(servers.bare, requests, site),
      raw: servers.raw && (await burst(servers.raw, requests, site)),
    }
    if (round > 0) rounds.push(sample)
  }
  const all = rounds.flatMap(({ kiroku, bare, raw }) => [kiroku, bare, ...(raw ? [raw] : [])])
  return {
    kiroku: figures(rounds.map(({ kiroku }) => kiroku)),
    bare: figures(rounds.map(({ bare }) => bare)),
    raw: scenario.raw && figures(rounds.flatMap(({ raw }) => raw ?? [])),
    timesBare: median(rounds.map(({ kiroku, bare }) => kiroku.cpu / bare.cpu)),
    timesRaw: scenario.raw && median(rounds.map(({ kiroku, raw }) => kiroku.cpu / (raw?.cpu ?? Number.NaN))),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    clientBoundBursts: all.filter(({ isClientBound }) => isClientBound).length,
    bursts: all.length,
    bytes: median(rounds.map(({ kiroku }) => kiroku.bytes)),
    requests: requests.length,
  }
}

export interface Sample extends Figures {
  /** In milliseconds. */
  readonly p99: number
  readonly failures: number
  readonly isClientBound: boolean
  readonly bytes: number
}

export async function burst(
  server: MeasuredServer,
  requests: readonly BenchRequest[],
  { token, seconds }: Pick<LoadSetup, 'token' | 'seconds'>,
  connections = 16,
): Promise<Sample> {
  const orders: LoadOrders = { port: server.port, token, requests, connections, seconds }
  const before = server.cpu()
  const client = Bun.spawn(pinned(1, [process.execPath, join(import.meta.dir, 'client.ts')]), {
    stdin: new Blob([JSON.stringify(orders)]),
    stdout: 'pipe',
  })
  const [code, went] = await Promise.all([client.exited, client.stdout.text()])
  if (code !== 0) throw new Error('the load client failed')
  const result: Burst = JSON.parse(went)
  const cpu = server.cpu() - before
  return {
    cpu: (cpu / result.requests) * 1e6,
    perSecond: result.requests / result.seconds,
    p99: result.p99,
    failures: result.failures,
    isClientBound: result.clientCpu > cpu,
    bytes: result.bytes / result.requests,
  }
}

const figures = (samples: readonly Figures[]): Figures => ({
  cpu: median(samples.map(({ cpu }) => cpu)),
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
})

export async function startBare(
  requests: readonly BenchRequest[],
  { kiroku, token, scratch }: Pick<LoadSetup, 'kiroku' | 'token' | 'scratch'>,
): Promise<MeasuredServer> {
  const answers: Answer[] = []
  for (const target of new Set(requests.map(({ target }) => target))) {
    const response = await fetch(`http://127.0.0.1:${kiroku.port}${target}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`${target} answers ${response.status}`)
    const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'content-length')
    answers.push({ target, headers, body: await response.text() })
  }
  const file = join(scratch, 'answers.json')
  await Bun.write(file, JSON.stringify(answers))
  return startMeasured(
    [process.execPath, join(import.meta.dir, 'bare-server.ts'), file],
    join(scratch, 'bare.log'),
  )
}
