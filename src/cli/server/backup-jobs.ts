import { lastBackup } from '../../backup/last-backup'
import { noteFailure } from '../../backup/notes'
import { isBucket } from '../../backup/remote/open-bucket'
import { sizeText } from '../../backup/room'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import type { Deps } from '../../deps'
import { exitCodes } from '../../lib/failure'
import { keepRuleText } from '../../values/keep-rule'
import { type Ended, runApart } from './apart'
import { createSender } from './send-job'

export interface BackupJobs {
  /** Ends a backup that is being made; the next start makes it. */
  stop(): Promise<void>
}

type Tools = Pick<Deps, 'config' | 'now' | 'log'>

/** Makes a backup whenever the last one is older than `--backup-every`, in a process of its own at low priority. */
export function startBackupJobs(deps: Tools, run: typeof runApart = runApart): BackupJobs {
  const { backupEvery } = deps.config
  if (backupEvery === null) return { stop: async () => {} }
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const sender = createSender(deps)
  const runQuiet = (words: readonly string[]) =>
    run(words, { signal: stopping.signal, isQuiet: true, env: secretsOf(deps) })
  const round = async (isBackupDue: boolean) => {
    if (isBackupDue) {
      await backUp(deps, runQuiet)
      sender.madeOne()
    }
    if (!stopping.signal.aborted && sender.isDue()) await sender.send(runQuiet)
  }
  const look = () => {
    if (running !== undefined || stopping.signal.aborted) return
    const isBackupDue = isDue(deps, backupEvery)
    if (!isBackupDue && !sender.isDue()) return
    running = round(isBackupDue)
      .catch((cause) => reportFailure(deps, String(cause), deps.now()))
      .finally(() => {
        running = undefined
      })
  }
  // After some seconds, so that the first requests are not delayed.
  const timers = [setTimeout(look, 5000), setInterval(look, 30_000)]
  for (const timer of timers) timer.unref()
  return {
    stop: async () => {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await running
    },
  }
}

/** After a failure it is tried again an hour later. */
function isDue({ config, now }: Tools, every: number): boolean {
  const { madeAt, failed } = lastBackup(config.data)
  if (failed !== undefined && now() - failed.at < Math.min(every, 3_600_000)) return false
  // A time in the future is that of a clock that was set back since.
  return madeAt === undefined || now() - madeAt >= every || madeAt > now()
}

type Run = (words: readonly string[]) => Promise<Ended>

async function backUp(deps: Tools, run: Run): Promise<void> {
  const [began, beganAt] = [performance.now(), deps.now()]
  const made = await run(['backup', 'create', '--json', ...wordsFor(deps)])
  // Killed by `stop`, or another one is under way.
  if (made.code === exitCodes.busy || isKilled(made)) return
  const report = made.code === 0 ? parseJson(made.said) : undefined
  if (!isObject(report))
    return reportFailure(deps, made.complained.trim() || `it ended with ${made.code}`, beganAt)
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
  if (pruned.code !== 0 && pruned.code !== exitCodes.busy && !isKilled(pruned))
    deps.log('backup_failed', { why: `old ones were not removed: ${pruned.complained.trim()}` })
}

const isKilled = ({ code }: Ended) => code === 128 + 15

/** The environment and the configuration file were read by this process. */
const wordsFor = ({ config }: Tools) => [
  ...['--data', config.data],
  ...(config.backupTo === undefined || isBucket(config.backupTo) ? [] : ['--backup-to', config.backupTo]),
]

const secretsOf = ({ config }: Tools): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      KIROKU_BACKUP_PASSPHRASE: config.backupPassphrase,
      KIROKU_S3_ACCESS_KEY_ID: config.s3AccessKeyId,
      KIROKU_S3_SECRET_ACCESS_KEY: config.s3SecretAccessKey,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

/** The command has noted it, unless it was killed. */
function reportFailure({ config, now, log }: Tools, why: string, beganAt: number): void {
  const { failed } = lastBackup(config.data)
  if (failed === undefined || failed.at < beganAt) noteFailure(config.data, why, now())
  log('backup_failed', { why, advice: 'kiroku backup create tries it again and shows what happens' })
}
