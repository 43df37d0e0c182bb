import type { Database } from 'bun:sqlite'
import { Failure } from '../../lib/failure'
import { instanceIdOf } from './commit-ticks'
import type { HighWater } from './high-water'
import { mainFileTick, sizeOf, tickOf } from './main-file'

/**
 * Before SQLite opens it: opening an empty or missing database would delete its log. `mark` is read before the database,
 * which another process may be writing to. Throws a `data` failure.
 */
export function refuseLostFile(path: string, mark: HighWater | undefined): void {
  const isEmpty = sizeOf(path) === 0
  if (isEmpty && (mark !== undefined || sizeOf(`${path}-wal`) > 0))
    throw otherDatabase(`${path} is empty or gone`, mark)
  if (isEmpty || mark === undefined) return
  if (mainFileTick(path) < mark.checkpointed)
    throw otherDatabase(`${path} is an older copy of the database that was left here, or another file`, mark)
}

/** Throws a `data` failure for a database that is behind the mark, or of another instance. */
export function refuseOlder(path: string, handle: Database, mark: HighWater | undefined): void {
  if (mark === undefined) return
  if (instanceIdOf(handle) !== mark.instance)
    throw otherDatabase(`${path} is the database of another instance than the one that was left here`, mark)
  if (tickOf(handle) < mark.tick)
    throw otherDatabase(
      `${path} is older than the database that was left here, or its log kiroku.db-wal is gone or damaged`,
      mark,
    )
}

function otherDatabase(what: string, mark: HighWater | undefined): Failure {
  const last = mark === undefined ? '' : `, last written ${mark.at}`
  return new Failure(
    'data',
    `${what}${last}: nothing was changed. Put the right files back, or restore a backup (kiroku backup restore), ` +
      'or take what is there: kiroku doctor --accept-database',
  )
}
