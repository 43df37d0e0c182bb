import type { GraphQLSchema } from 'graphql'
import type { Column, ConnectionField, GraphqlFields } from '../declare/field'
import { isConnection } from '../declare/list'
import type { MutationDeclaration } from '../declare/mutation'
import type { TypeDeclaration } from '../declare/type'

export interface Declarations {
  readonly types: readonly TypeDeclaration[]
  readonly query: GraphqlFields
  readonly mutations: readonly MutationDeclaration[]
}

/** The schema, and how to read rows of its types. */
export interface Catalogue {
  readonly schema: GraphQLSchema
  readonly types: ReadonlyMap<string, TypeDeclaration>
  /** The fields, as `Type.field`, that a document's selections need from rows of a type. */
  readFields(type: string, selected: (type: string) => ReadonlySet<string>): readonly string[]
  /** The columns of the fields that `readFields` returned. */
  columnsOf(names: readonly string[]): ReadonlyMap<string, Column>
}

export const connectionsOf = ({ types, query }: Pick<Declarations, 'types' | 'query'>): ConnectionField[] =>
  [query, ...types.map(({ fields }) => fields)].flatMap((fields) =>
    Object.values(fields).filter(isConnection),
  )
