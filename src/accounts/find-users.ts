import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { termOf } from '../lib/bigrams'
import { nameKey, namesText, unindexedUsers } from './name-index'

/**
 * Ids of the users whose username or name contains a text, compared as in `filter_title` (D17): exact matches
 * first, then names that begin with it, then the rest; ties by number of records. At most 1,000, none with a private profile.
 */
export async function findUsers(read: Read, query: string): Promise<readonly number[]> {
  const sought = nameKey(query)
  if (sought === '' || sought.includes('\n')) return []
  const unindexed = (await unindexedUsers(read)).map((user) => ({ id: user.id, text: namesText(user) }))
  const holding = async (text: string) => {
    const others = unindexed.filter((user) => user.text.includes(text)).map(({ id }) => id)
    return await usersNamed(read, { term: termOf(text), others: JSON.stringify(others) })
  }
  const beginning = await holding(`\n${sought}`)
  const begins = idsOf(beginning)
  const equals = idsOf(beginning.length === 0 ? [] : await holding(`\n${sought}\n`))
  // For a letter that most names contain, the names beginning with it are enough.
  const users = beginning.length < mostFound ? await holding(sought) : beginning
  const byRank = Map.groupBy(users, ({ id }) => Number(begins.has(id)) + Number(equals.has(id)))
  return [2, 1, 0].flatMap((rank) => mostRecordsFirst(byRank.get(rank) ?? [])).slice(0, mostFound)
}

interface FoundUser {
  readonly id: number
  readonly records: number
}

const idsOf = (users: readonly FoundUser[]) => new Set(users.map(({ id }) => id))

const usersNamed = preparedSql<FoundUser, { term: string; others: string }>(
  (slot) => sql`
    select users.id, records_count as records from (
      select rowid from users_search where users_search match ${slot('term')}
      union all select value from json_each(${slot('others')})) as found
    cross join users on users.id = found.rowid
    where users.privacy <> 'private'
      and (not exists (select 1 from deletions) or users.id not in (select user_id from deletions))`,
)

/** Ties by id; more than a thousand may be left out. SQLite would take longer to sort thousands. */
function mostRecordsFirst(users: readonly FoundUser[]): readonly number[] {
  const byRecords = Map.groupBy(users, ({ records }) => records)
  const ids: number[] = []
  for (const records of Float64Array.from(byRecords.keys()).sort().reverse()) {
    if (ids.length >= mostFound) break
    const same = (byRecords.get(records) ?? []).map(({ id }) => id).sort((one, other) => one - other)
    ids.push(...same.slice(0, mostFound))
  }
  return ids
}

const mostFound = 1000
