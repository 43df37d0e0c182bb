import { SQLiteError } from 'bun:sqlite'
import { inPieces, politePiece, type Steps } from '../db/in-pieces'
import type { Store } from '../db/open'
import { Failure } from '../lib/failure'
import { type Asked, communityRows } from './community-rows'
import { type Made, madeOf, refuseUsers, reserveUsers } from './make-community'
import { createWriter, type Rows } from './rows'
import { noteUnfinished, undoUnfinished } from './undo-community'

/**
 * Adds a made-up community to a database that others use meanwhile, in short writes, with triggers and indexes at work.
 * What is interrupted is undone by `undoUnfinished`. The caller holds the catalogue's lock. Throws a `data` failure.
 */
export async function addCommunity(
  { handle, write }: Pick<Store, 'handle' | 'write'>,
  asked: Asked,
): Promise<Made> {
  const piece = politePiece(write)
  if (!asked.force) refuseUsers(handle)
  const firstId = await piece(() => {
    const first = reserveUsers(handle, asked.users)
    noteUnfinished(handle, { first, last: first + asked.users - 1 })
    return first
  })
  const writer = createWriter(handle, asked.onProgress)
  try {
    await inPieces(piece, writeAll(communityRows(handle, asked, firstId), writer.write))
    await piece(() => noteUnfinished(handle, undefined))
  } catch (cause) {
    await undoUnfinished(handle, piece)
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_CONSTRAINT_UNIQUE')
      throw new Failure('data', 'somebody has taken one of the names meanwhile: try again')
    throw cause
  }
  return madeOf(handle, writer.counts, firstId)
}

const writeAll = (rows: Rows, write: ReturnType<typeof createWriter>['write']): Steps<void> =>
  function* (isOver) {
    for (let step = rows.next(); step.done !== true; ) {
      step = rows.next(write(step.value))
      if (isOver()) yield
    }
  }
