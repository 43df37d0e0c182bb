import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { emptiedAtRest } from '../../lib/collect-garbage'
import type { Column, SelectedCell, SelectedRow } from '../declare/field'
import type { TypeDeclaration, TypeRows } from '../declare/type'
import type { Catalogue } from '../schema/catalogue'
import type { Budget } from './budget'
import type { CheckedDocument } from './documents'

interface Known {
  readonly rows: Map<number, SelectedRow | null>
  waiting: Map<number, PromiseWithResolvers<SelectedRow | null>>
}

/** The rows of one request by type and id. Those requested in one turn of the event loop are read by a single query. */
export class RowLoader {
  readonly #known = new Map<string, Known>()

  constructor(
    private readonly read: Read,
    private readonly catalogue: Catalogue,
    private readonly document: CheckedDocument,
    private readonly viewer: number,
    private readonly budget: Budget,
  ) {}

  /** Returns immediately if the row has been read already. */
  load(type: string, id: SelectedCell | undefined): SelectedRow | null | Promise<SelectedRow | null> {
    if (typeof id !== 'number') return null
    const known = this.#of(type)
    const row = known.rows.get(id)
    if (row !== undefined) return row
    if (known.waiting.size === 0) this.budget.read(() => this.#readWaiting(type))
    const waiting = known.waiting.get(id) ?? Promise.withResolvers<SelectedRow | null>()
    known.waiting.set(id, waiting)
    return waiting.promise
  }

  /** In the order of the ids; deleted rows are left out. */
  async loadAll(type: string, ids: readonly number[]): Promise<readonly SelectedRow[]> {
    const { rows } = this.#of(type)
    await this.#readInPieces(
      type,
      ids.filter((id) => !rows.has(id)),
    )
    return ids.flatMap((id) => rows.get(id) ?? [])
  }

  /** Those of the ids that `node` shows; ids of merged rows map to the rows they were merged into. */
  async shownIds(type: string, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const shown = new Map<number, number>()
    const declared = this.catalogue.types.get(type)
    for (const source of declared?.sources ?? []) {
      const query = visibleRows(declared as TypeDeclaration, source)
      const asked = JSON.stringify(ids.map((id) => id - source.offset).filter((key) => key >= 0))
      for (const row of await query(this.read, { ids: asked, viewer: this.viewer }))
        shown.set(row.asked + source.offset, row.key + source.offset)
    }
    return shown
  }

  forget(): void {
    this.#known.clear()
  }

  #of(type: string): Known {
    const known = this.#known.get(type) ?? { rows: new Map(), waiting: new Map() }
    this.#known.set(type, known)
    return known
  }

  async #readWaiting(type: string): Promise<void> {
    const known = this.#of(type)
    const { waiting } = known
    known.waiting = new Map()
    try {
      await this.#readInPieces(type, [...waiting.keys()])
      for (const [id, { resolve }] of waiting) resolve(known.rows.get(id) ?? null)
    } catch (cause) {
      if (this.budget.failure !== undefined) return
      for (const { reject } of waiting.values()) reject(cause)
    }
  }

  async #readInPieces(type: string, ids: readonly number[]): Promise<void> {
    const { rows } = this.#of(type)
    const pieces = new PieceSizes(rowsAtFirst, rowsAtOnce)
    for (let from = 0; from < ids.length; ) {
      const piece = ids.slice(from, from + pieces.size)
      from += piece.length
      await this.budget.pause()
      const found = await pieces.run(() => this.#readRows(type, piece))
      this.budget.takeText(charactersIn(found))
      for (const row of found) rows.set(row.id, row)
      for (const id of piece) if (!rows.has(id)) rows.set(id, null)
    }
  }

  async #readRows(type: string, ids: readonly number[]): Promise<readonly SelectedRow[]> {
    const declared = this.catalogue.types.get(type)
    if (declared === undefined) throw new Error(`${type} has no rows`)
    const names = this.document.fieldsOf(type)
    const found: SelectedRow[] = []
    for (const [at, source] of declared.sources.entries()) {
      const next = declared.sources[at + 1]?.offset ?? Number.POSITIVE_INFINITY
      const own = ids.filter((id) => id >= source.offset && id < next)
      if (own.length === 0) continue
      const keys = JSON.stringify(source.offset === 0 ? own : own.map((id) => id - source.offset))
      const query = rowsQuery(this.catalogue, declared, source, names)
      found.push(...(await query(this.read, { ids: keys, viewer: this.viewer })))
    }
    return found
  }
}

/** How long a piece of reading should take. */
const wantedMs = 10

/** Sizes of pieces by the time that the last one took, as some rows take much longer to read than others. */
export class PieceSizes {
  constructor(
    public size: number,
    private readonly largest: number,
  ) {}

  async run<T>(read: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const found = await read()
    const fitting = Math.floor((this.size * wantedMs) / Math.max(0.1, performance.now() - begun))
    this.size = Math.min(this.largest, Math.max(1, fitting))
    return found
  }
}

const rowsAtFirst = 200
const rowsAtOnce = 1000

function charactersIn(rows: readonly SelectedRow[]): number {
  let characters = 0
  for (const row of rows)
    for (const name in row) {
      const cell = row[name]
      if (typeof cell === 'string') characters += cell.length
    }
  return characters
}

type Query<R> = (read: Read, values: { ids: string; viewer: number }) => Promise<readonly R[]>

/** Keyed by type, source and fields; bounded, as clients may request any set of fields. */
const compiled = emptiedAtRest(new LRUCache<string, Query<SelectedRow>>({ max: 256 }))

function rowsQuery(
  catalogue: Catalogue,
  type: TypeDeclaration,
  { from, key, offset }: TypeRows,
  names: readonly string[],
): Query<SelectedRow> {
  const text = `${type.name} ${offset} ${names.join()}`
  const known = compiled.get(text)
  if (known !== undefined) return known
  const columns = catalogue.columnsOf(names)
  const query = preparedSql<SelectedRow, { ids: string; viewer: number }>(
    (slot) =>
      sql<SelectedRow>`select ${sql.join([
        sql`${key} + ${sql.lit(offset)} as id`,
        ...[...columns].map(
          ([name, column]) => sql`${(column as Column)(slot('viewer'))} as ${sql.ref(name)}`,
        ),
      ])} from json_each(${slot('ids')}) as wanted cross join ${from} where ${key} = wanted.value`,
  )
  compiled.set(text, query)
  return query
}

const visibleRows = (type: TypeDeclaration, { from, key }: TypeRows) =>
  preparedSql<{ asked: number; key: number }, { ids: string; viewer: number }>(
    (slot) => sql`select wanted.value as asked, ${key} as key
      from json_each(${slot('ids')}) as wanted cross join ${from}
      where ${key} = ${survivorOf(type)} and ${type.isShown(slot('viewer')) as RawBuilder<SqlBool>}`,
  )

const survivorOf = ({ merges }: TypeDeclaration): RawBuilder<number> => {
  const wanted = sql.ref<number>('wanted.value')
  return merges === undefined ? wanted : survivor(merges, wanted)
}
