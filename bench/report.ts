import type { ImportResult } from './imports'
import type { LoadResult } from './load'
import type { Scenario } from './scenarios'
import type { StartUp } from './start-up'
import { aim, atLeast, table } from './table'
import type { WriteScenario } from './write-scenarios'
import type { WriteResult } from './writes'

export const loadHead = (rounds: number): string => `\
Server on core 0, client with 16 connections on core 1; medians of ${rounds} rounds.
CPU time is the server's, all threads and system calls included. "bare" is a Bun.serve with
the same bytes ready, "SQLite" the same queries by bun:sqlite, count(*) among them, and JSON.stringify.`

export function loadReport(loads: readonly (readonly [Scenario, LoadResult])[]): string {
  const head = [
    'request',
    'CPU µs',
    '× bare',
    '× SQLite',
    'per s',
    'bare per s',
    'SQLite per s',
    'KB',
    'answers',
    'aim',
  ]
  const rows = loads.map(([scenario, { kiroku, bare, raw, timesBare, timesRaw, bytes, requests }]) => [
    scenario.name,
    kiroku.cpu.toFixed(1),
    timesBare.toFixed(2),
    timesRaw?.toFixed(2) ?? '',
    kiroku.perSecond.toFixed(0),
    bare.perSecond.toFixed(0),
    raw?.perSecond.toFixed(0) ?? '',
    (bytes / 1000).toFixed(1),
    String(requests),
    aimOf(scenario, timesBare, kiroku.cpu),
  ])
  return [table([head, ...rows]), ...loads.flatMap(([scenario, loaded]) => warnings(scenario, loaded))].join(
    '\n',
  )
}

function aimOf({ times, milliseconds }: Scenario, timesBare: number, cpu: number): string {
  if (times !== undefined) return aim(timesBare, times, ' × bare')
  return milliseconds === undefined ? '' : aim(cpu, milliseconds * 1000, ' µs')
}

function warnings({ name }: Scenario, { failures, clientBoundBursts, bursts }: LoadResult): string[] {
  const failed = failures > 0 ? [`  ! ${name}: ${failures} answers were not 2xx`] : []
  const held = `  ! ${name}: in ${clientBoundBursts} of ${bursts} bursts the client was busier than the server; there, "per s" is the client's`
  return clientBoundBursts > 0 ? [...failed, held] : failed
}

export const writeHead = `\
Writes a second. "SQLite" writes the same rows by bun:sqlite, each in a transaction of its own, "grouped" as many in
one as there are connections. Every transaction is flushed before the next begins.`

export function writeReport(written: readonly (readonly [WriteScenario, WriteResult])[]): string {
  const head = [
    'request',
    'per s',
    'SQLite per s',
    'grouped per s',
    '× SQLite',
    '× grouped',
    'CPU µs',
    'p99 ms',
    'p99 ms of reads',
    'aim',
  ]
  const rows = written.map(([{ name, least }, figures]) => [
    name,
    figures.perSecond.toFixed(0),
    figures.single.toFixed(0),
    figures.grouped.toFixed(0),
    figures.timesSingle.toFixed(2),
    figures.timesGrouped.toFixed(2),
    figures.cpu.toFixed(0),
    figures.p99.toFixed(1),
    figures.readP99?.toFixed(1) ?? '',
    least === undefined ? '' : atLeast(figures.timesGrouped, least, ' × grouped'),
  ])
  const failed = written.filter(([, { failures }]) => failures > 0)
  const notes = failed.map(([{ name }, { failures }]) => `  ! ${name}: ${failures} answers were not 2xx`)
  return [table([head, ...rows]), ...notes].join('\n')
}

export interface OtherResults {
  readonly startUp: StartUp
  /** In MB, after the load tests. */
  readonly loadedRss: number
  /** In MB. */
  readonly size: number
  readonly imports: readonly { name: string; aim: number; imported: ImportResult }[]
}

export function otherReport({ startUp, loadedRss, size, imports }: OtherResults): string {
  const { first, again, works, firstRss, againRss } = startUp
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const mb = (value: number) => `${value.toFixed(1)} MB`
  return table([
    ['start-up to the first 200', ms(again), aim(again, 150, ' ms')],
    [`first start, ${works} works loaded`, ms(first), aim(first, 4000, ' ms')],
    ['memory, idle after a start', mb(againRss), aim(againRss, 80, ' MB')],
    ['memory, idle after the first start', mb(firstRss), aim(firstRss, 80, ' MB')],
    ['memory after the load', mb(loadedRss), ''],
    ...imports.flatMap(({ name, aim: most, imported: { seconds, cpu, peak } }) => [
      [name, `${seconds.toFixed(2)} s`, aim(seconds, most, ' s')],
      ['  its CPU time', `${cpu.toFixed(2)} s`, ''],
      ['  its memory at most', mb(peak), ''],
    ]),
    ['executable', mb(size), aim(size, 120, ' MB')],
  ])
}
