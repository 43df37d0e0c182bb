import type { Database } from 'bun:sqlite'
import { type BlockList, blockLists, isKnownCell, type KeyList, keyLists } from './rank-lists'
import type { Drift } from './recount'
import { noRest } from './rest'

/**
 * A part of `ranks` that is counted by one short statement: the cells that are kept and those that counting gives, both
 * as queries of a list, a key, a block and a number. Compared within one statement they are of the same moment.
 */
export interface RankSlice {
  readonly kept: string
  readonly counted: string
}

/** Every cell of `ranks`, in slices of some 20,000 counted rows; one key may have more. */
export function* rankSlices(handle: Database): Generator<RankSlice> {
  for (const list of blockLists) {
    yield* slicesByBlock(handle, list)
    yield sumOfBlocks(list)
  }
  for (const list of keyLists) {
    yield* slicesByKey(handle, list)
    yield* splitSlices(handle, list)
  }
  yield { kept: `${cells} where not (${isKnownCell})`, counted: none }
}

/** The cells of a slice that differ from a recount, at most `limit` of them; a cell that is not there is 0. */
export function driftIn(handle: Database, slice: RankSlice, limit: number): readonly Drift[] {
  // Not kept prepared: there are thousands of them.
  using statement = handle.prepare<Drift, [number]>(
    `select 'ranks' as "table", 'n' as "column", list || ' ' || key || ' ' || block as row, kept, counted
     from (${differing(slice)}) limit ?`,
  )
  return statement.all(limit)
}

/** Sets the cells of a slice to what counting gives. The caller has begun a transaction. */
export function setSlice(handle: Database, slice: RankSlice): void {
  // Materialized, as it reads what is about to change.
  handle.run(`
    with wrong as materialized (${differing(slice)})
    insert or replace into ranks (list, key, block, n) select list, key, block, counted from wrong where counted > 0`)
  handle.run(`
    with wrong as materialized (${differing(slice)})
    delete from ranks where (list, key, block) in (select list, key, block from wrong where counted = 0)`)
}

/** The cells of `ranks` that differ from a recount, at most `limit` of them. */
export function findRankDrift(handle: Database, limit: number, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const slice of rankSlices(handle)) {
    found.push(...driftIn(handle, slice, limit - found.length))
    rest()
  }
  return found
}

const differing = ({ kept, counted }: RankSlice) => `
  select list, key, block, kept, counted from (
    select list, key, block, sum(kept) as kept, sum(counted) as counted from (
      select list, key, block, n as kept, 0 as counted from (${kept})
      union all select list, key, block, 0, n from (${counted}))
    group by list, key, block)
  where kept <> counted`

const cells = 'select list, key, block, n from ranks'
const none = `select '' as list, 0 as key, 0 as block, 0 as n where false`

function* slicesByBlock(handle: Database, { table, lists, list, key, where = 'true' }: BlockList) {
  const last = Number(handle.query(`select ifnull(max(id) >> 12, 0) from ${table}`).values()[0]?.[0])
  for (let block = 0; block <= last; block += blocksAtOnce) {
    // The last one holds all that follows, also cells of rows that never were.
    const end = block + blocksAtOnce > last ? 2 ** 40 : block + blocksAtOnce
    yield {
      kept: `${cells} where ${lists} and block >= ${block} and block < ${end}`,
      counted: `
        select ${list} as list, ${key} as key, id >> 12 as block, count(*) as n from ${table}
        where id >= ${block * 4096} and id < ${end * 4096} and ${where} group by 1, 2, 3`,
    }
  }
}

const sumOfBlocks = ({ lists }: BlockList): RankSlice => ({
  kept: `${cells} where ${lists} and block = -1`,
  counted: `select list, key, -1 as block, sum(n) as n from ranks where ${lists} and block >= 0 group by list, key`,
})

function* slicesByKey(handle: Database, { table, list, column }: KeyList): Generator<RankSlice> {
  const boundary = handle.query<{ last: number | null; n: number }, [number]>(`
    select max(key) as last, count(*) as n from (
      select ${column} as key from ${table} where ${column} >= ? order by 1 limit ${rowsAtOnce})`)
  for (let from = 0; ; ) {
    const { last, n } = boundary.all(from)[0] ?? { last: null, n: 0 }
    const to = n < rowsAtOnce || last === null ? 2 ** 53 : last
    yield {
      kept: `${cells} where list = '${list}' and block = -1 and key between ${from} and ${to}`,
      // Grouped by a column alone, they are counted from its index.
      counted: `
        select '${list}' as list, ${column} as key, -1 as block, count(*) as n from ${table}
        where ${column} between ${from} and ${to} group by ${column}`,
    }
    if (to === 2 ** 53) return
    from = to + 1
  }
}

/** The keys with 2,048 rows and more, and those that are split although they have fewer. */
function* splitSlices(handle: Database, { table, list, column, splits }: KeyList): Generator<RankSlice> {
  const likesLists = `${list} * by likes_count`
  const keys = handle.query<{ key: number }, []>(`
    select ${column} as key from ${table} where ${splits !== 'never'} group by 1 having count(*) >= 2048
    union select key from ranks where list = '${list}' and block >= 0
    union select cast(substr(list, ${list.length + 2}) as integer) from ranks where list glob '${likesLists}'`)
  for (const { key } of keys.all()) yield splitSlice({ table, list, column, splits }, key)
}

function splitSlice({ table, list, column, splits }: KeyList, key: number): RankSlice {
  const byLikes = `${list} ${key} by likes_count`
  const rows = `from ${table} where ${column} = ${key}
    and (select count(*) from ${table} where ${column} = ${key}) >= 2048`
  const likes = `
    union all select '${byLikes}', likes_count, id >> 12, count(*) ${rows} group by 2, 3
    union all select '${byLikes}', likes_count, -1, count(*) ${rows} group by 2`
  const blocks = `select '${list}' as list, ${key} as key, id >> 12 as block, count(*) as n ${rows} group by 3`
  return {
    kept: `${cells} where list = '${list}' and key = ${key} and block >= 0 or list = '${byLikes}'`,
    counted: splits === 'never' ? none : `${blocks}${splits === 'by likes' ? likes : ''}`,
  }
}

const blocksAtOnce = 4
const rowsAtOnce = 20_000
