import type { Database } from 'bun:sqlite'
import { ownedTables } from '../accounts/account/deletion-pieces'
import { inPieces, type PieceRunner, type YieldingWork } from '../db/in-pieces'

interface Unfinished {
  readonly first: number
  readonly last: number
}

/** `users`: undefined once the community is complete. The caller holds the transaction. */
export function noteUnfinished(handle: Database, users: Unfinished | undefined): void {
  handle.query('delete from instance where name = ?').run(noteName)
  if (users !== undefined)
    handle.query('insert into instance (name, value) values (?, ?)').run(noteName, JSON.stringify(users))
}

/** Deletes an interrupted community and returns whether there was one. The caller holds the catalogue lock. */
export async function undoUnfinished(handle: Database, piece: PieceRunner): Promise<boolean> {
  const users = unfinished(handle)
  if (users === undefined) return false
  await inPieces(piece, deleteUsers(handle, users))
  await piece(() => noteUnfinished(handle, undefined))
  return true
}

export function unfinished(handle: Database): Unfinished | undefined {
  const [row] = handle
    .query<{ value: string }, [string]>('select value from instance where name = ?')
    .all(noteName)
  return row === undefined ? undefined : parseNote(row.value)
}

/** Per batch of users: first their rows in small steps, then rows added meanwhile, then the users. */
const deleteUsers = (handle: Database, { first, last }: Unfinished): YieldingWork<void> =>
  function* (isOver) {
    for (let from = first; from <= last; from += usersAtOnce) {
      const to = Math.min(last, from + usersAtOnce - 1)
      for (const part of ownedTables) {
        while (deleteSome(handle, part, { from, to, limit: rowsAtOnce }) > 0) if (isOver()) yield
      }
      for (const part of ownedTables) deleteSome(handle, part, { from, to, limit: -1 })
      handle.query('delete from users where id between ? and ?').run(from, to)
      if (isOver()) yield
    }
  }

function deleteSome(
  handle: Database,
  { table, owner, key }: (typeof ownedTables)[number],
  { from, to, limit }: { from: number; to: number; limit: number },
): number {
  return handle
    .query(
      `delete from ${table} where (${owner}, ${key}) in (
         select ${owner}, ${key} from ${table} where ${owner} between ? and ? limit ?)`,
    )
    .run(from, to, limit).changes
}

const parseNote = (text: string): Unfinished => JSON.parse(text)

const noteName = 'demo_unfinished'
const usersAtOnce = 20
const rowsAtOnce = 100
