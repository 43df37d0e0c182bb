import { isBucket } from '../../backup/remote/open-bucket'
import { isObject, parseJson } from '../../catalogue/import/file/json'
import type { Deps } from '../../deps'
import { keepRuleText } from '../../values/keep-rule'
import type { Ended } from './apart'

type SendingDeps = Pick<Deps, 'config' | 'steady' | 'log'>
type Run = (words: readonly string[]) => Promise<Ended>

export interface BackupSender {
  madeOne(): void
  sendIfDue(run: Run): Promise<void>
}

/** Sends backups to the bucket of `--backup-to`: at the start, after each backup, and an hour after a failure. */
export function createSender({ config, steady, log }: SendingDeps): BackupSender {
  const { backupTo: bucket } = config
  let dueAt = Number.NEGATIVE_INFINITY
  return {
    madeOne: () => {
      dueAt = Number.NEGATIVE_INFINITY
    },
    sendIfDue: async (run) => {
      if (!isBucket(bucket) || steady() < dueAt) return
      dueAt = steady() + 3_600_000
      const { code, said, complained } = await run(['backup', 'send', '--json', ...wordsFor(config, bucket)])
      if (code === 0) dueAt = Number.POSITIVE_INFINITY
      const count = code === 0 ? sentIn(said) : 0
      if (count > 0) log('backup_sent', { backups: count, to: bucket })
      // `stop` ended it; the next start continues it.
      if (code !== 0 && code !== 128 + 15) log('backup_failed', { why: complained.trim(), advice })
    },
  }
}

const advice =
  'kiroku backup send tries it again and shows what happens; doing nothing, it is tried again in an hour'

function sentIn(said: string): number {
  const report = parseJson(said)
  return isObject(report) && Array.isArray(report.sent) ? report.sent.length : 0
}

const wordsFor = ({ data, s3Region, s3Endpoint, backupKeep }: SendingDeps['config'], bucket: string) => [
  ...['--data', data, '--backup-to', bucket, '--s3-region', s3Region],
  ...(s3Endpoint === undefined ? [] : ['--s3-endpoint', s3Endpoint]),
  ...['--backup-keep', keepRuleText(backupKeep)],
]

/** For commands run apart: everybody on the machine can see their arguments. */
export const secretsOf = (config: SendingDeps['config']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      KIROKU_BACKUP_PASSPHRASE: config.backupPassphrase,
      KIROKU_S3_ACCESS_KEY_ID: config.s3AccessKeyId,
      KIROKU_S3_SECRET_ACCESS_KEY: config.s3SecretAccessKey,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
