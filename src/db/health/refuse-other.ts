import type { Database } from 'bun:sqlite'
import { Failure } from '../../lib/failure'
import { instanceIdOf } from './commit-ticks'
import type { HighWater } from './high-water'
import { mainFileTick, sizeOf, tickOf } from './main-file'

/**
 * Called before SQLite opens the database: opening an empty or missing one would delete its log. `mark` must
 * be read earlier, as another process may be writing to the database. Throws `OtherDatabase`.
 */
export function refuseLostFile(path: string, mark: HighWater | undefined): void {
  const isEmpty = sizeOf(path) === 0
  if (isEmpty && (mark !== undefined || sizeOf(`${path}-wal`) > 0))
    throw new OtherDatabase(`${path} is empty or gone`, mark)
  if (isEmpty || mark === undefined) return
  const tick = mainFileTick(path)
  if (tick !== undefined && tick < mark.checkpointed)
    throw new OtherDatabase(
      `${path} is an older copy of the database that was left here, or another file`,
      mark,
    )
}

/** The database in the data directory is not the one that was left there. */
export class OtherDatabase extends Failure {
  constructor(what: string, mark: HighWater | undefined) {
    super('data', `${what}${mark === undefined ? '' : `, last written ${mark.at}`}: nothing was changed`)
  }
}

/** Throws `OtherDatabase` if the database is behind the mark, or belongs to another instance. */
export function refuseOlder(path: string, handle: Database, mark: HighWater | undefined): void {
  if (mark === undefined) return
  if (instanceIdOf(handle) !== mark.instance)
    throw new OtherDatabase(
      `${path} is the database of another instance than the one that was left here`,
      mark,
    )
  if (tickOf(handle) < mark.tick)
    throw new OtherDatabase(
      `${path} is older than the database that was left here, or its log kiroku.db-wal is gone or damaged`,
      mark,
    )
}
