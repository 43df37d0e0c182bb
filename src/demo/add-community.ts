import { SQLiteError } from 'bun:sqlite'
import { indexAllNames } from '../accounts/name-index'
import { inPieces, pausingRunner, type YieldingWork } from '../db/in-pieces'
import type { Store } from '../db/open'
import { Failure } from '../lib/failure'
import { type CommunityOptions, communityRows } from './community-rows'
import { type CommunityResult, refuseIfUsersExist, reserveUsers, resultOf } from './make-community'
import { createWriter, type DemoRows } from './rows'
import { noteUnfinished, undoUnfinished } from './undo-community'

/**
 * Adds a made-up community in short writes, while a server may be using the database. `undoUnfinished`
 * removes an interrupted one. The caller holds the catalogue lock. Throws a `data` failure.
 */
export async function addCommunity(
  { handle, write }: Pick<Store, 'handle' | 'write'>,
  options: CommunityOptions,
): Promise<CommunityResult> {
  const piece = pausingRunner(write)
  if (!options.force) refuseIfUsersExist(handle)
  const firstId = await piece(() => {
    const first = reserveUsers(handle, options.users)
    noteUnfinished(handle, { first, last: first + options.users - 1 })
    return first
  })
  const writer = createWriter(handle, options.onProgress)
  try {
    await inPieces(piece, writeAll(communityRows(handle, options, firstId), writer.write))
    while ((await piece(() => indexAllNames(handle, usersAtOnce))) > 0);
    await piece(() => noteUnfinished(handle, undefined))
  } catch (cause) {
    await undoUnfinished(handle, piece)
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_CONSTRAINT_UNIQUE')
      throw new Failure('data', 'one of the names was taken in the meantime: try again')
    throw cause
  }
  return resultOf(handle, writer.counts, firstId)
}

/** Takes about 10 ms. */
const usersAtOnce = 500

const writeAll = (rows: DemoRows, write: ReturnType<typeof createWriter>['write']): YieldingWork<void> =>
  function* (isOver) {
    for (let step = rows.next(); step.done !== true; ) {
      step = rows.next(write(step.value))
      if (isOver()) yield
    }
  }
