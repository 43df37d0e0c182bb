import { readFileSync } from 'node:fs'
import type { Server } from './kiroku'

/** The server's peak memory since its start, in bytes: pages of the executable that it used count too. */
export const peakOf = (server: Pick<Server, 'pid'>): number => inStatus(server, 'VmHWM')

/** The server's resident memory in bytes. */
export const memoryOf = (server: Pick<Server, 'pid'>): number => inStatus(server, 'VmRSS')

function inStatus({ pid }: Pick<Server, 'pid'>, name: string): number {
  const [, kilobytes] =
    new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
