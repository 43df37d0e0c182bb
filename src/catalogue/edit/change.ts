import type { Database } from 'bun:sqlite'
import { estimateWork } from '../estimate/apply-estimates'
import type { Cell } from '../import/kinds/cells'
import { type Kind, type KindName, placeOf } from '../import/kinds/field'
import { kindOf } from '../import/kinds/kinds'
import { SourceValues } from '../import/rows/source-values'
import { CatalogueTables, type Stored } from '../import/rows/tables'
import { byHand } from '../import/source'
import { reindexRow } from '../search/index-row'
import { forgetLines, idOf, namespaceOf, replaceId } from './ids'
import { type ChangeAbout, type ChangedField, type FieldValues, logChange } from './log'
import { addPart, dropPart, type PartName, type PartRow, partsOf, placePart, putPart, rowsOf } from './parts'

/** Values of a row by column, or by `ids.` and a namespace: null or '' for none, as the column's blank. */
export type RowFields = Readonly<Record<string, Cell>>

/**
 * One change of the catalogue by hand, of any number of rows (D94, D95). What is set belongs to `byHand`, so that no pack or
 * source changes it again, and what a source said of it is kept beside it; only what really changes is touched, and logged
 * with what was there and whose it was. Versions rise, and `save` brings search and estimates up to date; counters follow
 * by trigger. Values have to be checked before, by the importer's rules (`kindOf[…].fields`).
 *
 * Synchronous, in a write: `deps.write(async (tx) => new CatalogueChange(handleOf(tx), about)…)`. With a change that takes
 * several transactions, `save` belongs to the first of them.
 */
export class CatalogueChange {
  readonly #handle: Database
  #about: ChangeAbout
  readonly #tables: CatalogueTables
  readonly #sourceValues: SourceValues
  readonly #fields = new Map<string, ChangedField>()
  readonly #stale = new Map<string, { readonly kind: Kind; readonly id: number }>()
  readonly #toEstimate = new Set<number>()

  constructor(handle: Database, about: ChangeAbout) {
    this.#handle = handle
    this.#about = about
    this.#tables = new CatalogueTables(handle)
    this.#sourceValues = new SourceValues(handle)
  }

  /** Whether there is such a row, hidden ones included. */
  has(name: KindName, id: number): boolean {
    return this.#tables.read(kindOf[name], id) !== undefined
  }

  /** Throws if there is no such row. */
  value(name: KindName, id: number, field: string): Cell {
    return this.#valueOf(kindOf[name], id, this.#read(kindOf[name], id), field)
  }

