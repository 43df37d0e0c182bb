import { runConnection } from './connection'
import type { BenchRequest } from './scenarios'

export interface Burst {
  readonly requests: number
  readonly failures: number
  readonly bytes: number
  readonly seconds: number
  /** CPU seconds of the client; if close to `seconds`, the client was the bottleneck. */
  readonly clientCpu: number
  /** Time from the last byte sent to the last byte read, in milliseconds. */
  readonly p99: number
}

export interface LoadOrders {
  readonly port: number
  readonly token: string
  readonly requests: readonly BenchRequest[]
  readonly connections: number
  readonly seconds: number
}

/**
 * A load client in its own process: `LoadOrders` on standard input, a `Burst` on standard output. Each
 * keep-alive connection sends its next request once the previous answer is complete.
 */
async function main(): Promise<void> {
  const orders: LoadOrders = await Bun.stdin.json()
  const requests = orders.requests.map((request) => bytesOf(request, orders.token))
  const counts: Counts = { requests: 0, failures: 0, bytes: 0, latencies: [] }
  const before = process.cpuUsage()
  const started = performance.now()
  const end = started + orders.seconds * 1000
  const next = (done: number) => (performance.now() < end ? requests[done % requests.length] : undefined)
  await Promise.all(
    Array.from({ length: orders.connections }, (_, index) => measureConnection(orders, counts, index, next)),
  )
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - started) / 1000
  const { latencies, ...counted } = counts
  const p99 = latencies.sort((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
  const burst: Burst = { ...counted, seconds, clientCpu: (user + system) / 1e6, p99 }
  process.stdout.write(JSON.stringify(burst))
}

function bytesOf({ method = 'GET', target, body }: BenchRequest, token: string): Uint8Array {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`]
  const json = body === undefined ? '' : JSON.stringify(body)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`)
}

type Counts = { requests: number; failures: number; bytes: number; latencies: number[] }
type Next = (done: number) => Uint8Array | undefined

/** Each connection starts at a different request of the list. */
function measureConnection(
  { port, requests, connections }: LoadOrders,
  counts: Counts,
  index: number,
  next: Next,
): Promise<void> {
  let done = Math.floor((index * requests.length) / connections)
  let sent = 0
  const send = () => {
    const request = next(done++)
    sent = performance.now()
    return request
  }
  return runConnection(port, send, (status, bytes) => {
    counts.requests++
    counts.bytes += bytes
    counts.latencies.push(performance.now() - sent)
    if (status < 200 || status > 299) counts.failures++
  })
}

if (import.meta.main) await main()
