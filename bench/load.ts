import { join } from 'node:path'
import type { Answer } from './bare-server'
import type { Burst, Orders } from './client'
import { type Measured, pinned, startMeasured } from './measured'
import { median } from './median'
import { type Asked, type Contents, requestsOf, type Scenario } from './scenarios'

/** What a scenario is measured on. */
export interface Site {
  readonly kiroku: Measured
  /** The same query on bare SQLite. */
  readonly raw: Measured
  readonly token: string
  readonly contents: Contents
  /** A directory for files that are needed meanwhile. */
  readonly scratch: string
  readonly rounds: number
  /** How long each server is under load in a round, in seconds. */
  readonly seconds: number
}

/** A server under one load: CPU time per request in µs, and requests a second. */
export interface Figures {
  readonly cpu: number
  readonly perSecond: number
}

export interface Loaded {
  readonly kiroku: Figures
  /** How many times a bare server's CPU time kiroku takes for the same bytes. */
  readonly timesBare: number
  readonly timesRaw: number | undefined
  readonly bare: Figures
  readonly raw: Figures | undefined
  readonly failures: number
  /** In how many bursts the client was busier than the server. */
  readonly heldUp: number
  readonly bursts: number
  /** Bytes of an answer, head included. */
  readonly bytes: number
  /** How many different requests there are. */
  readonly requests: number
}

const connections = 16

/** Puts each server under the same load in turn, round after round; every figure is the median of the rounds. */
export async function measureLoad(scenario: Scenario, site: Site): Promise<Loaded> {
  const asked = requestsOf(scenario, site.contents)
  await using bare = await startBare(asked, site)
  const servers = { kiroku: site.kiroku, bare, raw: scenario.raw ? site.raw : undefined }
  const rounds: { kiroku: Sample; bare: Sample; raw: Sample | undefined }[] = []
  // The first round only warms up.
  for (let round = 0; round <= site.rounds; round++) {
    const sample = {
      kiroku: await burst(servers.kiroku, asked, site),
      bare: await burst(servers.bare, asked, site),
      raw: servers.raw && (await burst(servers.raw, asked, site)),
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
    heldUp: all.filter(({ heldUp }) => heldUp).length,
    bursts: all.length,
    bytes: median(rounds.map(({ kiroku }) => kiroku.bytes)),
    requests: asked.length,
  }
}

interface Sample extends Figures {
  readonly failures: number
  readonly heldUp: boolean
  readonly bytes: number
}

async function burst(server: Measured, asked: readonly Asked[], { token, seconds }: Site): Promise<Sample> {
  const orders: Orders = { port: server.port, token, asked, connections, seconds }
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
    failures: result.failures,
    heldUp: result.clientCpu > cpu,
    bytes: result.bytes / result.requests,
  }
}

const figures = (samples: readonly Figures[]): Figures => ({
  cpu: median(samples.map(({ cpu }) => cpu)),
  perSecond: median(samples.map(({ perSecond }) => perSecond)),
})

/** A bare server that knows kiroku's answers to these requests. */
async function startBare(asked: readonly Asked[], { kiroku, token, scratch }: Site): Promise<Measured> {
  const answers: Answer[] = []
  for (const target of new Set(asked.map(({ target }) => target))) {
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
