import { sql } from 'kysely'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import { blockSize } from '../db/row-counts'
import type { Direction } from './query-plan'

/** Where the n-th row is (rank/select): a block of ids under a key, and how many of its rows to skip. */
export interface RowPlace {
  readonly key: number
  /** Ids of the block; `before` is exclusive. */
  readonly from: number
  readonly before: number
  readonly skip: number
}

interface CountCell {
  readonly at: number
  readonly n: number
}

/** `lists`: a JSON array of lists in `row_counts`. */
interface CountedLists {
  readonly lists: string
  readonly key: number
}

/** Ordered by id (D14): adds up a counter per 4,096 ids. Undefined after the last row, 'uncounted' without counters. */
export async function placeById(read: Read, counted: CountedLists, direction: Direction, offset: number) {
  const cells = await blocks(read, { ...counted })
  return cells.length === 0 ? 'uncounted' : placeIn(cells, counted.key, direction, offset)
}

/** For rows ordered by a key, then by id: finds the key first, then the place in it. */
export async function placeByKey(read: Read, lists: string, direction: Direction, offset: number) {
  const cells = await keys(read, { lists })
  if (cells.length === 0) return 'uncounted'
  const key = cellAtOffset(cells, direction, offset)
  if (key === undefined) return undefined
  return placeIn(await blocks(read, { lists, key: key.at }), key.at, 'asc', key.skip)
}

function placeIn(
  cells: readonly CountCell[],
  key: number,
  direction: Direction,
  offset: number,
): RowPlace | undefined {
  const block = cellAtOffset(cells, direction, offset)
  if (block === undefined) return undefined
  return { key, from: block.at * blockSize, before: (block.at + 1) * blockSize, skip: block.skip }
}

/** The cell with the row at `offset`, and the rows to skip in it. `cells` are in ascending order. */
function cellAtOffset(cells: readonly CountCell[], direction: Direction, offset: number) {
  let skip = offset
  for (const { at, n } of direction === 'asc' ? cells : cells.toReversed()) {
    if (skip < n) return { at, skip }
    skip -= n
  }
  return undefined
}

const blocks = prepared<CountCell, { lists: string; key: number }>((read, slot) =>
  read
    .selectFrom('row_counts')
    .select(['block as at', sql<number>`sum(n)`.as('n')])
    .where('list', 'in', sql<string>`(select value from json_each(${slot('lists')}))`)
    .where('key', '=', slot('key'))
    .where('block', '>=', 0)
    .groupBy('block')
    .orderBy('block'),
)

// `indexed by`, because the planner's skip-scan of all cells takes two hundred times as long.
const keys = prepared<CountCell, { lists: string }>((read, slot) =>
  read
    .selectFrom(
      sql<CountCell>`(
        select key as at, sum(n) as n from row_counts indexed by row_counts_keys
        where list in (select value from json_each(${slot('lists')})) and block = -1 group by key)`.as(
        'keys',
      ),
    )
    .select(['at', 'n'])
    .orderBy('at'),
)
