import type { Database } from 'bun:sqlite'
import type { Drift } from './recount'

/** Rows that a list of `ranks` counts: of which table, under which list and key (SQL about a row), and whether by block too. */
interface Ranked {
  readonly table: string
  readonly list: string
  readonly key: string
  readonly blocks: boolean
}

const byBlock = (table: string, list: string, key = '0'): Ranked => ({ table, list, key, blocks: true })
const total = (table: string, list: string, key: string): Ranked => ({ table, list, key, blocks: false })

/** A list of rows, the same split by whether they have text, and both by likes. */
const flagged = (table: string, text: string): readonly Ranked[] => {
  const split = `iif(${text} <> '', '${table}+${text}', '${table}-${text}')`
  return [`'${table}'`, split].flatMap((list) => [
    byBlock(table, list),
    byBlock(table, `${list} || ' by likes_count'`, 'likes_count'),
  ])
}

const everyRank: readonly Ranked[] = [
  ...flagged('records', 'comment'),
  total('records', `'records by user'`, 'user_id'),
  total('records', `'records by work'`, 'work_id'),
  ...flagged('reviews', 'body'),
  total('reviews', `'reviews by user'`, 'user_id'),
  byBlock('activities', `'activities'`),
  byBlock('activities', `'activities=' || action`),
  total('activities', `'activities by user'`, 'user_id'),
  byBlock('follows', `'follows'`),
  byBlock('users', `'users'`),
]

/** The cells of `ranks` that differ from a recount, at most `limit` of them; a cell that is not there is 0. */
export function findRankDrift(handle: Database, limit: number): readonly Drift[] {
  return handle.query<Drift, [number]>(differing).all(limit)
}

/** Counts every cell of `ranks` anew. */
export function refillRanks(handle: Database): void {
  handle.run('delete from ranks')
  handle.run(`insert into ranks (list, key, block, n) ${counted}`)
}

const cells = ({ table, list, key, blocks }: Ranked) =>
  (blocks ? ['id >> 12', '-1'] : ['-1']).map(
    (block) => `select ${list}, ${key}, ${block}, count(*) from ${table} group by 1, 2, 3`,
  )

const counted = everyRank.flatMap(cells).join(' union all ')

const differing = `
  with counted (list, key, block, n) as (${counted})
  select 'ranks' as "table", 'n' as "column", list || ' ' || key || ' ' || block as row, kept, counted from (
    select list, key, block, sum(kept) as kept, sum(counted) as counted from (
      select list, key, block, n as kept, 0 as counted from ranks
      union all select list, key, block, 0, n from counted)
    group by list, key, block)
  where kept <> counted limit ?`
