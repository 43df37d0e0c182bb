import type { Args, ConnectionField, GraphqlField, List, SelectedRow } from './field'

export function many(list: List): ConnectionField {
  const ordered = list.orders === undefined ? {} : { orderBy: `${connectionName(list)}Order` }
  const filters = Object.entries(list.filters ?? {}).map(([name, { type }]) => [name, type])
  const field: ConnectionField = {
    type: `${connectionName(list)}Connection`,
    args: { ...paging, ...ordered, ...Object.fromEntries(filters) },
    list,
    // A field of Query has no row.
    resolve: (row: SelectedRow | undefined, args: Args, { lists }) => lists.load(field, row?.id ?? 0, args),
  }
  return field
}

export const connectionName = ({ named, of }: List): string => named ?? of

export const isConnection = (field: GraphqlField): field is ConnectionField => 'list' in field

const paging = { first: 'Int', after: 'String', last: 'Int', before: 'String' }
