import { dirname } from 'node:path'
import { loadDefaultCatalogue } from '../../catalogue/default-catalogue'
import { applyEstimates } from '../../catalogue/estimate/apply-estimates'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import { finishImport, withCatalogueLock } from '../../catalogue/import/import-catalogue'
import { pausingRunner } from '../../db/in-pieces'
import type { Store } from '../../db/open'
import { undoUnfinished, unfinished } from '../../demo/undo-community'
import { exitCodes, Failure } from '../../lib/failure'
import { isoTime } from '../../lib/time'
import type { Log } from '../../log'
import type { CliCall } from '../command'
import { createProgress } from '../progress'
import { runApart } from './apart'

export async function loadFirstCatalogue(store: Store, now: () => number, log: Log): Promise<void> {
  const [work] = await store.read.selectFrom('works').select('id').limit(1).execute()
  if (work !== undefined) return
  log('catalogue_loading', { why: 'first start: this takes up to half a minute' })
  const begun = performance.now()
  const tell = () => log('catalogue_loading', { seconds: Math.round((performance.now() - begun) / 1000) })
  const timer = setInterval(tell, 5000)
  const lines = await loadApart(dirname(store.handle.filename)).finally(() => clearInterval(timer))
  if (lines === undefined) return
  await noteEstimated(store, isoTime(now()).slice(0, 10))
  log('catalogue_loaded', { lines })
}

/**
 * Loads the default catalogue in a process of its own, which saves the server 35 MB. Resolves to its number
 * of lines; undefined if loading failed, in which case the server retries it later.
 */
async function loadApart(directory: string): Promise<number | undefined> {
  const { code, said } = await runApart(['catalogue', 'load', '--json', '--data', directory])
  const report = code === 0 ? parseJson(said) : undefined
  return isObject(report) && report.failed === false ? Number(report.lines) : undefined
}

export interface CatalogueJobs {
  /** Resolves once no job is running; interrupted ones resume at the next start. */
  stop(): Promise<void>
}

/**
 * Resumes an interrupted import and undoes an interrupted demo, at the start and every minute.
 * `ownCatalogue`: also loads a newer executable's catalogue, and updates the estimates once a day.
 */
export function startCatalogueJobs(
  whole: Store,
  { now, log, ownCatalogue }: Pick<CliCall, 'now'> & { log: Log; ownCatalogue: boolean },
): CatalogueJobs {
  let isStopping = false
  const refuseWhenStopping = () => {
    if (isStopping) throw new Stopping()
  }
  const store: JobStore = {
    ...whole,
    // There is a next run, so do not wait for another process that is changing the catalogue.
    patienceMs: 0,
    write: async (change) => {
      refuseWhenStopping()
      return await whole.write(change)
    },
  }
  let running = Promise.resolve()
  const doLater = (tasks: readonly Task[]) => {
    running = running.then(async () => {
      for (const task of tasks) await attempt(() => task(store, now, log, refuseWhenStopping), log)
    })
  }
  const daily = ownCatalogue ? [estimate] : []
  const timers = [
    // After a second, so that the first requests are not delayed.
    setTimeout(doLater, 1000, [resumeInterrupted, ...(ownCatalogue ? [loadCatalogue] : []), ...daily]),
    setInterval(doLater, 60_000, [resumeInterrupted]),
    setInterval(doLater, 86_400_000, daily),
  ]
  for (const timer of timers) timer.unref()
  return {
    stop: async () => {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      await running
    },
  }
}

type JobStore = Store & { readonly patienceMs: number }
type Task = (store: JobStore, now: () => number, log: Log, onProgress: () => void) => Promise<void>

/** Thrown to abort a job between two of its writes. */
class Stopping extends Error {}

async function attempt(task: () => Promise<void>, log: Log): Promise<void> {
  try {
    await skipIfBusy(task)
  } catch (cause) {
    if (!(cause instanceof Stopping)) log('catalogue_failed', { why: String(cause) })
  }
}

/** If another process holds the catalogue lock, it does the job itself, or the next run does. */
async function skipIfBusy(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.exitCode !== exitCodes.busy) throw cause
  }
}

async function resumeInterrupted(store: JobStore, now: () => number, log: Log): Promise<void> {
  if (await finishImport(store, { now: now() })) log('import_finished')
  if (unfinished(store.handle) === undefined) return
  await withCatalogueLock(store, () => undoUnfinished(store.handle, pausingRunner(store.write)))
  log('demo_undone')
}

async function loadCatalogue(
  store: Store,
  now: () => number,
  log: Log,
  onProgress = () => {},
): Promise<void> {
  const progress = createProgress()
  const show = (lines: number) => {
    onProgress()
    progress.show(`loading the default catalogue: ${lines.toLocaleString('en')} lines`)
  }
  const report = await loadDefaultCatalogue(store, now(), show).finally(progress.end)
  if (report === undefined) return
  const [first] = report.problems
  if (report.failed) log('catalogue_refused', { problems: report.problemsCount, first: first?.message })
  else log('catalogue_loaded', { lines: report.lines })
}

/** At most once a day (UTC). */
async function estimate(store: JobStore, now: () => number, log: Log): Promise<void> {
  const { read, write, handle } = store
  const today = isoTime(now()).slice(0, 10)
  const known = await read.selectFrom('instance').select('value').where('name', '=', 'estimated_on').execute()
  if (known[0]?.value === today) return
  const target = { handle, piece: pausingRunner(write) }
  const { episodes, programs } = await withCatalogueLock(store, () => applyEstimates(target, now()))
  await noteEstimated(store, today)
  if (episodes + programs > 0) log('estimated', { episodes, programs })
}

async function noteEstimated({ write }: Pick<Store, 'write'>, today: string): Promise<void> {
  const row = { name: 'estimated_on', value: today }
  await write((tx) =>
    tx
      .insertInto('instance')
      .values(row)
      .onConflict((conflict) => conflict.doUpdateSet(row))
      .execute(),
  )
}
