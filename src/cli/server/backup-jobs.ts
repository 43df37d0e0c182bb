import { lastBackup } from '../../backup/last-backup'
import { noteFailure } from '../../backup/notes'
import { sizeText } from '../../backup/room'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import type { Deps } from '../../deps'
import { exitCodes } from '../../lib/failure'
import { type Ended, runApart } from './apart'

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
  const look = () => {
    if (running !== undefined || stopping.signal.aborted || !isDue(deps, backupEvery)) return
    running = backUp(deps, (words) => run(words, { signal: stopping.signal, isQuiet: true }))
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
  const pruned = await run(['backup', 'prune', '--json', '--backup-keep', keepText(deps), ...wordsFor(deps)])
  if (pruned.code !== 0 && pruned.code !== exitCodes.busy && !isKilled(pruned))
    deps.log('backup_failed', { why: `old ones were not removed: ${pruned.complained.trim()}` })
}

const isKilled = ({ code }: Ended) => code === 128 + 15

/** The environment and the configuration file were read by this process. */
const wordsFor = ({ config }: Tools) => [
  ...['--data', config.data],
  ...(config.backupTo === undefined ? [] : ['--backup-to', config.backupTo]),
]

const keepText = ({ config }: Tools) =>
  Object.entries(config.backupKeep)
    .map(([letter, count]) => `${count}${letter}`)
    .join(',')

/** The command has noted it, unless it was killed. */
function reportFailure({ config, now, log }: Tools, why: string, beganAt: number): void {
  const { failed } = lastBackup(config.data)
  if (failed === undefined || failed.at < beganAt) noteFailure(config.data, why, now())
  log('backup_failed', { why, advice: 'kiroku backup create tries it again and shows what happens' })
}
