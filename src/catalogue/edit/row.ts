import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import type { Cell } from '../import/kinds/cells'
import type { KindName } from '../import/kinds/field'
import { kindOf } from '../import/kinds/kinds'
import { byHand } from '../import/source'
import type { CatalogueChange } from './change'
import { namespaceOf } from './ids'

/** A row of the catalogue as an editor sees it. */
export interface EditedRow {
  readonly kind: KindName
  readonly id: number
  readonly hidden: number
  /** By column, `ids.` and a namespace, and `aliases` of a work. */
  readonly values: Readonly<Record<string, EditValue>>
  /** Ids of sources by field, of those that have a value or were cleared. */
  readonly owners: Readonly<Record<string, number>>
  /** Sites by whose ids a pack names the row: these are not changed by hand. */
  readonly keyed: ReadonlySet<string>
}

export type EditValue = Cell | readonly string[]

/** Hidden ones too; undefined if there is none. */
export async function findEdited(
  read: Read | Tx,
  name: KindName,
  id: number,
): Promise<EditedRow | undefined> {
  const { fields } = kindOf[name]
  const [row] = await rowOf(name)(read, { id })
  if (row === undefined) return undefined
  const ids = await idsOf(read, { kind: name, id })
  const values: Record<string, EditValue> = Object.fromEntries(
    fields.map(({ column }) => [column, row[column] ?? null]),
  )
  for (const { ns, name: value } of ids) values[`ids.${ns}`] ??= value
  if (name === 'work') values.aliases = (await aliasesOf(read, { id })).map(({ title }) => title)
  return {
    ...{ kind: name, id, hidden: Number(row.hidden), values },
    owners: ownersOf(name, values, JSON.parse(String(row.owners)), Number(row.source_id)),
    keyed: new Set(ids.flatMap(({ ns, is_key }) => (is_key === 1 ? [ns] : []))),
  }
}

type RowQuery = (read: Read | Tx, values: { id: number }) => Promise<readonly Record<string, Cell>[]>

function rowOf(name: KindName): RowQuery {
  const known = rowQueries.get(name)
  if (known !== undefined) return known
  const { table, fields } = kindOf[name]
  const columns = sql.raw(fields.map(({ column }) => column).join(', '))
  const query = preparedSql<Record<string, Cell>, { id: number }>(
    (slot) => sql`
    select hidden, source_id, owners, ${columns} from ${sql.table(table)} where id = ${slot('id')}`,
  )
  rowQueries.set(name, query)
  return query
}

const rowQueries = new Map<KindName, RowQuery>()

/** Blank fields are nobody's, unless somebody cleared them. */
function ownersOf(
  kind: KindName,
  values: EditedRow['values'],
  said: Readonly<Record<string, number>>,
  source: number,
): Record<string, number> {
  const { fields } = kindOf[kind]
  const filled = Object.entries(values).filter(([field, value]) => {
    const column = fields.find((one) => one.column === field)
    return column === undefined ? field.startsWith('ids.') : value !== column.blank
  })
  return { ...Object.fromEntries(filled.map(([field]) => [field, source])), ...said }
}

const idsOf = preparedSql<{ ns: string; name: string; is_key: number }, { kind: string; id: number }>(
  (slot) => sql`
    select ns, external_id as name, is_key from external_ids indexed by external_ids_local
    where kind = ${slot('kind')} and local_id = ${slot('id')} and is_key < 2 order by is_key desc, external_id`,
)

const aliasesOf = preparedSql<{ title: string }, { id: number }>(
  (slot) => sql`select distinct title from work_aliases where work_id = ${slot('id')} order by title`,
)

export interface FieldEdit {
  /** As in `EditedRow.values`. */
  readonly field: string
  readonly before: EditValue
  readonly after: EditValue
}

/** Of lists, what was added and removed; other fields are set. */
export function applyEdits(
  change: CatalogueChange,
  { kind, id, values }: Pick<EditedRow, 'kind' | 'id' | 'values'>,
  edits: readonly FieldEdit[],
): void {
  for (const { field, before, after } of edits) {
    if (field === 'aliases') {
      const [old, wanted] = [listOf(before), listOf(after)]
      const kept = listOf(values.aliases ?? []).filter((one) => wanted.includes(one) || !old.includes(one))
      change.setParts(id, 'aliases', [...new Set([...kept, ...wanted.filter((one) => !old.includes(one))])])
    } else if (typeof after !== 'object' || after === null) change.set(kind, id, { [field]: after })
  }
}

const listOf = (value: EditValue): readonly string[] =>
  typeof value === 'object' && value !== null ? value : []

/** What a source says instead of a value by hand. */
export interface SourceSays {
  readonly field: string
  readonly sourceId: number
  readonly source: string
  readonly value: EditValue
}

/** Of fields by hand, best source first. */
export async function sourcesSay(read: Read | Tx, { kind, id, owners }: EditedRow): Promise<SourceSays[]> {
  const rows = await saidOf(read, { kind, id })
  return rows
    .filter(({ field }) => owners[field] === byHand)
    .map(({ source_id, name, value, field }) => ({
      ...{ field, sourceId: source_id, source: name, value: JSON.parse(value) },
    }))
}

type Said = { field: string; source_id: number; name: string; value: string }

const saidOf = preparedSql<Said, { kind: string; id: number }>(
  (slot) => sql`
    select field, source_id, name, value from source_values join sources on sources.id = source_id
    where kind = ${slot('kind')} and row_id = ${slot('id')} order by field, priority desc, seen_at desc`,
)

/** Another row of the kind that has the id; undefined if none has. */
export async function otherWith(
  read: Read | Tx,
  { kind, id }: Pick<EditedRow, 'kind' | 'id'>,
  field: string,
  value: EditValue,
): Promise<number | undefined> {
  const ns = namespaceOf(kindOf[kind], field)
  if (ns === undefined || value === null || value === '') return undefined
  const [other] = await otherOf(read, { kind, id, ns, name: String(value) })
  return other?.id
}

// uses the primary key of external_ids
const otherOf = preparedSql<{ id: number }, { kind: string; id: number; ns: string; name: string }>(
  (slot) => sql`
    select local_id as id from external_ids where kind = ${slot('kind')} and ns = ${slot('ns')}
      and external_id = ${slot('name')} and local_id <> ${slot('id')} limit 1`,
)
