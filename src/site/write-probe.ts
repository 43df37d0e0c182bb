import { storageFault } from '../db/storage-fault'
import type { Deps } from '../deps'
import { logStorageFault } from '../http/log-storage'

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
export async function findWriteProblem(deps: Deps): Promise<string | undefined> {
  const moved = deps.storage.findMoved()
  if (moved !== undefined) {
    logStorageFault(deps.log, moved)
    return moved.problem
  }
  const last = probes.get(deps)
  const probe = last === undefined || isExpired(last, deps) ? startProbe(deps) : last
  const problem = await withinLimit(probe)
  return problem ?? faultSince(probe, deps)?.problem
}

const probes = new WeakMap<Deps, Probe>()

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
  probes.set(deps, probe)
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
