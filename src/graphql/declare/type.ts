import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MergeableTable } from '../../catalogue/survivors'
import type { Field, Fields } from './field'
import { toGlobalId } from './global-id'

export interface RowSource {
  readonly from: RawBuilder<unknown>
  /** SQL of the key, unique among its rows. */
  readonly key: RawBuilder<number>
  /** What is added to the key: the number of a row is the sum. */
  readonly offset: number
}

/** An object type that implements Node. */
export interface TypeDeclaration {
  readonly name: string
  readonly sources: readonly RowSource[]
  readonly fields: Fields
  /** SQL of whether `node` shows a row. */
  isShown(viewer: RawBuilder<number>): RawBuilder<SqlBool>
  /** Where ids of merged rows mean the rows they were merged into (D67). */
  readonly merges: MergeableTable | undefined
}

interface Declared {
  readonly table: string
  /** Where it is more than the table. */
  readonly from?: RawBuilder<unknown>
  readonly sources?: readonly RowSource[]
  readonly isShown?: TypeDeclaration['isShown']
  readonly merges?: MergeableTable
  readonly fields: Fields
}

export function defineType(name: string, declared: Declared): TypeDeclaration {
  const { table, from = sql.table(table), isShown = () => sql<SqlBool>`true`, merges } = declared
  const id: Field = { type: 'ID!', resolve: (row) => toGlobalId(name, row.id) }
  return {
    name,
    sources: declared.sources ?? [{ from, key: sql.ref<number>(`${table}.id`), offset: 0 }],
    fields: { id, ...declared.fields },
    isShown,
    merges,
  }
}
