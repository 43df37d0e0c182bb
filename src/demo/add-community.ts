import { type Database, SQLiteError } from 'bun:sqlite'
import { dirname } from 'node:path'
import { copyCatalogue, openScratch } from '../catalogue/import/scratch'
import { inPieces, type Piece, politePiece, type Steps } from '../db/in-pieces'
import type { Store } from '../db/open'
import { Failure } from '../lib/failure'
import { type Asked, exampleOf, type Made, refuseUsers, writeCommunity } from './make-community'
import { noteUnfinished, undoUnfinished } from './undo-community'
import { copyRows, type Shifts } from './write/copy-rows'
import { writtenTables } from './write/written-tables'

/**
 * Adds a made-up community to a database that others use meanwhile: it is made in a scratch database, then copied in
 * short writes, with triggers and indexes at work. What is interrupted is undone by `undoUnfinished`. The caller holds the
 * catalogue's lock. Throws a `data` failure.
 */
export async function addCommunity(
  { handle, write }: Pick<Store, 'handle' | 'write'>,
  asked: Asked,
): Promise<Made> {
  const piece = politePiece(write)
  if (!asked.force) refuseUsers(handle)
  const scratch = openScratch(dirname(handle.filename))
  try {
    await copyCatalogue(scratch.handle, handle.filename)
    copyNames(scratch.handle, handle)
    const before = lastIds(scratch.handle)
    const { counts, firstUserId } = scratch.handle.transaction(() => writeCommunity(scratch.handle, asked))()
    const shifts = await piece(() => reserveIds(handle, before, lastIds(scratch.handle)))
    await copyAll({ from: scratch.handle, to: handle, piece, shifts, firstUserId }, asked)
    return { counts, example: exampleOf(handle, firstUserId + (shifts.get('users') ?? 0)) }
  } finally {
    scratch.close()
  }
}

/** Names that are taken are all that has to be known of the users who are there. */
function copyNames(scratch: Database, handle: Database): void {
  const insert = scratch.query(`
    insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (?1, ?2, ?2, '', ?3, ?3, '', 0)`)
  const users = handle.query<never, []>('select id, username_key, email_key from users').values()
  for (const [id, username, email] of users) insert.run(Number(id), String(username), String(email))
  // Ids go on after the last one there was.
  scratch.query('delete from sqlite_sequence where name = ?').run('users')
  scratch
    .query('insert into sqlite_sequence (name, seq) values (?, ?)')
    .run('users', lastIds(handle).get('users') ?? 0)
}

/** The last id that each table ever had. */
const lastIds = (handle: Database): ReadonlyMap<string, number> =>
  new Map(
    handle
      .query<never, []>('select name, seq from sqlite_sequence')
      .values()
      .map(([name, seq]) => [String(name), Number(seq)]),
  )

/**
 * Keeps ids for what is to be copied, whatever others write meanwhile, and notes which users are not complete yet.
 * Returns how far ids move on the way.
 */
function reserveIds(
  handle: Database,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Shifts {
  const now = lastIds(handle)
  const shifts = new Map<string, number>()
  for (const table of writtenTables) {
    const [from, to, last] = [before, after, now].map((ids) => ids.get(table) ?? 0)
    if (from === undefined || to === undefined || last === undefined || to === from) continue
    shifts.set(table, last - from)
    handle.query('delete from sqlite_sequence where name = ?').run(table)
    handle.query('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last + to - from)
    if (table === 'users') noteUnfinished(handle, { first: last + 1, last: last + to - from })
  }
  return shifts
}

interface Copying {
  readonly from: Database
  readonly to: Database
  readonly piece: Piece
  readonly shifts: Shifts
  readonly firstUserId: number
}

async function copyAll(
  { from, to, piece, shifts, firstUserId }: Copying,
  { onProgress }: Asked,
): Promise<void> {
  const tables = (): Steps<void> =>
    function* (isOver) {
      for (const table of writtenTables) {
        const least = table === 'users' ? firstUserId : 0
        yield* copyRows({ from, to, table, shifts, least }, isOver, (rows) =>
          onProgress(`${table}: ${rows.toLocaleString('en')}`),
        )
      }
      noteUnfinished(to, undefined)
    }
  try {
    await inPieces(piece, tables())
  } catch (cause) {
    await undoUnfinished(to, piece)
    if (cause instanceof SQLiteError && cause.code === 'SQLITE_CONSTRAINT_UNIQUE')
      throw new Failure('data', 'somebody has taken one of the names meanwhile: try again')
    throw cause
  }
}
