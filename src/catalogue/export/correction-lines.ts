import type { Database } from 'bun:sqlite'
import { namespaceOf } from '../edit/ids'
import type { Cell } from '../import/kinds/cells'
import { type Field, type Kind, type KindName, placeOf } from '../import/kinds/field'
import { kinds } from '../import/kinds/kinds'
import { CatalogueTables, type Stored } from '../import/rows/tables'
import { byHand } from '../import/source'
import { correctedParts } from './corrected-parts'
import { openIds, put, shareAlikeSource } from './export'

export type CorrectionLine = Record<string, unknown>

/** A value by hand, and the best that a source says. */
interface Corrected {
  readonly now: Cell
  readonly former: Cell
}

/** Makes the lines of a file of corrections; `label` names this instance. */
export class CorrectionLines {
  readonly #handle: Database
  readonly #namespace: string
  readonly #withheld: number
  readonly #tables: CatalogueTables

  constructor(handle: Database, label: string) {
    this.#handle = handle
    // A namespace of its own, as two keys in one mean two rows.
    this.#namespace = `by-${label.replace(/[^\w-]/g, '-')}`.slice(0, 40)
    this.#withheld = shareAlikeSource(handle)
    this.#tables = new CatalogueTables(handle)
  }

  /** Undefined if nothing is to be corrected any more. */
  lineOf(kind: Kind, id: number): CorrectionLine | undefined {
    const stored = this.#tables.read(kind, id)
    if (stored === undefined || (stored.hidden & 2) === 2) return undefined
    const line =
      stored.sourceId === byHand ? this.#whole(kind, id, stored) : this.#corrected(kind, id, stored)
    return line && { ...line, ...this.#why(kind.name, id) }
  }

  /** Of a row that no pack names, as estimated episodes are: what identifies it, so that other lines may refer to it. */
  nameOf(kind: Kind, id: number): CorrectionLine | undefined {
    const stored = this.#tables.read(kind, id)
    const key = this.keyOf(kind.name, id)
    if (stored === undefined || !key.startsWith(`${this.#namespace}:`)) return undefined
    const { line } = this.#fields(kind, id, { ...stored, owners: {} })
    return { type: kind.name, key, ...line, was: {} }
  }

  #whole(kind: Kind, id: number, { hidden, cells }: Stored): CorrectionLine | undefined {
    if ((hidden & 1) === 1) return undefined
    const line: CorrectionLine = {
      type: kind.name,
      key: this.keyOf(kind.name, id),
      ids: this.#ids(kind.name, id),
    }
    const row = this.#row(kind, cells)
    for (const field of kind.fields) {
      const cell = row[field.column] ?? null
      const isEstimate = field.absent !== undefined && cell !== field.absent
      if (field.path[0] !== 'ids' && (isEstimate || (field.absent === undefined && cell !== field.blank)))
        put(line, field, cell, row)
    }
    if (kind.name === 'work')
      Object.assign(line, correctedParts(this.#handle, id, (one) => this.keyOf('series', one)).now)
    return line
  }

  #corrected(kind: Kind, id: number, stored: Stored): CorrectionLine | undefined {
    const { line, was, fields } = this.#fields(kind, id, stored)
    const ids = this.#correctedIds(kind, id, stored)
    const parts =
      kind.name === 'work'
        ? correctedParts(this.#handle, id, (one) => this.keyOf('series', one), true)
        : { now: {}, former: {} }
    const hides = stored.owners.hidden === byHand
    const isHidden = (stored.hidden & 1) === 1
    const former = {
      ...was,
      ...(ids.size > 0 && { ids: Object.fromEntries([...ids].map(([site, one]) => [site, one.former])) }),
      ...parts.former,
      ...(hides && { deleted: !isHidden }),
    }
    if (fields === 0 && Object.keys({ ...former, ...parts.now }).length === 0) return undefined
    const gone = [...ids].flatMap(([site, { now }]) => (now === null ? [[site, null] as const] : []))
    return {
      ...{ type: kind.name, key: this.keyOf(kind.name, id) },
      ...{ ids: { ...this.#ids(kind.name, id), ...Object.fromEntries(gone) } },
      ...{ ...line, ...parts.now, ...(hides && { deleted: isHidden }), was: former },
    }
  }

  /** Also what identifies the row if its key is not known elsewhere. */
  #fields(kind: Kind, id: number, { cells, owners }: Stored) {
    const line: CorrectionLine = {}
    const was: CorrectionLine = {}
    const row = this.#row(kind, cells)
    const corrected = kind.fields.flatMap((field, at) => {
      if (owners[field.column] !== byHand || field.path[0] === 'ids') return []
      const now = cells[at] ?? null
      const former = this.#former(kind.name, id, field.column) ?? field.blank
      return now === former ? [] : [{ field, former: this.#cell(field, former) }]
    })
    const formerRow = {
      ...row,
      ...Object.fromEntries(corrected.map(({ field, former }) => [field.column, former])),
    }
    for (const { field } of corrected) {
      putOrNull(line, field, row)
      putOrNull(was, field, formerRow)
    }
    for (const field of kind.fields) {
      const isOpen = line[field.path[0]] === undefined && row[field.column] !== field.blank
      if (isOpen && (identifying[kind.name] ?? []).includes(field.column)) putOrNull(line, field, row)
    }
    return { line, was, fields: corrected.length }
  }

  #correctedIds(kind: Kind, id: number, { owners, cells }: Stored): Map<string, Corrected> {
    const corrected = new Map<string, Corrected>()
    const names = this.#ids(kind.name, id)
    for (const [name, owner] of Object.entries(owners)) {
      const site = namespaceOf(kind, name)
      if (owner !== byHand || site === undefined) continue
      const at = placeOf(kind, name)
      const cell = at === -1 ? (names[site] ?? null) : (cells[at] ?? null)
      const former = this.#former(kind.name, id, name)
      // Columns have '' for none.
      const [now = null, before = null] = [cell, former].map((one) => (one === '' ? null : one))
      if (String(now) !== String(before)) corrected.set(site, { now, former: before })
    }
    return corrected
  }

  /** By column, with keys in place of ids. */
  #row(kind: Kind, cells: Stored['cells']): Record<string, Cell> {
    return Object.fromEntries(
      kind.fields.map((field, at) => [field.column, this.#cell(field, cells[at] ?? null)]),
    )
  }

  #cell({ ref }: Field, cell: Cell): Cell {
    return ref === undefined || cell === null ? cell : this.keyOf(ref, Number(cell))
  }

  /** Its key in a pack, else one of ours. */
  keyOf(kind: KindName, id: number): string {
    const [row] = this.#handle
      .query<{ key: string }, [string, number]>(
        `select ns || ':' || external_id as key from external_ids indexed by external_ids_local
         where kind = ? and local_id = ? and is_key = 1 order by ns like 'by-%', ns, external_id limit 1`,
      )
      .all(kind, id)
    return row?.key ?? `${this.#namespace}:${kind}/${id}`
  }

  #ids(kind: KindName, id: number): Record<string, string | number> {
    const rows = this.#handle
      .query<{ ns: string; external_id: string }, [string, number]>(
        `select ns, external_id from external_ids indexed by external_ids_local
         where kind = ? and local_id = ? and is_key < 2 and ns not like 'by-%' order by ns, is_key desc`,
      )
      .all(kind, id)
    const names = rows.map(({ ns, external_id }) => [ns, external_id] as const)
    return openIds(Object.fromEntries(names), this.keyOf(kind, id), () => true)
  }

  #former(kind: KindName, id: number, field: string): Cell | undefined {
    const [row] = this.#handle
      .query<{ value: string }, [string, number, string, number]>(
        `select value from source_values join sources on sources.id = source_id
         where kind = ? and row_id = ? and field = ? and source_id <> ? order by priority desc, seen_at desc limit 1`,
      )
      .all(kind, id, field, this.#withheld)
    return row === undefined ? undefined : JSON.parse(row.value)
  }

  /** The reasons and the pages of all changes of the row by hand that were not undone. */
  #why(kind: KindName, id: number): { reason?: string; evidence?: string[] } {
    const rows = this.#handle
      .query<{ reason: string; source_url: string }, [string, number]>(reasons)
      .all(kind, id)
    const [why, pages] = [rows.map(({ reason }) => reason), rows.map(({ source_url }) => source_url)].map(
      (texts) => [...new Set(texts)].filter((text) => text !== ''),
    )
    return {
      ...(why?.length && { reason: why.join('; ') }),
      ...(pages?.length && { evidence: pages }),
    }
  }
}

function putOrNull(line: CorrectionLine, field: Field, row: Readonly<Record<string, Cell>>): void {
  const { column, path, blank } = field
  const cell = row[column] ?? null
  if (cell !== blank) put(line, field, cell, row)
  else if (path[1] !== undefined) line[path[0]] = { ...(line[path[0]] ?? {}), [path[1]]: null }
  // Both halves of a season have the same name: the year says whether there is one.
  else line[path[0]] ??= null
}

/** What tells rows of a work apart (`likeness` of kinds). */
const identifying: Readonly<Partial<Record<KindName, readonly string[]>>> = Object.fromEntries(
  kinds.map(({ name, likeness = [] }) => [name, likeness.flat()]),
)

// uses catalogue_change_fields_row
const reasons = `
  select c.reason, c.source_url from catalogue_change_fields as f join catalogue_changes as c on c.id = f.change_id
  where f.kind = ? and f.row_id = ? and c.source_id is null
    and not exists (select 1 from catalogue_changes as undo where undo.undoes_id = c.id)
  group by c.id order by c.id`
