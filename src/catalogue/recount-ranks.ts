import type { Database } from 'bun:sqlite'
import type { Drift } from './recount'

/** Rows that a list of `ranks` counts: of which table, under which list and key (SQL about a row), and which of them. */
interface Ranked {
  readonly table: string
  readonly list: string
  readonly key: string
  /** Whether they are counted by block of ids, in all, or both. */
  readonly counts: 'blocks' | 'total' | 'both'
  readonly where?: string
}

const byBlock = (table: string, list: string, key = '0'): Ranked => ({ table, list, key, counts: 'both' })

const total = (table: string, list: string, key: string): Ranked => ({ table, list, key, counts: 'total' })

/** What a filter leaves: the total of each key; of a key with 2,048 rows and more, which are split, by block too. */
function byKey(table: string, name: string, likes = false): readonly Ranked[] {
  const column = `${name}_id`
  const list = `'${table} by ${name}'`
  const where = `${column} in (select ${column} from ${table} group by 1 having count(*) >= 2048)`
  return [
    total(table, list, column),
    { table, list, key: column, counts: 'blocks', where },
    ...(likes
      ? [
          {
            ...byBlock(table, `'${table} by ${name} ' || ${column} || ' by likes_count'`, 'likes_count'),
            where,
          },
        ]
      : []),
  ]
}

/** A table's rows split by whether they have text, and both halves by likes. */
const flagged = (table: string, text: string): readonly Ranked[] => {
  const half = `iif(${text} <> '', '${table}+${text}', '${table}-${text}')`
  return [byBlock(table, half), byBlock(table, `${half} || ' by likes_count'`, 'likes_count')]
}

const everyRank: readonly Ranked[] = [
  ...flagged('records', 'comment'),
  ...byKey('records', 'work', true),
  ...byKey('records', 'user', true),
  ...byKey('records', 'episode', true),
  ...flagged('reviews', 'body'),
  ...byKey('reviews', 'work', true),
  ...byKey('reviews', 'user', true),
  byBlock('activities', `'activities=' || action`),
  ...byKey('activities', 'user'),
  byBlock('follows', `'follows'`),
  ...byKey('follows', 'follower'),
  ...byKey('follows', 'followed'),
  total('notifications', `'notifications by user'`, 'user_id'),
  { ...byBlock('users', `'users'`), where: 'id not in (select user_id from deletions)' },
]

/** The cells of `ranks` that differ from a recount, at most `limit` of them; a cell that is not there is 0. */
export function findRankDrift(handle: Database, limit: number): readonly Drift[] {
  return handle.query<Drift, [number]>(differing).all(limit)
}

const counting = (counts: Ranked['counts']) => everyRank.filter((rank) => rank.counts === counts)

const byStretch = ({ table, list, key, where = 'true' }: Ranked) =>
  `select ${list}, ${key}, id >> 12, count(*) from ${table} where ${where} group by 1, 2, 3`

// Grouped by a column alone, they are counted from its index.
const inAll = ({ table, list, key }: Ranked) =>
  `select ${list}, ${key}, -1, count(*) from ${table} group by ${key}`

/** Every cell of `ranks` that counting gives, as a query of its list, key, block and number. */
export const countedRanks = `
  with cells (list, key, block, n) as materialized (${counting('both').map(byStretch).join(' union all ')})
  select list, key, block, n from cells
  union all select list, key, -1, sum(n) from cells group by list, key
  union all ${counting('blocks').map(byStretch).join(' union all ')}
  union all ${counting('total').map(inAll).join(' union all ')}`

const differing = `
  with counted (list, key, block, n) as (${countedRanks})
  select 'ranks' as "table", 'n' as "column", list || ' ' || key || ' ' || block as row, kept, counted from (
    select list, key, block, sum(kept) as kept, sum(counted) as counted from (
      select list, key, block, n as kept, 0 as counted from ranks
      union all select list, key, block, 0, n from counted)
    group by list, key, block)
  where kept <> counted limit ?`
