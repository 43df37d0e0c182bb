import { existsSync } from 'node:fs'
import { dataFlag } from '../../backup/way-back'
import { hasFutureTimes } from '../../db/future-times'
import { highWaterPath } from '../../db/health/high-water'
import type { WallClock } from '../../db/health/wall-clock'
import type { Store } from '../../db/open'
import { jsonHeaders } from '../../http/errors'
import { clampTimes, clockText } from '../../http/guards'
import { Failure } from '../../lib/failure'
import type { Log } from '../../log'
import { urlOf } from '../url'
import { openListener } from './listener'

interface HealthAddress {
  readonly host: string
  readonly port: number
  readonly data: string
}

interface Wait {
  readonly patienceMs?: number
  readonly pause?: () => Promise<unknown>
}

/**
 * Waits for a clock that is behind the last commit to be set, as it is on machines without a battery for it once the
 * network is up. Until then sessions and tokens have times in the future, which the start would take for the clock's
 * mistake and change. `/readyz` is 503 meanwhile. Throws a `busy` failure after ten minutes.
 */
export async function waitForClock(
  clock: Pick<WallClock, 'behind'>,
  { host, port, data }: HealthAddress,
  log: Log,
  { patienceMs = 600_000, pause = () => Bun.sleep(250) }: Wait = {},
): Promise<void> {
  const last = clock.behind()
  if (last === undefined) return
  const [begun, why] = [performance.now(), clockText(Date.now(), last)]
  const server = openListener({ host, port }, answer, log)
  log('clock_behind', { why, waiting: urlOf(host, server.port ?? port) })
  try {
    while (clock.behind() !== undefined) {
      if (performance.now() - begun > patienceMs) throw new Failure('busy', `${why}. ${remedy(data)}`)
      await pause()
    }
  } finally {
    await server.stop(() => {})
  }
}

const remedy = (data: string) =>
  `Set the clock. If it is right now, and was wrong then: kiroku doctor --accept-database${dataFlag(data)}`

async function answer(request: Request): Promise<Response> {
  if (URL.parse(request.url)?.pathname === '/livez')
    return new Response('{"status":"ok"}', { headers: jsonHeaders })
  const headers = { ...jsonHeaders, 'Retry-After': '5' }
  return Response.json({ status: 'unavailable', problems: ['clock'] }, { status: 503, headers })
}

/**
 * Clamps times that an earlier run left in the future. Looks for them first: changing none takes 12 ms of CPU, and its
 * commit two flushes of the disk. That commit also makes the high-water mark where there is none yet.
 */
export async function clampAtStart(
  { read, write }: Store,
  directory: string,
  now: () => number,
  log: Log,
): Promise<void> {
  if (existsSync(highWaterPath(directory)) && !(await hasFutureTimes(read, now()))) return
  await clampTimes({ now, write, log })
}
