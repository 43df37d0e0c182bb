import { finishDeletions } from '../../accounts/account/deletion'
import { passwordCost } from '../../accounts/account/password'
import { finishMoves } from '../../accounts/account/privacy'
import { startSignInSweep } from '../../accounts/sign-in/sign-ins'
import { countWithoutWay, wayRules } from '../../accounts/sign-in/ways-in'
import type { App } from '../../app'
import { finishRestore } from '../../backup/restore/replace'
import { sweepSourceChanges } from '../../catalogue/edit/log'
import { runMerges, sweepMoves } from '../../catalogue/edit/run-merges'
import { refreshTwins } from '../../catalogue/twins'
import { type Config, readSettings, type Settings } from '../../config'
import { startPictureJobs } from '../../covers/jobs'
import { takeLock } from '../../db/lock'
import { prepareDirectory, readsOf, type Store } from '../../db/open'
import { startDelivery } from '../../delivery/jobs'
import type { Deps } from '../../deps'
import { internet } from '../../fetching/outside'
import { clearUploads } from '../../http/upload/directory'
import { isLoopback } from '../../lib/network'
import { repeat } from '../../lib/repeat'
import type { Log } from '../../log'
import { stackOf } from '../../log/stack'
import { openMail } from '../../mail/open-mail'
import { sweepDeliveries } from '../../scrobble/deliveries'
import { listsOf } from '../../transfer/batch/lists-of'
import type { CliCall } from '../command'
import { compileHotCode } from '../compile-hot-code'
import { restoreOwner, useDirectory } from '../data-directory'
import { noteUpgrade, openUpgraded, upgradeLocked } from '../open'
import { reachable, urlOf } from '../url'
import { writeAddress } from './address-file'
import { announce } from './announce'
import { startBackupJobs } from './backup-jobs'
import { startCheckJobs } from './check-jobs'
import { clampAtStart, waitForClock } from './clock-at-start'
import { loadFirstCatalogue, startCatalogueJobs } from './default-catalogue'
import { openListener } from './listener'
import { createObservers, type Observers, serveMetrics } from './observe'
import { type Signals, watchSignals } from './signals'
import { startSourceJobs } from './source-jobs'
import { openSupervisor } from './supervisor'
import { watchMemory } from './watch-memory'
import { watchStorage } from './watch-storage'

/** Serves until a signal stops it. Throws a `Failure` if it cannot start. */
export async function runServer(call: CliCall): Promise<void> {
  const signals = watchSignals()
  await useDirectory(call, () => runWithLock(call, signals))
}

async function runWithLock(call: CliCall, signals: Signals): Promise<void> {
  const serverSettings = readSettings(call)
  prepareDirectory(serverSettings.data)
  const lock = takeLock(serverSettings.data)
  try {
    const restored = finishRestore(serverSettings.data)
    if (restored !== undefined) await call.note('completed an interrupted restore')
    clearUploads(serverSettings.data)
    await noteUpgrade(call, await upgradeLocked(serverSettings.data, call.now))
    await restoreOwner(call)
    const observers = await createObservers(serverSettings, call.now)
    const store = openUpgraded(serverSettings.data, observers.ofStore)
    await serveStore(call, serverSettings, { store, ...observers }, signals).finally(() => store.close())
    await observers.finishLog()
  } finally {
    lock.release()
  }
}

async function serveStore(
  call: CliCall,
  serverSettings: Settings,
  { store, log, metrics }: Observers & { readonly store: Store },
  signals: Signals,
): Promise<void> {
  const { now } = call
  signals.onIgnored((signal) => log('signal', { signal, why: 'ignored: settings are read only at start' }))
  const supervisor = await openSupervisor(process.env, log)
  publish(serverSettings, serverSettings.port)
  await waitForClock(store.wallClock, serverSettings, log)
  if (serverSettings.catalogue) await loadFirstCatalogue(store, now, log)
  await clampAtStart(store, serverSettings.data, now, log)
  const server = openListener(serverSettings, async (request, peer) => (await app).handle(request, peer), log)
  const address = urlOf(serverSettings.host, server.port ?? serverSettings.port)
  const port = server.port ?? serverSettings.port
  const config: Config = { ...serverSettings, port, baseUrl: serverSettings.baseUrl ?? address }
  let hasToStop = false
  const deps = depsOf(call, store, { config, log, metrics, isStopping: () => hasToStop })
  const app = loadApp(deps)
  await app
  const scrapes = serveMetrics(deps, server)
  const jobs = startJobs(deps, store, serverSettings)
  watchMemory(server, store.shrink)
  if (isUnencrypted(config.baseUrl)) log('insecure', { base_url: config.baseUrl, why: 'no https' })
  const locked = await countWithoutWay(store.read, wayRules(config))
  if (locked > 0)
    log('without_way_in', { users: locked, why: 'no password, passkey or provider that works here' })
  const published = publish(serverSettings, port)
  signals.ready()
  await announce(call, store, config, { address, metrics: scrapes?.url })
  setTimeout(compileHotCode, 1000).unref()
  supervisor.ready(`serving ${config.baseUrl}`, store.write)
  log('stopping', { signal: await signals.stop })
  supervisor.stopping()
  hasToStop = true
  published.remove()
  const deadline = performance.now() + 24_500
  await Promise.all([server.stop(store.storage.stopWaiting), ...jobs.map((job) => job.stop())])
  // Queued letters get one more try within the remaining time.
  await Promise.race([deps.mail?.finish(), Bun.sleep(Math.min(5000, deadline - performance.now()))])
  await scrapes?.stop()
}

