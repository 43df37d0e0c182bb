import { settings } from '../config'
import { OtherDatabase } from '../db/health/refuse-other'
import { NewerDatabase } from '../db/migrate'
import { Failure } from '../lib/failure'
import { quoted } from '../lib/shell-word'
import { newestBackup } from './last-backup'
import { snapshotsIn } from './list'

/** For example ` --data /srv/kiroku`; empty for the default directory. */
export const dataFlag = (data: string): string =>
  data === settings.data.defaultValue ? '' : ` --data ${quoted(data)}`

export const restoreCommand = (data: string, source: string): string =>
  `kiroku backup restore ${quoted(source)}${dataFlag(data)}`

/** The command that restores the newest backup; undefined if none is known. */
export function newestRestoreCommand(data: string): string | undefined {
  const newest = newestBackup(data)
  if (newest === undefined) return undefined
  const { name, to } = newest
  if (to === undefined) return restoreCommand(data, name)
  if (to.startsWith('/')) return restoreCommand(data, `${to}/${name}`)
  return `${restoreCommand(data, name)} --backup-to ${quoted(to)}`
}

/** Adds the commands to type to the failure of a database that is not served. */
export function withWayOut(data: string, cause: unknown): unknown {
  if (cause instanceof OtherDatabase) {
    const backup = newestRestoreCommand(data) ?? `${restoreCommand(data, 'FILE')} (there is none in backups/)`
    const accept = `kiroku doctor --accept-database${dataFlag(data)}`
    return new Failure(
      cause.kind,
      `${cause.message}. Put the right files back, or restore the newest backup: ${backup}; or accept the current files: ${accept}`,
    )
  }
  if (!(cause instanceof NewerDatabase)) return cause
  const copy = snapshotsIn(data).findLast((name) => name.startsWith(`before-${cause.firstUnknown}-`))
  const back =
    copy === undefined
      ? `restore a backup from before the upgrade (kiroku backup list${dataFlag(data)})`
      : `restore the copy from before the upgrade: ${restoreCommand(data, copy)}`
  return new Failure(cause.kind, `${cause.message}. Start that kiroku, or ${back}`)
}
