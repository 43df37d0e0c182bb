import type { Database } from 'bun:sqlite'
import { gramsOf, indexAllNames, type UserNames } from './name-index'

/** Ids of users whose entry in the name index is missing, wrong or left over. `rest` is called between reads. */
export function namesDrift(handle: Database, rest: () => void = () => {}): readonly number[] {
  const last = handle.query<[number | null], []>(
    'select max(id) from (select max(id) as id from users union all select max(rowid) from users_search)',
  )
  const [[max] = [null]] = last.values() as [number | null][]
  const wrong: number[] = []
  for (let from = 1; from <= (max ?? 0); from += idsAtOnce) {
    wrong.push(...differing(handle, from, from + idsAtOnce - 1))
    rest()
  }
  return wrong
}

/** Takes about 20 ms. */
const idsAtOnce = 5000

function differing(handle: Database, from: number, to: number): readonly number[] {
  const entries = new Map(
    handle
      .query<never, [number, number]>('select rowid, grams from users_search where rowid between ? and ?')
      .values(from, to) as [number, string][],
  )
  const wrong: number[] = []
  for (const user of indexed(handle).all(from, to)) {
    if (entries.get(user.id) !== gramsOf(user)) wrong.push(user.id)
    entries.delete(user.id)
  }
  return [...wrong, ...entries.keys()]
}

const indexed = (handle: Database) =>
  handle.query<UserNames, [number, number]>(
    `select id, username_key, name from users
     where id between ? and ? and id not in (select id from unindexed_users)`,
  )

/** Repairs what `namesDrift` finds, in short transactions. */
export async function repairNames(handle: Database): Promise<void> {
  const wrong = namesDrift(handle)
  for (let at = 0; at < wrong.length; at += usersAtOnce) {
    const users = wrong.slice(at, at + usersAtOnce)
    handle.transaction(() => reindexNames(handle, users)).immediate()
    await Bun.sleep(pauseMs)
  }
}

function reindexNames(handle: Database, ids: readonly number[]): void {
  const remove = handle.query('delete from users_search where rowid = ?')
  const mark = handle.query(
    'insert into unindexed_users (id) select id from users where id = ? on conflict do nothing',
  )
  for (const id of ids) {
    remove.run(id)
    mark.run(id)
  }
  indexAllNames(handle)
}

const usersAtOnce = 400
const pauseMs = 20
