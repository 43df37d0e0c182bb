import type { Database, SQLQueryBindings } from 'bun:sqlite'
import type { Cell } from './cells'
import type { Kind } from './field'

/** A row as it is stored: its kind's columns in the order of the fields, and what every catalogue row has. */
export interface Stored {
  readonly cells: readonly Cell[]
  readonly hidden: number
  readonly sourceId: number
  /** The source of each field that is not the row's own source's, by column. */
  readonly owners: Readonly<Record<string, number>>
}

/** Reads and writes single rows of any kind. */
export class Tables {
  readonly #handle: Database

  constructor(handle: Database) {
    this.#handle = handle
  }

  read({ table, fields }: Kind, id: number): Stored | undefined {
    const columns = fields.map(({ column }) => column)
    const [row] = this.#handle
      .query<never, [number]>(
        `select hidden, source_id, owners, ${columns.join(', ')} from ${table} where id = ?`,
      )
      .values(id)
    if (row === undefined) return undefined
    const [hidden, sourceId, owners, ...cells] = row
    return {
      cells: cells.map(asCell),
      hidden: Number(hidden),
      sourceId: Number(sourceId),
      owners: JSON.parse(String(owners)),
    }
  }

  /** Makes a row, shown if its work is; with the next free id where `id` is null. Returns the id. */
  insert(kind: Kind, id: number | null, { cells, sourceId, owners }: Omit<Stored, 'hidden'>): number {
    const { lastInsertRowid } = this.#handle
      .query<never, SQLQueryBindings[]>(insertSql(kind))
      .run(id, sourceId, ownersText(owners), ...cells)
    return Number(lastInsertRowid)
  }

  /** Writes all of a row; `changed` says whether any reader can see a difference. */
  update(kind: Kind, id: number, { cells, hidden, sourceId, owners }: Stored, changed: boolean): void {
    this.#handle
      .query<never, SQLQueryBindings[]>(updateSql(kind))
      .run(id, sourceId, ownersText(owners), Number(changed), hidden & 1, ...cells)
  }

  exists({ table }: Kind, id: number): boolean {
    return this.#handle.query(`select 1 from ${table} where id = ?`).values(id).length > 0
  }

  /** The rows a line may be recognized in that have these values in these columns, oldest first; a handful is enough. */
  alike({ table, likenessOf = 'true' }: Kind, columns: readonly string[], cells: readonly Cell[]): number[] {
    const conditions = columns.map((column) => `${column} is ?`).join(' and ')
    return this.#handle
      .query<never, Cell[]>(
        `select id from ${table} where ${conditions} and hidden & 1 = 0 and ${likenessOf} order by id limit 10`,
      )
      .values(...cells)
      .map(([id]) => Number(id))
  }

  /** The works that have rows a line may be recognized in. */
  worksWith({ table, likenessOf = 'true' }: Kind): Set<number> {
    const works = this.#handle
      .query<never, []>(`select distinct work_id from ${table} where ${likenessOf}`)
      .values()
    return new Set(works.map(([id]) => Number(id)))
  }
}

function insertSql(kind: Kind): string {
  return remembered(inserts, kind, () => {
    const columns = kind.fields.map(({ column }) => column)
    const slots = columns.map((_, at) => `?${at + 4}`)
    const hidden = kind.inWork === true ? `(select hidden * 2 from works where id = ${slotOf(kind, 4)})` : '0'
    return `insert into ${kind.table} (id, source_id, owners, hidden, ${columns.join(', ')})
      values (?1, ?2, ?3, ${hidden}, ${slots.join(', ')})`
  })
}

function updateSql(kind: Kind): string {
  return remembered(updates, kind, () => {
    const columns = kind.fields.map(({ column }, at) => `${column} = ?${at + 6}`)
    const ofWork =
      kind.inWork === true ? ` | (select hidden * 2 from works where id = ${slotOf(kind, 6)})` : ''
    return `update ${kind.table} set source_id = ?2, owners = ?3, version = version + ?4, hidden = ?5${ofWork},
      ${columns.join(', ')} where id = ?1`
  })
}

/** Where a statement binds a row's work. */
const slotOf = ({ fields }: Kind, first: number) =>
  `?${first + fields.findIndex(({ column }) => column === 'work_id')}`

function remembered(texts: Map<Kind, string>, kind: Kind, make: () => string): string {
  const before = texts.get(kind)
  if (before !== undefined) return before
  const text = make()
  texts.set(kind, text)
  return text
}

const asCell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' ? value : null

const ownersText = (owners: Stored['owners']) => {
  for (const _ in owners) return JSON.stringify(owners)
  return '{}'
}

const inserts = new Map<Kind, string>()
const updates = new Map<Kind, string>()
