import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MergeableTable } from '../../catalogue/survivors'
import type { GraphqlField, GraphqlFields } from './field'
import { toGlobalId } from './global-id'

export interface TypeRows {
  readonly from: RawBuilder<unknown>
  /** SQL for the key, which is unique among its rows. */
  readonly key: RawBuilder<number>
  /** Added to the key to give the number of a row. */
  readonly offset: number
}

/** An object type that implements Node. */
export interface TypeDeclaration {
  readonly name: string
  readonly sources: readonly TypeRows[]
  readonly fields: GraphqlFields
  /** SQL for whether `node` shows a row. */
  isShown(viewer: RawBuilder<number>): RawBuilder<SqlBool>
  /** If set, ids of merged rows stand for the rows they were merged into (D67). */
  readonly merges: MergeableTable | undefined
}

interface Declared {
  readonly table: string
  /** If it is more than the table. */
  readonly from?: RawBuilder<unknown>
  readonly sources?: readonly TypeRows[]
  readonly isShown?: TypeDeclaration['isShown']
  readonly merges?: MergeableTable
  readonly fields: GraphqlFields
}

export function defineType(name: string, declared: Declared): TypeDeclaration {
  const { table, from = sql.table(table), isShown = () => sql<SqlBool>`true`, merges } = declared
  const id: GraphqlField = { type: 'ID!', resolve: (row) => toGlobalId(name, row.id) }
  return {
    name,
    sources: declared.sources ?? [{ from, key: sql.ref<number>(`${table}.id`), offset: 0 }],
    fields: { id, ...declared.fields },
    isShown,
    merges,
  }
}
