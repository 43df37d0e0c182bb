import { isBackupOverdue, lastBackup } from '../backup/last-backup'
import { type CheckResult, readLastCheck } from '../db/health/last-check'
import { largeWalBytes } from '../db/storage'
import { storageFault } from '../db/storage-fault'
import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
import { logStorageFault } from '../http/log-storage'
import type { Route } from '../http/route'
import { isoTime } from '../lib/time'

const livez: Route = {
  method: 'GET',
  path: '/livez',
  answer: () => new Response('{"status":"ok"}', { headers: jsonHeaders }),
}

/** The body of `/readyz`; sizes are in bytes. */
interface Readiness {
  readonly status: 'ok' | 'unavailable'
  /** One word each: a storage problem (`storageProblems`) or one of those below. */
  readonly problems: readonly string[]
  /** Problems that do not keep requests from being served. */
  readonly warnings: readonly string[]
  readonly disk_free_bytes: number
  readonly wal_bytes: number
  /** The nightly check of the whole database; null before the first. `at` is ISO 8601. */
  readonly last_check: Pick<CheckResult, 'at' | 'outcome'> | null
  /** ISO 8601. */
  readonly last_backup_at: string | null
  readonly last_backup_verified_at: string | null
}

/** 200 while reads and writes work and the disk has space left, else 503. */
const readyz: Route = {
  method: 'GET',
  path: '/readyz',
  answer: async ({ deps }) => {
    const readiness = await readinessOf(deps)
    const isReady = readiness.status === 'ok'
    const headers = isReady ? jsonHeaders : { ...jsonHeaders, 'Retry-After': '5' }
    return Response.json(readiness, { status: isReady ? 200 : 503, headers })
  },
}

async function readinessOf(deps: Deps): Promise<Readiness> {
  const found = [await findReadProblem(deps), await findWriteProblem(deps)]
  const { freeBytes, walBytes } = deps.storage.room()
  const last = readLastCheck(deps.config.data)
  const backup = lastBackup(deps.config.data, deps.now())
  const problems = new Set([
    ...(deps.isStopping() ? ['stopping'] : []),
    ...found.filter((problem) => problem !== undefined),
    ...(deps.storage.findLowRoom() === undefined ? [] : ['disk']),
    ...(deps.wallClock.behind() === undefined ? [] : ['clock']),
  ])
  return {
    status: problems.size === 0 ? 'ok' : 'unavailable',
    problems: [...problems],
    warnings: [
      ...(walBytes > largeWalBytes ? ['wal'] : []),
      ...(last?.outcome === 'unsound' ? ['check'] : []),
      ...(isBackupOverdue(deps, backup) ? ['backup'] : []),
    ],
    disk_free_bytes: freeBytes,
    wal_bytes: walBytes,
    last_check: last === undefined ? null : { at: last.at, outcome: last.outcome },
    last_backup_at: timeOrNull(backup.madeAt),
    last_backup_verified_at: timeOrNull(backup.verifiedAt),
  }
}

/** Times are monotonic, because the system clock may be set back. */
interface Probe {
  readonly begunAt: number
  /** The problem in one word; undefined if the write was committed. Never rejects. */
  readonly outcome: Promise<string | undefined>
  hasEnded: boolean
  hasFailed: boolean
}

const probeTimeout = 2000

/** Long, because each commit invalidates the answer cache and anybody may call the health check. */
const successLifetime = 10_000
const failureLifetime = 1000

/** The problem in one word; undefined if a write reaches the disk. Answers within two seconds. */
async function findWriteProblem(deps: Deps): Promise<string | undefined> {
  const moved = deps.storage.findMoved()
  if (moved !== undefined) {
    logStorageFault(deps.log, moved)
    return moved.problem
  }
  const last = probes.get(deps.write)
  const probe = last === undefined || isExpired(last, deps) ? startProbe(deps) : last
  const problem = await withinLimit(probe)
  return problem ?? faultSince(probe, deps)?.problem
}

const probes = new WeakMap<Deps['write'], Probe>()

function isExpired(probe: Probe, deps: Deps): boolean {
  if (!probe.hasEnded) return false
  const age = performance.now() - probe.begunAt
  return age >= (probe.hasFailed || faultSince(probe, deps) !== undefined ? failureLifetime : successLifetime)
}

/** A fault of another write since the probe began. */
function faultSince({ begunAt }: Probe, { storage }: Deps) {
  const last = storage.lastFault()
  return last !== undefined && last.at >= begunAt ? last.fault : undefined
}

function startProbe(deps: Deps): Probe {
  const outcome = writeProbe(deps).then(
    () => undefined,
    (cause) => {
      probe.hasFailed = true
      const fault = storageFault(cause)
      if (fault !== undefined) logStorageFault(deps.log, fault)
      return fault?.problem ?? 'writes'
    },
  )
  const probe: Probe = { begunAt: performance.now(), outcome, hasEnded: false, hasFailed: false }
  void outcome.finally(() => {
    probe.hasEnded = true
  })
  probes.set(deps.write, probe)
  return probe
}

/** Random, because an unchanged page is not written; as large as an ordinary write, so that it fails when those do. */
const writeProbe = ({ write, random }: Deps) => {
  const value = random(48 * 1024).toBase64()
  return write((tx) =>
    tx
      .insertInto('instance')
      .values({ name: 'write_probe', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}

/** `busy` if a probe is still waiting two seconds after it began. */
async function withinLimit({ begunAt, outcome }: Probe): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(
    () => late.resolve('busy'),
    Math.max(0, begunAt + probeTimeout - performance.now()),
  )
  return await Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer))
}

const timeOrNull = (at: number | undefined) => (at === undefined ? null : isoTime(at))

async function findReadProblem({ read, log }: Deps): Promise<string | undefined> {
  try {
    await read.selectFrom('instance').select('name').limit(1).execute()
    return undefined
  } catch (cause) {
    const fault = storageFault(cause)
    if (fault !== undefined) logStorageFault(log, fault)
    return fault?.problem ?? 'reads'
  }
}

export const healthRoutes: readonly Route[] = [livez, readyz]
