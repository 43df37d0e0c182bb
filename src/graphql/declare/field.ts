import type { FieldNode } from 'graphql'
import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { ApiCall } from '../../api/endpoint'
import type { Config } from '../../config'
import type { Read } from '../../db/open'
import type { Bindable } from '../../db/prepared'

export type SelectedCell = string | number | null

/** A row from SQLite with the columns that the document needs; `id` is the number in its global id. */
export interface SelectedRow {
  readonly id: number
  readonly [column: string]: SelectedCell
}

export type Args = Readonly<Record<string, unknown>>

/** SQL for a column; `viewer` is the caller's id. */
export type Column = (viewer: RawBuilder<number>) => Expression<unknown>

/** How a field of a GraphQL type is read. Types and arguments are written as in SDL. */
export interface GraphqlField {
  readonly type: string
  readonly args?: Readonly<Record<string, string>>
  /** Columns by name; read only if the document selects the field. */
  readonly columns?: ReadonlyMap<string, Column>
  /** Types whose fields are read from the same row. */
  readonly sameRow?: readonly string[]
  resolve(row: SelectedRow, args: Args, context: Context): unknown
}

export type GraphqlFields = Readonly<Record<string, GraphqlField>>

/** The rows of a connection: those whose `parent` is the id of the row that has it; on Query, all of them. */
export interface List {
  readonly of: string
  /** `X` in `XConnection`, if that is not the type of the nodes. */
  readonly named?: string
  /** Of several people's rows: it holds those that are shared, the same for everybody (D73). */
  readonly isShared?: true
  /** SQL after `from`. */
  readonly from: RawBuilder<unknown>
  /** SQL for the node's id. */
  readonly id: RawBuilder<number>
  readonly parent?: RawBuilder<number>
  readonly where?: (viewer: RawBuilder<number>) => RawBuilder<SqlBool>
  /** Keyed by the values of its order enum. */
  readonly orders?: Readonly<Record<string, Order>>
  /** Used without `orderBy`; if absent, `ties` is. */
  readonly order?: Order
  /** The last sort key of each order; the node's id by default. */
  readonly ties?: RawBuilder<number>
  readonly filters?: Readonly<Record<string, ListFilter>>
  /** Finds ids in the order of `orders`, where SQL would have to sort all rows. For lists without filters. */
  readonly find?: (read: Read, wanted: WantedIds) => Promise<readonly number[]>
  /** Fields of its edges besides `cursor` and `node`, read from the node's row. */
  readonly edge?: GraphqlFields
}

export interface WantedIds {
  readonly parent: number
  readonly viewer: number
  readonly offset: number
  /** Negative for all. */
  readonly limit: number
  readonly descends: boolean
}

export interface Order {
  readonly by: RawBuilder<unknown>
  readonly nullsLast?: true
}

/** An argument that leaves out rows; absent if it is null or bound to undefined. Throws for values that break a rule. */
export interface ListFilter {
  readonly type: string
  bind(value: never): Bindable | undefined
  where(slot: RawBuilder<never>): RawBuilder<SqlBool>
}

export interface ConnectionField extends GraphqlField {
  readonly list: List
}

export interface ConnectionPage {
  readonly rows: readonly SelectedRow[]
  readonly offset: number
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** What the resolvers of one request share. */
export interface Context {
  readonly call: ApiCall
  readonly config: Config
  readonly viewerId: number
  readonly rows: {
    load(type: string, id: SelectedCell | undefined): SelectedRow | null | Promise<SelectedRow | null>
    loadAll(type: string, ids: readonly number[]): Promise<readonly SelectedRow[]>
    shownIds(type: string, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
    forget(): void
  }
  readonly lists: { load(field: ConnectionField, parent: number, args: Args): Promise<ConnectionPage> }
  readonly budget: {
    takeRows(count: number): void
    takeCells(count: number): void
    takeSent(count: number): void
    rowsAtOnce(cells: number): number
    turnFor(cells: number): Promise<void> | undefined
    readNow<T>(task: () => Promise<T>): Promise<T>
  }
  /** The number of fields below a field, for one row. */
  countBelow(nodes: readonly FieldNode[]): number
  /** Whether a mutation of this request has written anything. */
  hasWritten: boolean
}
