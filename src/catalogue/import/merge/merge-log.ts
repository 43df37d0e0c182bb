import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** What a merge or a split does to rows, in its order (D97). A merge by a file keeps none. */
export interface MergeLog {
  /** Runs a change of the rows that `where` chooses before or after it, which may insert or delete some. */
  changing<T>(rows: ChosenRows, change: () => T): T
  /** Runs a change of `column` from one row to another for rows that `keys` name; those that did not go over are not logged. */
  moving(rows: MovedRows, change: () => void): void
}

export interface ChosenRows {
  readonly table: string
  /** SQL. */
  readonly where: string
  readonly values: readonly SQLQueryBindings[]
}

export interface MovedRows {
  readonly table: string
  readonly column: string
  readonly from: number
  readonly to: number
  /** SQL that chooses them by other columns than `column`, and its values. */
  readonly where: string
  readonly values: readonly SQLQueryBindings[]
}

export const noLog: MergeLog = {
  changing: (_, change) => change(),
  moving: (_, change) => change(),
}

/** A row as JSON, by column. */
export type WholeRow = Readonly<Record<string, string | number | null>>

/** Of one row: null for before it was inserted, or after it was deleted. */
export type RowChange = readonly [before: WholeRow | null, after: WholeRow | null]

/** Writes to `catalogue_moves`, in the transaction of each change. */
export class KeptMergeLog implements MergeLog {
  readonly #layouts = new Map<string, TableLayout>()

  constructor(
    private readonly handle: Database,
    /** The id of a row of `catalogue_changes`, which may be written with what is logged first. */
    private readonly change: () => number,
  ) {}

  changing<T>({ table, where, values }: ChosenRows, change: () => T): T {
    const layout = this.#layoutOf(table)
    const select = this.handle.query<WholeRow, SQLQueryBindings[]>(`select * from ${table} where ${where}`)
    const before = select.all(...values)
    const result = change()
    const after = new Map(select.all(...values).map((row) => [layout.nameOf(row), row]))
    const changes = before.flatMap((row): RowChange[] => {
      const name = layout.nameOf(row)
      const now = after.get(name) ?? this.#rowLike(layout, row)
      after.delete(name)
      return now !== null && layout.isSame(row, now) ? [] : [[row, now]]
    })
    this.#write(layout, [...changes, ...[...after.values()].map((row): RowChange => [null, row])])
    return result
  }

  moving({ table, column, from, to, where, values }: MovedRows, change: () => void): void {
    const { key } = this.#layoutOf(table)
    const others = key.filter((name) => name !== column)
    const select = this.handle.query<never, SQLQueryBindings[]>(
      `select json_array(${others.join(', ')}) from ${table} where ${column} = ? and ${where}`,
    )
    const keysOf = (id: number) => select.values(id, ...values).map(([one]) => String(one))
    const there = new Set(keysOf(from))
    change()
    for (const one of keysOf(from)) there.delete(one)
    if (there.size === 0) return
    this.#insert.run(this.change(), null, table, column, from, to, `[${[...there].join(',')}]`, '[]')
  }

  /** Rows of one person are by themselves, so that they go with the account; so that no step of an undo is long, others are few. */
  #write({ table, isOwned }: TableLayout, changes: readonly RowChange[]): void {
    const atOnce = isOwned ? 1 : mostTogether
    for (let start = 0; start < changes.length; start += atOnce) {
      const some = changes.slice(start, start + atOnce)
      const owner = isOwned ? ((some[0]?.[0] ?? some[0]?.[1])?.user_id ?? null) : null
      this.#insert.run(this.change(), owner, table, '', 0, 0, '[]', JSON.stringify(some))
    }
  }

  get #insert() {
    return this.handle.query(`
      insert into catalogue_moves (change_id, user_id, table_name, column_name, from_id, to_id, keys, rows)
      values (?, ?, ?, ?, ?, ?, ?, ?)`)
  }

  #rowLike({ table, key }: TableLayout, row: WholeRow): WholeRow | null {
    const isSame = key.map((name) => `${name} = ?`).join(' and ')
    return this.handle
      .query<WholeRow, SQLQueryBindings[]>(`select * from ${table} where ${isSame}`)
      .get(...key.map((name) => row[name] ?? null))
  }

  #layoutOf(table: string): TableLayout {
    const known = this.#layouts.get(table) ?? new TableLayout(this.handle, table)
    this.#layouts.set(table, known)
    return known
  }
}

const mostTogether = 100

/** The columns of a table, as they matter to a log and an undo. */
export class TableLayout {
  /** Those that identify a row. */
  readonly key: readonly string[]
  /** Whether its rows are a person's. */
  readonly isOwned: boolean
  readonly columns: readonly string[]

  constructor(
    handle: Database,
    readonly table: string,
  ) {
    const columns = handle
      .query<{ name: string; pk: number; hidden: number }, [string]>('select * from pragma_table_xinfo(?)')
      .all(table)
    // 2 and 3 are generated ones.
    this.columns = columns.filter(({ hidden }) => hidden < 2).map(({ name }) => name)
    this.key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
    this.isOwned = this.columns.includes('user_id')
  }

  nameOf(row: WholeRow): string {
    return JSON.stringify(this.key.map((name) => row[name]))
  }

  /** The columns of a row that something set, and not a trigger. */
  set(row: WholeRow): [string, string | number | null][] {
    return this.columns.flatMap((name) =>
      isMaintained(name) || row[name] === undefined ? [] : [[name, row[name]]],
    )
  }

  isSame(one: WholeRow, other: WholeRow): boolean {
    return this.set(one).every(([name, value]) => other[name] === value)
  }
}

const isMaintained = (column: string) =>
  column === 'version' || column === 'withheld' || column.endsWith('_count')
