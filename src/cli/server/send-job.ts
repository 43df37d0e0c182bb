import { isBucket } from '../../backup/remote/open-bucket'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import type { Deps } from '../../deps'
import { exitCodes } from '../../lib/failure'
import { keepRuleText } from '../../values/keep-rule'
import type { Ended } from './apart'

type Tools = Pick<Deps, 'config' | 'now' | 'log'>

export interface Sender {
  isDue(): boolean
  /** For a backup that was made. */
  madeOne(): void
  send(run: (words: readonly string[]) => Promise<Ended>): Promise<void>
}

/** Sends backups to the bucket of `--backup-to` at the start, after each backup, and an hour after a failure. */
export function createSender({ config, now, log }: Tools): Sender {
  const bucket = isBucket(config.backupTo) ? config.backupTo : undefined
  let dueAt = bucket === undefined ? Number.POSITIVE_INFINITY : 0
  return {
    isDue: () => now() >= dueAt,
    madeOne: () => {
      if (bucket !== undefined) dueAt = 0
    },
    send: async (run) => {
      if (bucket === undefined) return
      const ended = await run(['backup', 'send', '--json', ...wordsFor(config, bucket)])
      // Also where it was killed; 0 would try again at once.
      dueAt = ended.code === 0 ? Number.POSITIVE_INFINITY : now() + 3_600_000
      const report = ended.code === 0 ? parseJson(ended.said) : undefined
      if (isObject(report) && Array.isArray(report.sent)) {
        if (report.sent.length > 0) log('backup_sent', { backups: report.sent.length, to: bucket })
      } else if (ended.code < 128 && ended.code !== exitCodes.busy)
        log('backup_failed', { why: ended.complained.trim(), advice: 'kiroku backup send tries it again' })
    },
  }
}

const wordsFor = ({ data, s3Region, s3Endpoint, backupKeep }: Tools['config'], bucket: string) => [
  ...['--data', data, '--backup-to', bucket, '--s3-region', s3Region],
  ...(s3Endpoint === undefined ? [] : ['--s3-endpoint', s3Endpoint]),
  ...['--backup-keep', keepRuleText(backupKeep)],
]
