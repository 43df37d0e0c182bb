import { sql } from 'kysely'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import { blockSize } from '../db/row-counts'
import type { Direction } from './query-plan'

/** Where the n-th row of a list lies: in the stretch of a key that begins at an id, so many rows further. */
export interface Place {
  readonly key: number
  /** The stretch's ids: at least `from` going up, below `before` going down. */
  readonly from: number
  readonly before: number
  readonly skip: number
}

interface Cell {
  readonly at: number
  readonly n: number
}

/** What is counted: lists of `row_counts` as JSON, and the key all of their rows have. */
interface Counted {
  readonly lists: string
  readonly key: number
}

/**
 * Finds the row at `offset` among the rows that are counted, ordered by id (D14). Adds up one number per 4,096 ids.
 * Undefined where there are not as many rows; 'uncounted' where there is no such number.
 */
export async function placeById(read: Read, counted: Counted, direction: Direction, offset: number) {
  const cells = await blocks(read, { ...counted })
  return cells.length === 0 ? 'uncounted' : placeIn(cells, counted.key, direction, offset)
}

/** The same for rows ordered by a key and then by id, going up: first the key is found, then the place in it. */
export async function placeByKey(read: Read, lists: string, direction: Direction, offset: number) {
  const cells = await keys(read, { lists })
  if (cells.length === 0) return 'uncounted'
  const key = cellAtOffset(cells, direction, offset)
  if (key === undefined) return undefined
  return placeIn(await blocks(read, { lists, key: key.at }), key.at, 'asc', key.skip)
}

function placeIn(
  cells: readonly Cell[],
  key: number,
  direction: Direction,
  offset: number,
): Place | undefined {
  const block = cellAtOffset(cells, direction, offset)
  if (block === undefined) return undefined
  return { key, from: block.at * blockSize, before: (block.at + 1) * blockSize, skip: block.skip }
}

/** The cell that holds the row at `offset`, and how many rows into it that is. `cells` go up. */
function cellAtOffset(cells: readonly Cell[], direction: Direction, offset: number) {
  let skip = offset
  for (const { at, n } of direction === 'asc' ? cells : cells.toReversed()) {
    if (skip < n) return { at, skip }
    skip -= n
  }
  return undefined
}

const blocks = prepared<Cell, { lists: string; key: number }>((read, slot) =>
  read
    .selectFrom('row_counts')
    .select(['block as at', sql<number>`sum(n)`.as('n')])
    .where('list', 'in', sql<string>`(select value from json_each(${slot('lists')}))`)
    .where('key', '=', slot('key'))
    .where('block', '>=', 0)
    .groupBy('block')
    .orderBy('block'),
)

// By its name: the planner would rather skip through every cell of the list, two hundred times as long.
const keys = prepared<Cell, { lists: string }>((read, slot) =>
  read
    .selectFrom(
      sql<Cell>`(
        select key as at, sum(n) as n from row_counts indexed by row_counts_keys
        where list in (select value from json_each(${slot('lists')})) and block = -1 group by key)`.as(
        'keys',
      ),
    )
    .select(['at', 'n'])
    .orderBy('at'),
)
