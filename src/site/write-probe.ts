import { storageFault } from '../db/storage-fault'
import type { Deps } from '../deps'
import { logStorageFault } from '../http/log-storage'

/** One attempt to write, by the steady clock: a system clock may be set back. */
interface Probe {
  readonly begunAt: number
  /** The problem in one word; undefined when the write was committed. Never rejects. */
  readonly outcome: Promise<string | undefined>
  hasEnded: boolean
  hasFailed: boolean
}

const timeLimit = 2000
/** A commit makes every kept answer be forgotten, and anybody may ask. */
const goodFor = 10_000
const badFor = 1000

/** Why nothing can be written, in one word; undefined while a change reaches the disk. Answers within two seconds. */
export async function findWriteProblem(deps: Deps): Promise<string | undefined> {
  const moved = deps.storage.findMoved()
  if (moved !== undefined) {
    logStorageFault(deps.log, moved)
    return moved.problem
  }
  const last = probes.get(deps)
  const probe = last === undefined || isOver(last, deps) ? begin(deps) : last
  const problem = await withinLimit(probe)
  return problem ?? faultSince(probe, deps)?.problem
}

const probes = new WeakMap<Deps, Probe>()

function isOver(probe: Probe, deps: Deps): boolean {
  if (!probe.hasEnded) return false
  const age = performance.now() - probe.begunAt
  return age >= (probe.hasFailed || faultSince(probe, deps) !== undefined ? badFor : goodFor)
}

/** What other writes have met since. */
function faultSince({ begunAt }: Probe, { storage }: Deps) {
  const last = storage.lastFault()
  return last !== undefined && last.at >= begunAt ? last.fault : undefined
}

function begin(deps: Deps): Probe {
  const outcome = change(deps).then(
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

/**
 * Another value each time, since what changes no byte is not written; and as large as what an ordinary write changes with
 * its indexes and counters, since it is to fail where those do.
 */
const change = ({ write, random }: Deps) => {
  const value = random(48 * 1024).toBase64()
  return write((tx) =>
    tx
      .insertInto('instance')
      .values({ name: 'write_probe', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}

/** What came of a probe, or `busy` for one that is still waiting two seconds after it began. */
async function withinLimit({ begunAt, outcome }: Probe): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('busy'), Math.max(0, begunAt + timeLimit - performance.now()))
  return await Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer))
}