  partRows = (work: number, part: PartName, value: string) => rowsOf(this.#handle, part, work, value)

  /** Returns the names of the fields that changed. Throws if there is no such row. */
  set(name: KindName, id: number, fields: RowFields): readonly string[] {
    const kind = kindOf[name]
    const stored = this.#read(kind, id)
    const row = { ...stored, cells: [...stored.cells], owners: { ...stored.owners } }
    const changed = Object.entries(fields).filter(([field, value]) =>
      this.#setField(kind, id, row, field, value),
    )
    if (changed.length === 0) return []
    this.#tables.update(kind, id, row, true)
    this.#note(kind, id, row)
    return changed.map(([field]) => field)
  }

  /**
   * Puts a value back with whose it was, or hands a field over; `owner` is null for the row's own source. What is handed to a
   * source is taken from its next file, though that did not change.
   */
  put(
    name: KindName,
    id: number,
    field: string,
    { value, owner: given }: { value: Cell; owner: number | null },
  ): void {
    const kind = kindOf[name]
    const stored = this.#read(kind, id)
    const owner = given === stored.sourceId ? null : given
    const row = { ...stored, cells: [...stored.cells], owners: { ...stored.owners } }
    const before = this.#valueOf(kind, id, row, field)
    const owner_before = row.owners[field] ?? null
    if (before === value && owner_before === owner) return
    this.#place(kind, id, row, field, value)
    if (owner === null) delete row.owners[field]
    else row.owners[field] = owner
    this.#tables.update(kind, id, row, before !== value)
    if (owner !== byHand) forgetLines(this.#handle, name, id)
    this.#log({ kind: name, id, field }, { before, after: value, owner_before, owner_after: owner })
    this.#note(kind, id, row)
  }

  /** Puts rows of a part back as they were. */
  putPart(work: number, part: PartName, value: string, rows: readonly PartRow[], isRemoved: boolean): void {
    this.#logPart(work, part, value, () => putPart(this.#handle, part, work, value, { rows, isRemoved }))
    forgetLines(this.#handle, 'work', work)
  }

  /** A new row by hand, shown if its work is. `wish`: its id if that is free. Returns the id. */
  create(name: KindName, fields: RowFields, wish?: number): number {
    const kind = kindOf[name]
    const cells = kind.fields.map(({ column, blank }) => fields[column] ?? blank)
    const free = wish === undefined || this.#tables.isTaken(kind, wish) ? null : wish
    const id = this.#tables.insert(kind, free, { cells, sourceId: byHand, owners: {} })
    // The history of a new work begins with it.
    if (name === 'work' && this.#about.work === 0) this.#about = { ...this.#about, work: id }
    this.#log({ kind: name, id, field: '*' }, { before: null, after: this.#whole(kind, id) })
    for (const [field, value] of Object.entries(fields)) {
      const namespace = namespaceOf(kind, field)
      if (namespace !== undefined) replaceId(this.#handle, { kind: name, id, namespace }, value)
    }
    this.#note(kind, id, this.#read(kind, id))
    return id
  }

  /** Takes a row out of the catalogue, or shows it again (D42). Of a work, all its rows go with it. Returns whether it changed. */
  setHidden(name: KindName, id: number, isHidden: boolean, owner: number | null = byHand): boolean {
    const kind = kindOf[name]
    const stored = this.#read(kind, id)
    const before = stored.hidden & 1
    const after = isHidden ? 1 : 0
    if (before === after) return false
    const { hidden: owner_before = null, ...others } = stored.owners
    const owners: Record<string, number> = owner === null ? others : { ...others, hidden: owner }
    this.#tables.update(kind, id, { ...stored, hidden: (stored.hidden & 2) | after, owners }, true)
    this.#log({ kind: name, id, field: 'hidden' }, { before, after, owner_before, owner_after: owner })
    this.#note(kind, id, stored)
    return true
  }

  /** Makes these the work's aliases, or the ids of its series. Returns whether anything changed. */
  setParts(work: number, part: PartName, values: readonly string[]): boolean {
    const known = partsOf(this.#handle, part, work)
    const added = values.filter((value) => !known.includes(value))
    const dropped = known.filter((value) => !values.includes(value))
    for (const value of added)
      this.#logPart(work, part, value, () => addPart(this.#handle, part, work, value))
    for (const value of dropped)
      this.#logPart(work, part, value, () => dropPart(this.#handle, part, work, value))
    return added.length + dropped.length > 0
  }

  /** The work's place in a series, from 1; null: by date. */
  placeInSeries(work: number, series: number, position: number | null): void {
    this.#logPart(work, 'series', String(series), () => placePart(this.#handle, work, series, position))
  }

  /** For changes that this class does not make itself. Of the same field, the first `before` stays. */
  note(row: { readonly kind: KindName; readonly id: number }, field: string, values: FieldValues): void {
    this.#log({ ...row, field }, values)
    this.#note(kindOf[row.kind], row.id, undefined)
  }

  /** Writes the log. Returns the id of the change; undefined if nothing changed. */
  save(): number | undefined {
    for (const { kind, id } of this.#stale.values())
      if (kind.search !== undefined) reindexRow(this.#handle, kind.search, id)
    for (const work of this.#toEstimate) estimateWork(this.#handle, work, this.#about.now)
    this.#stale.clear()
    this.#toEstimate.clear()
    return this.#fields.size === 0
      ? undefined
      : logChange(this.#handle, this.#about, [...this.#fields.values()])
  }

  #setField(kind: Kind, id: number, row: ChangingRow, field: string, value: Cell): boolean {
    const name = { kind: kind.name, id, field }
    const blank = kind.fields[placeOf(kind, field)]?.blank ?? null
    const before = this.#valueOf(kind, id, row, field)
    const after = value === '' ? blank : value
    if (before === after) return false
    const owner_before = row.owners[field] ?? null
    const owner = owner_before ?? (before === blank ? undefined : row.sourceId)
    if (owner !== undefined && owner !== byHand)
      this.#sourceValues.keep(name, { source: owner, value: before, at: this.#about.now })
    this.#place(kind, id, row, field, after)
    row.owners[field] = byHand
    this.#log(name, { before, after, owner_before, owner_after: byHand })
    return true
  }

  #valueOf(kind: Kind, id: number, row: Pick<Stored, 'cells'>, field: string): Cell {
    const at = placeOf(kind, field)
    if (at !== -1) return row.cells[at] ?? null
    return idOf(this.#handle, { kind: kind.name, id, namespace: namespaceOf(kind, field) ?? '' })
  }

  #place(kind: Kind, id: number, row: ChangingRow, field: string, value: Cell): void {
    const at = placeOf(kind, field)
    const namespace = namespaceOf(kind, field)
    if (at !== -1) row.cells[at] = value
    if (namespace !== undefined) replaceId(this.#handle, { kind: kind.name, id, namespace }, value)
  }

  #logPart(
    work: number,
    part: PartName,
    value: string,
    change: () => Pick<FieldValues, 'before' | 'after'>,
  ): void {
    const { before, after } = change()
    if (Bun.deepEquals(before, after)) return
    this.#log({ kind: 'work', id: work, field: `${part}.${value}` }, { before, after })
    this.#handle.query('update works set version = version + 1 where id = ?').run(work)
    this.#note(kindOf.work, work, undefined)
  }

  #log(
    { kind, id, field }: { readonly kind: KindName; readonly id: number; readonly field: string },
    { before, after, owner_before = null, owner_after = null }: FieldValues,
  ): void {
    const name = `${kind} ${id} ${field}`
    const first = this.#fields.get(name)
    const from = first ?? { before: json(before), owner_before }
    this.#fields.set(name, {
      ...{ kind, row_id: id, field, before: from.before, after: json(after) },
      ...{ owner_before: from.owner_before, owner_after },
    })
  }

  /** What depends on the row follows when the change is saved. */
  #note(kind: Kind, id: number, row: Pick<Stored, 'cells'> | undefined): void {
    this.#stale.set(`${kind.name} ${id}`, { kind, id })
    const work = kind.name === 'work' ? id : row?.cells[placeOf(kind, 'work_id')]
    if (typeof work === 'number' && estimated.has(kind.name)) this.#toEstimate.add(work)
  }

  #whole(kind: Kind, id: number): Record<string, Cell> {
    const { cells } = this.#read(kind, id)
    return Object.fromEntries(kind.fields.map(({ column }, at) => [column, cells[at] ?? null]))
  }

  #read(kind: Kind, id: number): Stored {
    const stored = this.#tables.read(kind, id)
    if (stored === undefined) throw new Error(`no ${kind.name} ${id}`)
    return stored
  }
}

interface ChangingRow extends Stored {
  readonly cells: Cell[]
  readonly owners: Record<string, number>
}

const estimated: ReadonlySet<KindName> = new Set(['work', 'episode', 'program'])

/** Null for what was not there at all. */
const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
