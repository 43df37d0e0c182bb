import { type Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite'

/** How many rows of a table were copied, and whether some were lost. */
export interface Salvaged {
  readonly name: string
  readonly rows: number
  readonly lost: boolean
}

type Value = SQLQueryBindings
type SalvagedRow = Record<string, Value>
type Keep = (row: SalvagedRow) => void

/** Copies the columns that a table has in both databases, working around unreadable pages. */
export function copyRows(source: Database, target: Database, name: string): Salvaged {
  const columns = sharedColumns(source, target, name)
  if (columns.length === 0) return { name, rows: 0, lost: true }
  const list = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map(() => '?').join(', ')
  const insert = target.query(`insert or ignore into "${name}" (${list}) values (${values})`)
  let rows = 0
  const keep = (row: SalvagedRow) => {
    rows += insert.run(...columns.map((column) => row[column] ?? null)).changes
  }
  const select = `select ${hasRowid(target, name) ? 'rowid as " rowid", ' : ''}${list} from "${name}"`
  const copy = target.transaction(() =>
    hasRowid(target, name)
      ? copyRange(source, select, keep)
      : copyFromEnds(source, select, keep, primaryKeyOf(target, name)),
  )
  const lost = !copy()
  return { name, rows, lost }
}

/** Reads a range from both ends up to the damage, then the halves of the gap. Returns whether everything was read. */
function copyRange(
  source: Database,
  select: string,
  keep: Keep,
  [low, high]: readonly [number, number] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  depth = 0,
): boolean {
  let [first, last] = [low, high]
  const note = (change: (id: number) => void) => (row: SalvagedRow) => {
    change(Number(row[' rowid']))
    keep(row)
  }
  const where = 'where rowid between ? and ? order by rowid'
  if (
    readAll(
      source.query(`${select} ${where}`).iterate(low, high),
      note((id) => (first = id + 1)),
    )
  )
    return true
  readAll(
    source.query(`${select} ${where} desc`).iterate(first, high),
    note((id) => (last = id - 1)),
  )
  if (depth < deepest && last - first > 1) {
    const middle = Math.floor((first + last) / 2)
    for (const half of [
      [first, middle],
      [middle + 1, last],
    ] as const)
      copyRange(source, select, keep, half, depth + 1)
  }
  return false
}

/** Below a damaged root page nothing can be read, however often one tries. */
const deepest = 10

function copyFromEnds(source: Database, select: string, keep: Keep, key: readonly string[]): boolean {
  const order = (direction: string) => key.map((column) => `"${column}" ${direction}`).join(', ')
  if (readAll(source.query(`${select} order by ${order('asc')}`).iterate(), keep)) return true
  readAll(source.query(`${select} order by ${order('desc')}`).iterate(), keep)
  return false
}

/** Reads until the end or until damage; returns whether it reached the end. */
function readAll(rows: Iterable<unknown>, keep: Keep): boolean {
  try {
    for (const row of rows) keep(row as SalvagedRow)
    return true
  } catch (cause) {
    if (isDamage(cause)) return false
    throw cause
  }
}

/** Empty if the schema of the source cannot be read. */
function sharedColumns(source: Database, target: Database, name: string): readonly string[] {
  try {
    const there = new Set(columnsOf(source, name).map((column) => column.name))
    return columnsOf(target, name).flatMap((column) => (there.has(column.name) ? [column.name] : []))
  } catch (cause) {
    if (isDamage(cause)) return []
    throw cause
  }
}

const isDamage = (cause: unknown) =>
  cause instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(cause.code ?? '')

const primaryKeyOf = (handle: Database, name: string): readonly string[] =>
  columnsOf(handle, name)
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map((column) => column.name)

const columnsOf = (handle: Database, name: string) =>
  handle.query<{ name: string; pk: number }, []>(`pragma table_info("${name}")`).all()

const hasRowid = (handle: Database, name: string): boolean =>
  handle.query('select 1 from pragma_table_list where name = ? and wr = 0').all(name).length > 0
