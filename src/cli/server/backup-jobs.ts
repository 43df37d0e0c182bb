import { lastBackup } from '../../backup/last-backup'
import { noteFailure } from '../../backup/notes'
import { isBucket } from '../../backup/remote/open-bucket'
import { sizeText } from '../../backup/room'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import type { Deps } from '../../deps'
import { exitCodes } from '../../lib/failure'
import { keepRuleText } from '../../values/keep-rule'
import { type Ended, runApart } from './apart'
import { createSender, secretsOf } from './send-job'

export interface BackupJobs {
  /** Aborts a running backup; the next start makes it. */
  stop(): Promise<void>
}

type BackupDeps = Pick<Deps, 'config' | 'now' | 'steady' | 'log'>
type Run = (words: readonly string[]) => Promise<Ended>

/**
 * Makes a backup whenever the last one is older than `--backup-every`, in a process of its own at low
 * priority. First checks after some seconds, so that the first requests are not delayed.
 */
export function startBackupJobs(
  deps: BackupDeps,
  { run = runApart, firstMs = 5000, thenMs = 30_000 } = {},
): BackupJobs {
  const { backupEvery } = deps.config
  if (backupEvery === null) return { stop: async () => {} }
  const stopping = new AbortController()
  const { signal } = stopping
  let running = Promise.resolve()
  let restUntil = 0
  const sender = createSender(deps)
  const env = secretsOf(deps.config)
  const runQuiet = (words: readonly string[]) => run(words, { signal, isQuiet: true, env })
  const look = async () => {
    if (deps.steady() >= restUntil && isDue(deps, backupEvery)) {
      restUntil = deps.steady() + Math.min(backupEvery, 3_600_000)
      const hasFailed = await backUp(deps, runQuiet)
      if (!hasFailed) restUntil = 0
      sender.madeOne()
    }
    if (!signal.aborted) await sender.sendIfDue(runQuiet)
  }
  const lookLater = (ms: number): ReturnType<typeof setTimeout> =>
    setTimeout(() => {
      running = look()
        .catch((cause) => {
          if (!signal.aborted) deps.log('backup_failed', { why: String(cause), advice })
        })
        .then(() => {
          if (!signal.aborted) timer = lookLater(thenMs)
        })
    }, ms).unref()
  let timer = lookLater(firstMs)
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

function isDue({ config, now }: BackupDeps, every: number): boolean {
  const { madeAt } = lastBackup(config.data, now())
  // A time in the future means that the clock has been set back since.
  return madeAt === undefined || now() - madeAt >= every || madeAt > now()
}

/** Resolves to whether the backup failed. */
async function backUp(deps: BackupDeps, run: Run): Promise<boolean> {
  const [began, beganAt] = [performance.now(), deps.now()]
  const made = await run(['backup', 'create', '--no-wait', '--json', ...wordsFor(deps)])
  if (isNothing(made)) return false
  const report = made.code === 0 ? parseJson(made.said) : undefined
  if (!isObject(report)) {
    reportFailure(deps, made.complained.trim() || `it ended with exit code ${made.code}`, beganAt)
    return true
  }
  const size = sizeText(Number(report.bytes))
  const took_ms = Math.round(performance.now() - began)
  deps.log('backup_made', { name: String(report.name), in: String(report.in), size, took_ms })
  const pruned = await run([
    'backup',
    'prune',
    '--json',
    '--backup-keep',
    keepRuleText(deps.config.backupKeep),
    ...wordsFor(deps),
  ])
  if (pruned.code === 0 || isNothing(pruned)) return false
  deps.log('backup_failed', { why: `old ones were not removed: ${pruned.complained.trim()}`, advice })
  return true
}

/** Another backup is running, or `stop` ended this one (SIGTERM). */
const isNothing = ({ code }: Ended) => code === exitCodes.busy || code === 128 + 15

/** This process has read the environment and the configuration file. Backups for a bucket are made locally. */
const wordsFor = ({ config }: BackupDeps) => [
  ...['--data', config.data],
  ...(config.backupTo === undefined || isBucket(config.backupTo) ? [] : ['--backup-to', config.backupTo]),
]

/** The command has already noted it, unless it was killed. */
function reportFailure({ config, now, log }: BackupDeps, why: string, beganAt: number): void {
  const { failed } = lastBackup(config.data, now())
  if (failed === undefined || failed.at < beganAt) noteFailure(config.data, why, now())
  log('backup_failed', { why, advice })
}

const advice =
  'kiroku backup create tries it again and shows what happens; doing nothing, it is tried again in an hour'
