import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** How far the ids of each table move. */
export type Shifts = ReadonlyMap<string, number>

interface Copy {
  readonly from: Database
  readonly to: Database
  readonly table: string
  readonly shifts: Shifts
  /** The first id that is copied. */
  readonly least: number
}

/** Copies the rows of a table from one database into another, their ids and those they refer to shifted. */
export function* copyRows(
  { from, to, table, shifts, least }: Copy,
  isOver: () => boolean,
  onProgress: (rows: number) => void,
): Generator<void> {
  const columns = columnsOf(to, table)
  const shiftOf = columns.map((column) => shifts.get(column === 'id' ? table : (referred[column] ?? '')) ?? 0)
  const where = columns.includes('id') ? 'where id >= ?1 order by id' : 'where ?1 >= 0'
  const insert = to.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  let rows = 0
  // Prepared for this once: a statement that is kept would be under way still after a failure.
  const select = from.prepare<Record<string, SQLQueryBindings>, [number]>(
    `select ${columns.join(', ')} from ${table} ${where}`,
  )
  for (const row of select.iterate(least)) {
    insert.run(...columns.map((column, at) => shifted(row[column] ?? null, shiftOf[at] ?? 0)))
    rows += 1
    if (rows % 1000 === 0) onProgress(rows)
    if (isOver()) yield
  }
  select.finalize()
}

const shifted = (value: SQLQueryBindings, by: number): SQLQueryBindings =>
  typeof value === 'number' ? value + by : value

/** The table whose ids a column holds. */
const referred: Readonly<Record<string, string>> = {
  user_id: 'users',
  follower_id: 'users',
  followed_id: 'users',
  muted_id: 'users',
  actor_id: 'users',
  record_id: 'records',
  review_id: 'reviews',
  activity_id: 'activities',
  like_id: 'likes',
  follow_id: 'follows',
}

/** Generated columns are not among them. */
const columnsOf = (handle: Database, table: string): string[] =>
  handle
    .query<{ name: string }, [string]>('select name from pragma_table_info(?) order by cid')
    .all(table)
    .map(({ name }) => name)
