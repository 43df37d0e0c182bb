import { statSync } from 'node:fs'
import { isBackupOverdue, lastBackup } from '../../backup/last-backup'
import { dataFlag } from '../../backup/way-back'
import { whyUnusable } from '../../db/file-access'
import { filesystemOf } from '../../db/health/filesystem'
import { sizeOf } from '../../db/health/main-file'
import { filesOfOthers } from '../../db/health/owner'
import { ballastBytes, leastFreeBytes, Room } from '../../db/health/room'
import { databasePath } from '../../db/open'
import { nameOfUser } from '../../db/users'
import { quoted } from '../../lib/shell-word'
import { isoTime } from '../../lib/time'
import { type Diagnosis, note, ok, problem } from './diagnosis'

/** Checks the directory, its owner, filesystem and disk. */
export function examineDirectory(directory: string, allowsNetwork: boolean): readonly Diagnosis[] {
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined)
    return [
      problem(
        'directory',
        'noInput',
        `${directory} does not exist`,
        'kiroku serve creates it; --data names another',
      ),
    ]
  if (!found.isDirectory())
    return [problem('directory', 'config', `${directory} is not a directory`, 'name another with --data')]
  const access = permissions(directory, found.mode & 0o777)
  // What is in it cannot be listed then.
  if (access.level === 'problem') return [access, filesystem(directory, allowsNetwork), room(directory)]
  return [access, ...owners(directory, found.uid), filesystem(directory, allowsNetwork), room(directory)]
}

function permissions(directory: string, mode: number): Diagnosis {
  const why = whyUnusable(databasePath(directory), 'write')
  if (why !== undefined) return problem('permissions', 'config', why)
  return (mode & 0o077) === 0
    ? ok('permissions', 'only its owner can access the directory, and kiroku can use it')
    : note(
        'permissions',
        `users other than its owner can enter ${directory}`,
        `chmod 700 ${quoted(directory)}`,
      )
}

function owners(directory: string, uid: number): readonly Diagnosis[] {
  const others = filesOfOthers(directory, uid)
  const who = nameOfUser(uid)
  if (others.length === 0) return [ok('owner', `everything in it belongs to ${who}`)]
  const names = others.slice(0, 5).join(', ')
  return [
    problem(
      'owner',
      'config',
      `${directory} belongs to ${who}; ${names} to another user`,
      `chown -R ${uid} ${quoted(directory)}`,
    ),
  ]
}

function filesystem(directory: string, allowsNetwork: boolean): Diagnosis {
  const found = filesystemOf(directory)
  if (found === undefined) return note('filesystem', 'its type is unknown')
  if (!found.isNetwork) return ok('filesystem', found.name)
  return allowsNetwork
    ? note('filesystem', `${found.name}, a network filesystem, as --allow-network-filesystem allows`)
    : problem('filesystem', 'config', `${found.name} is a network filesystem: use a local disk`)
}

function room(directory: string): Diagnosis {
  const free = new Room(directory).freeBytes()
  const told = `${Math.floor(free / 1_000_000).toLocaleString('en')} MB are free`
  if (free < leastFreeBytes)
    return problem('disk', 'io', `${told}: below 32 MB nothing is written`, `du -h ${directory}`)
  return free < leastFreeBytes * 8 + ballastBytes
    ? note('disk', `${told}: free some space soon`)
    : ok('disk', told)
}

/** `every` is the period of `--backup-every`; if the server makes no backups, one a week is expected. */
export function examineBackups(directory: string, now: number, every: number | null): Diagnosis {
  const last = lastBackup(directory, now)
  const { madeAt, verifiedAt, failed } = last
  const isThere = sizeOf(databasePath(directory)) > 0
  const remedy = isThere ? `kiroku backup create${dataFlag(directory)}` : undefined
  if (failed !== undefined)
    return note('backups', `the last attempt failed on ${isoTime(failed.at)}: ${failed.why}`, remedy)
  if (madeAt === undefined) return note('backups', 'there are none', remedy)
  const verified = verifiedAt === undefined ? 'never verified' : `verified on ${isoTime(verifiedAt)}`
  const told = `the newest is from ${isoTime(madeAt)}, ${verified}`
  const expected = { config: { backupEvery: every ?? aWeek / 2 }, now: () => now }
  return isBackupOverdue(expected, last) ? note('backups', told, remedy) : ok('backups', told)
}

const aWeek = 7 * 86_400_000
