import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { numbersOf } from '../../numbers-of'
import type { Cell } from '../kinds/cells'
import { type Kind, placeOf } from '../kinds/field'

/** `cells` are in the order of the kind's fields. */
export interface Stored {
  readonly cells: readonly Cell[]
  readonly hidden: number
  readonly sourceId: number
  /** For each column whose source is not the row's `sourceId`, that source. */
  readonly owners: Readonly<Record<string, number>>
}

export class CatalogueTables {
  readonly #handle: Database
  readonly #statements = new Map<Kind, Statements>()

  constructor(handle: Database) {
    this.#handle = handle
  }

  read(kind: Kind, id: number): Stored | undefined {
    const [row] = this.#of(kind).read.values(id)
    if (row === undefined) return undefined
    const [hidden, sourceId, owners, ...cells] = row
    return {
      cells: cells.map(asCell),
      hidden: Number(hidden),
      sourceId: Number(sourceId),
      owners: JSON.parse(String(owners)),
    }
  }

  /** Inserts a row, visible if its work is; null takes the next free id. Returns the id. */
  insert(kind: Kind, id: number | null, { cells, sourceId, owners }: Omit<Stored, 'hidden'>): number {
    return Number(this.#of(kind).insert.run(id, sourceId, ownersText(owners), ...cells).lastInsertRowid)
  }

  /** `changed`: whether users can see a difference. */
  update(kind: Kind, id: number, { cells, hidden, sourceId, owners }: Stored, changed: boolean): void {
    this.#of(kind).update.run(id, sourceId, ownersText(owners), Number(changed), hidden & 1, ...cells)
  }

  /** Whether a row has the id, or a redirect leads from it (D67). */
  isTaken(kind: Kind, id: number): boolean {
    return this.#of(kind).taken.values(id).length > 0
  }

  /** A handful of rows with these values in these columns, oldest first. */
  alike({ table, likenessOf = 'true' }: Kind, columns: readonly string[], cells: readonly Cell[]): number[] {
    const conditions = columns.map((column) => `${column} is ?`).join(' and ')
    return numbersOf(
      this.#handle,
      `select id from ${table} where ${conditions} and hidden & 1 = 0 and ${likenessOf} order by id limit 10`,
      ...cells,
    )
  }

  worksWith({ table, likenessOf = 'true' }: Kind): Set<number> {
    return new Set(numbersOf(this.#handle, `select distinct work_id from ${table} where ${likenessOf}`))
  }

  episodesOf(work: number): number {
    return numbersOf(this.#handle, 'select episodes_count from works where id = ?', work)[0] ?? 0
  }

  #of(kind: Kind): Statements {
    const prepared = this.#statements.get(kind) ?? prepare(this.#handle, kind)
    this.#statements.set(kind, prepared)
    return prepared
  }
}

type Statements = ReturnType<typeof prepare>

const prepare = (handle: Database, kind: Kind) => ({
  read: handle.query<never, [number]>(readSql(kind)),
  insert: handle.query<never, SQLQueryBindings[]>(insertSql(kind)),
  update: handle.query<never, SQLQueryBindings[]>(updateSql(kind)),
  taken: handle.query<never, [number]>(`
    select 1 from ${kind.table} where id = ?1
    union all select 1 from redirects where kind = '${kind.name}' and from_id = ?1`),
})

const readSql = ({ table, fields }: Kind) =>
  `select hidden, source_id, owners, ${fields.map(({ column }) => column).join(', ')} from ${table} where id = ?`

function insertSql(kind: Kind): string {
  const slot = (column: string) => `?${placeOf(kind, column) + 4}`
  const columns = kind.fields.map(({ column }) => column)
  const values = kind.fields.map(({ column, otherwise }) => {
    const other = otherwise?.replace(/{(\w+)}/g, (_, name: string) => slot(name))
    return other === undefined ? slot(column) : `ifnull(nullif(${slot(column)}, ''), ${other})`
  })
  const hidden = kind.inWork === true ? `(select hidden * 2 from works where id = ${slot('work_id')})` : '0'
  return `insert into ${kind.table} (id, source_id, owners, hidden, ${columns.join(', ')})
    values (?1, ?2, ?3, ${hidden}, ${values.join(', ')})`
}

function updateSql(kind: Kind): string {
  const slot = (column: string) => `?${placeOf(kind, column) + 6}`
  const columns = kind.fields.map(({ column }) => `${column} = ${slot(column)}`)
  const ofWork = kind.inWork === true ? ` | (select hidden * 2 from works where id = ${slot('work_id')})` : ''
  return `update ${kind.table} set source_id = ?2, owners = ?3, version = version + ?4, hidden = ?5${ofWork},
    ${columns.join(', ')} where id = ?1`
}

const asCell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' ? value : null

const ownersText = (owners: Stored['owners']) => {
  for (const _ in owners) return JSON.stringify(owners)
  return '{}'
}
