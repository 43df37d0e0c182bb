import type { Database } from 'bun:sqlite'
import {
  blockBits,
  type CountedList,
  countedLists,
  type KeyedList,
  keyedLists,
  splitFrom,
} from '../../../db/facts/row-counts'
import { numbersOf } from '../numbers-of'

/** A part of `row_counts` small enough for one short statement: its stored and its recounted (list, key, block, n). */
export interface Slice {
  readonly kept: string
  readonly counted: string
}

/** All of `row_counts` in slices of about 20,000 counted rows; a single key may have more. */
export function* slices(handle: Database): Generator<Slice> {
  for (const list of countedLists) {
    if (list.blocks) yield* slicesByBlock(handle, list)
    yield totalsOf(list)
  }
  for (const list of keyedLists) {
    yield* slicesByKey(handle, list)
    yield* splitSlices(handle, list)
  }
  yield { kept: `${cells} where not (${isKnownCell()})`, counted: none }
}

const cells = 'select list, key, block, n from row_counts'
const none = `select '' as list, 0 as key, 0 as block, 0 as n where false`

function* slicesByBlock(handle: Database, { table, lists, list, key, ...which }: CountedList) {
  const [last = 0] = numbersOf(handle, `select ifnull(max(id) >> ${blockBits}, 0) from ${table}`)
  for (let block = 0; block <= last; block += blocksAtOnce) {
    // The last slice is open-ended, to catch cells of rows that never existed.
    const end = block + blocksAtOnce > last ? 2 ** 40 : block + blocksAtOnce
    yield {
      kept: `${cells} where ${inLists(lists)} and block >= ${block} and block < ${end}`,
      counted: `
        select ${list} as list, ${key ?? 0} as key, id >> ${blockBits} as block, count(*) as n from ${table} as row
        where id >= ${block * 2 ** blockBits} and id < ${end * 2 ** blockBits} and ${isCounted(which)} group by 1, 2, 3`,
    }
  }
}

/** Totals of a list: the sums of its blocks if it has any. */
function totalsOf({ table, lists, list, key, blocks, ...which }: CountedList): Slice {
  const counted = blocks
    ? `select list, key, -1 as block, sum(n) as n from row_counts where ${inLists(lists)} and block >= 0 group by list, key`
    : `select ${list} as list, ${key ?? 0} as key, -1 as block, count(*) as n from ${table} as row
       where ${isCounted(which)} group by 1, 2`
  return { kept: `${cells} where ${inLists(lists)} and block ${blocks ? '= -1' : '>= -1'}`, counted }
}

const isKnownCell = () =>
  [
    `${inLists(countedLists.flatMap(({ lists }) => lists))} and block >= -1`,
    ...keyedLists.map(({ list }) => `list = '${list}'`),
    ...keyedLists.map(({ list }) => `list glob '${list} [0-9]* by likes_count'`),
  ].join(' or ')

const inLists = (lists: readonly string[]) => `list in (${lists.map((name) => `'${name}'`).join(', ')})`

const isCounted = ({ where = 'true', unless }: Pick<CountedList, 'where' | 'unless'>) =>
  unless === undefined ? where : `${where} and row.id not in (select ${unless.by} from ${unless.table})`

function* slicesByKey(handle: Database, { table, list, by }: KeyedList): Generator<Slice> {
  const boundary = handle.query<{ last: number | null; n: number }, [number]>(`
    select max(key) as last, count(*) as n from (
      select ${by} as key from ${table} where ${by} >= ? order by 1 limit ${rowsAtOnce})`)
  for (let from = 0; ; ) {
    const { last, n } = boundary.all(from)[0] ?? { last: null, n: 0 }
    const to = n < rowsAtOnce || last === null ? 2 ** 53 : last
    yield {
      kept: `${cells} where list = '${list}' and block = -1 and key between ${from} and ${to}`,
      // Grouping by this column alone lets SQLite use its index.
      counted: `
        select '${list}' as list, ${by} as key, -1 as block, count(*) as n from ${table}
        where ${by} between ${from} and ${to} group by ${by}`,
    }
    if (to === 2 ** 53) return
    from = to + 1
  }
}

/** Keys with enough rows to be split, and keys already split. */
function* splitSlices(handle: Database, keyed: KeyedList): Generator<Slice> {
  const { table, list, by } = keyed
  const likesLists = `${list} * by likes_count`
  const keys = handle.query<{ key: number }, []>(`
    select ${by} as key from ${table} group by 1 having count(*) >= ${splitFrom}
    union select key from row_counts where list = '${list}' and block >= 0
    union select cast(substr(list, ${list.length + 2}) as integer) from row_counts where list glob '${likesLists}'`)
  for (const { key } of keys.all()) yield splitSlice(keyed, key)
}

function splitSlice({ table, list, by, byLikes }: KeyedList, key: number): Slice {
  const likesList = `${list} ${key} by likes_count`
  const rows = `from ${table} where ${by} = ${key}
    and (select count(*) from ${table} where ${by} = ${key}) >= ${splitFrom}`
  const likes = `
    union all select '${likesList}', likes_count, id >> ${blockBits}, count(*) ${rows} group by 2, 3
    union all select '${likesList}', likes_count, -1, count(*) ${rows} group by 2`
  const blocks = `select '${list}' as list, ${key} as key, id >> ${blockBits} as block, count(*) as n ${rows} group by 3`
  return {
    kept: `${cells} where list = '${list}' and key = ${key} and block >= 0 or list = '${likesList}'`,
    counted: `${blocks}${byLikes ? likes : ''}`,
  }
}

const blocksAtOnce = 4
const rowsAtOnce = 20_000
