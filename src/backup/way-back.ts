import { settings } from '../config'
import { OtherDatabase } from '../db/health/refuse-other'
import { NewerDatabase } from '../db/migrate'
import { Failure } from '../lib/failure'
import { quoted } from '../lib/shell-word'
import { newestBackup } from './last-backup'
import { snapshotsIn } from './list'

/** Such as ` --data /srv/kiroku`; empty for the default directory. */
export const dataFlag = (data: string): string =>
  data === settings.data.defaultValue ? '' : ` --data ${quoted(data)}`

export const restoreCommand = (data: string, source: string): string =>
  `kiroku backup restore ${quoted(source)}${dataFlag(data)}`

/** The command that restores the newest backup; undefined where none is known. */
export function newestRestoreCommand(data: string): string | undefined {
  const newest = newestBackup(data)
  if (newest === undefined) return undefined
  const { name, to } = newest
  if (to === undefined) return restoreCommand(data, name)
  if (to.startsWith('/')) return restoreCommand(data, `${to}/${name}`)
  return `${restoreCommand(data, name)} --backup-to ${quoted(to)}`
}

/** Adds to the failure of a database that is not served what to type. */
export function withWayOut(data: string, cause: unknown): unknown {
  if (cause instanceof OtherDatabase) {
    const backup = newestRestoreCommand(data) ?? `${restoreCommand(data, 'FILE')} (there is none in backups/)`
    const accept = `kiroku doctor --accept-database${dataFlag(data)}`
    return new Failure(
      cause.kind,
      `${cause.message}. Put the right files back, or restore the newest backup: ${backup}; or take what is there: ${accept}`,
    )
  }
  if (!(cause instanceof NewerDatabase)) return cause
  const copy = snapshotsIn(data).findLast((name) => name.startsWith(`before-${cause.firstUnknown}-`))
  const back =
    copy === undefined
      ? `restore a backup from before (kiroku backup list${dataFlag(data)})`
      : `go back to the copy from before: ${restoreCommand(data, copy)}`
  return new Failure(cause.kind, `${cause.message}. Start that kiroku, or ${back}`)
}
