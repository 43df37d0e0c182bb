import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import { fold, withoutMarks } from '../lib/fold'

/**
 * The ids of the users whose username or name holds a text, as `filter_title` compares them (D17): first those that are
 * called so, then those whose names begin so, of equals those who wrote most. Compares the names of all users, about a
 * microsecond each: an instance has some hundreds of them, and no index to keep.
 */
export async function findUsers(read: Read, query: string): Promise<readonly number[]> {
  const sought = keyOf(query)
  if (sought === '') return []
  const found = (await names(read, {})).flatMap(({ id, username_key, name, records_count }) => {
    const rank = Math.min(rankOf(keyOf(username_key), sought), rankOf(keyOf(name), sought))
    return rank < notFound ? [{ id, rank, records_count }] : []
  })
  return found
    .sort(
      (one, other) => one.rank - other.rank || other.records_count - one.records_count || one.id - other.id,
    )
    .slice(0, mostRanked)
    .map(({ id }) => id)
}

const names = prepared((read) =>
  read
    .selectFrom('users')
    .select(['id', 'username_key', 'name', 'records_count'])
    .where('id', 'not in', (eb) => eb.selectFrom('deletions').select('user_id')),
)

function rankOf(key: string, sought: string): number {
  if (key === sought) return 0
  const at = key.indexOf(sought)
  if (at === 0) return 1
  return at > 0 ? 2 : notFound
}

/** The letters of a name; of one without any its marks. */
const keyOf = (text: string) => withoutMarks(fold(text)) || fold(text)

const notFound = 3
const mostRanked = 1000