/** Before the server listens, for commands during its start; the system may not have chosen the port yet. */
function publish({ data, host, baseUrl }: Settings, port: number) {
  const isKnown = port !== 0
  const links = baseUrl ?? (isKnown ? urlOf(host, port) : '')
  return writeAddress(data, { baseUrl: links, local: isKnown ? urlOf(reachable(host), port) : undefined })
}

/** Called once the port is open: Bun then collects garbage, which is 10 ms faster while most code is not loaded. */
async function loadApp(deps: Deps): Promise<App> {
  const { createApp } = await import('../../app')
  return createApp(deps)
}

function depsOf(
  { now, random }: CliCall,
  store: Store,
  { config, log, metrics, isStopping }: Pick<Deps, 'config' | 'log' | 'metrics' | 'isStopping'>,
): Deps {
  return {
    ...readsOf(store),
    generations: store.generations,
    write: store.write,
    storage: store.storage,
    wallClock: store.wallClock,
    config,
    now,
    random,
    passwordCost,
    log,
    isStopping,
    metrics,
    steady: () => performance.now(),
    outside: internet,
    mail: openMail(config, log),
  }
}

/** Starts what runs alongside requests until it is stopped. */
function startJobs(deps: Deps, store: Store, { catalogue: ownCatalogue }: Settings) {
  const { now, log } = deps
  logUncaughtErrors(log)
  watchStorage(store.storage, log)
  return [
    startCatalogueJobs(store, { now, log, ownCatalogue }),
    startMergeJobs(deps),
    startPictureJobs(deps),
    startCheckJobs(deps),
    startBackupJobs(deps),
    startListJobs(deps),
    startSourceJobs(deps),
    startDeletions(deps),
    startMoves(deps),
    startDelivery(deps),
    startSignInSweep(deps),
  ]
}

/**
 * Continues interrupted list imports, expires old previews and forgets old plays: a second after the start, then once an hour.
 */
function startListJobs(deps: Deps): { stop(): Promise<void> } {
  const lists = listsOf(deps)
  const resume = () => {
    lists.resume().catch((cause) => deps.log('list_failed', { why: String(cause) }))
    const noteFailure = (cause: unknown) => deps.log('list_failed', { why: String(cause) })
    sweepDeliveries(deps).catch(noteFailure)
  }
  const timers = [setTimeout(resume, 1000).unref(), setInterval(resume, 3_600_000).unref()]
  return {
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await lists.close()
    },
  }
}

/** Completes merges by hand that were interrupted, looks for twins after changes of titles, and forgets what undo no longer needs. */
function startMergeJobs(deps: Deps): { stop(): Promise<void> } {
  const failed = (cause: unknown) => deps.log('catalogue_failed', { why: String(cause) })
  const complete = async () => {
    await runMerges(deps)
    await refreshTwins(deps)
  }
  const sweep = async () => {
    await sweepMoves(deps)
    await sweepSourceChanges(deps)
  }
  const jobs = [
    repeat({ work: complete, pauseMs: () => 60_000, failed }),
    repeat({ work: sweep, pauseMs: () => 3_600_000, failed }),
  ]
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()))
      // One that a request began.
      await runMerges(deps)
    },
  }
}

/** Finishes interrupted deletions, after a second, so that the first requests are not delayed. */
function startDeletions(deps: Deps): { stop(): Promise<void> } {
  const timer = setTimeout(finishDeletions, 1000, deps).unref()
  return { stop: async () => clearTimeout(timer) }
}

/** Finishes what a change of a profile left, as `startDeletions` does. */
function startMoves(deps: Deps): { stop(): Promise<void> } {
  const timer = setTimeout(finishMoves, 1000, deps).unref()
  return { stop: async () => clearTimeout(timer) }
}

/** A fault in one request must not stop the others. */
function logUncaughtErrors(log: Log): void {
  const note = (cause: unknown) =>
    log('fault', { why: cause instanceof Error ? stackOf(cause) : String(cause) })
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
}

/** Whether passwords and cookies cross a network unencrypted (oauth.md §2.2). */
function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLoopback(hostname)
}
