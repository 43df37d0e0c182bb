import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { termOf } from '../lib/bigrams'
import { nameKey, namesText, unindexedUsers } from './name-index'

/**
 * Ids of the users whose username or name contains a text, compared as in `filter_title` (D17): exact matches
 * first, then names that begin with it, then the rest; ties by number of records. At most 1,000.
 */
export async function findUsers(read: Read, query: string): Promise<readonly number[]> {
  const sought = nameKey(query)
  if (sought === '' || sought.includes('\n')) return []
  const unindexed = (await unindexedUsers(read)).map((user) => ({ id: user.id, text: namesText(user) }))
  const holding = async (text: string) => {
    const others = unindexed.filter((user) => user.text.includes(text)).map(({ id }) => id)
    const [row] = await mostRecordsFirst(read, {
      term: termOf(text),
      others: JSON.stringify(others),
      limit: mostFound,
    })
    return JSON.parse(row?.ids ?? '[]') as readonly number[]
  }
  const beginning = await holding(`\n${sought}`)
  const whole = beginning.length === 0 ? [] : await holding(`\n${sought}\n`)
  // For a letter that most names contain, the names beginning with it are enough.
  const all = beginning.length < mostFound ? await holding(sought) : []
  return [...new Set([...whole, ...beginning, ...all])].slice(0, mostFound)
}

const mostRecordsFirst = preparedSql<{ ids: string }, { term: string; others: string; limit: number }>(
  (slot) => sql`
    select json_group_array(id) as ids from (select users.id from (
      select rowid from users_search where users_search match ${slot('term')}
      union all select value from json_each(${slot('others')})) as found
    cross join users on users.id = found.rowid
    where not exists (select 1 from deletions) or users.id not in (select user_id from deletions)
    order by records_count desc, users.id limit ${slot('limit')})`,
)

const mostFound = 1000
