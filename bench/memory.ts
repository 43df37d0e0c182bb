import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../src/app'
import { flood } from '../test/support/flood'
import { createRandom, distinctRequest, knownTo } from '../test/support/memory-requests'
import { executable, kiroku, makeToken } from './instance'
import { type MeasuredServer, startMeasured } from './measured'
import { table } from './table'

/** After the load, in seconds. */
const looks = [0, 15, 30, 60]

const connections = 16

/**
 * Memory of a server with 50,000 users and 106,000 records, or that of a given data directory, which is written to: at its
 * start, at most while every endpoint gets distinct requests, and afterwards.
 */
export async function measureMemory(scratch: string, pack: string, given: string | undefined, count: number) {
  const data = given ?? (await makeCrowd(join(scratch, 'crowd'), pack))
  const token = await makeToken(data)
  const serve = ['serve', '--data', data, '--port', '0', '--no-catalogue', '--rate-limit', 'off']
  await using server = await startMeasured([executable, ...serve], join(scratch, 'memory.log'))
  const rows = [
    ['', 'MB', 'its own', 'of files', 'CPU s'],
    ['after the start', ...memoryOf(server)],
  ]
  await floodWithDistinct(server, token, count)
  rows.push([`at most, ${count} distinct requests`, peakOf(server)])
  let waited = 0
  for (const after of looks) {
    await Bun.sleep((after - waited) * 1000)
    waited = after
    rows.push([`${after} s after the last`, ...memoryOf(server)])
  }
  return table(rows.map((row) => [...row, ...Array(6 - row.length).fill('')]))
}

async function makeCrowd(data: string, pack: string): Promise<string> {
  await kiroku(['catalogue', 'import', pack, '--data', data])
  await kiroku(['demo', '--users', '50000', '--records', '106000', '--until', '2026-04-01', '--data', data])
  return data
}

/** Each to another endpoint than the last, and unequal to all others. */
export async function floodWithDistinct(
  { port }: MeasuredServer,
  token: string,
  count: number,
): Promise<void> {
  const known = await knownTo(`http://127.0.0.1:${port}`, token)
  const random = createRandom(1)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
  }
  let sent = 0
  await flood(port, connections, () => {
    const endpoint = sent < count ? endpoints[sent % endpoints.length] : undefined
    sent += 1
    return endpoint && { ...distinctRequest(endpoint, sent, random, known), headers }
  })
}

/** Resident, of which its own and mapped files, in MB of 10^6 bytes, and CPU seconds. */
export function memoryOf(server: MeasuredServer): string[] {
  const status = statusOf(server)
  return [...['VmRSS', 'RssAnon', 'RssFile'].map((name) => megabytes(status, name)), server.cpu().toFixed(1)]
}

const peakOf = (server: MeasuredServer) => megabytes(statusOf(server), 'VmHWM')

const statusOf = ({ pid }: MeasuredServer) => readFileSync(`/proc/${pid}/status`, 'utf8')

const megabytes = (status: string, name: string) =>
  ((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6).toFixed(0)
