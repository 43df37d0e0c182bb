import type { GraphqlField, GraphqlFields, List } from '../declare/field'
import { connectionName } from '../declare/list'
import type { MutationDeclaration } from '../declare/mutation'
import { connectionsOf, type Declarations } from './catalogue'

const createdAt = 'CREATED_AT'
const sorted = [createdAt, 'SORT_NUMBER']
const liked = [createdAt, 'LIKES_COUNT']

/** By name; the `…OrderField` enums name what each list can be sorted by. */
const enums: Readonly<Record<string, readonly string[]>> = {
  ActivityAction: ['CREATE'],
  Media: ['MOVIE', 'OTHER', 'OVA', 'TV', 'WEB'],
  OrderDirection: ['ASC', 'DESC'],
  ProgramState: ['HIDDEN', 'PUBLISHED'],
  RatingState: ['AVERAGE', 'BAD', 'GOOD', 'GREAT'],
  SeasonName: ['AUTUMN', 'SPRING', 'SUMMER', 'WINTER'],
  StatusState: ['NO_STATE', 'ON_HOLD', 'STOP_WATCHING', 'WANNA_WATCH', 'WATCHED', 'WATCHING'],
  ActivityOrderField: [createdAt],
  CastOrderField: sorted,
  CharacterOrderField: [createdAt, 'FAVORITE_CHARACTERS_COUNT'],
  EpisodeOrderField: sorted,
  LibraryEntryOrderField: ['LAST_TRACKED_AT'],
  OrganizationOrderField: [createdAt, 'FAVORITE_ORGANIZATIONS_COUNT'],
  PersonOrderField: [createdAt, 'FAVORITE_PEOPLE_COUNT'],
  ProgramOrderField: ['STARTED_AT'],
  RecordOrderField: liked,
  ReviewOrderField: liked,
  SeriesWorkOrderField: ['SEASON'],
  StaffOrderField: sorted,
  WorkOrderField: [createdAt, 'SEASON', 'WATCHERS_COUNT'],
}

const unions: Readonly<Record<string, readonly string[]>> = {
  ActivityItem: ['MultipleRecord', 'Record', 'Review', 'Status'],
  StaffResourceItem: ['Organization', 'Person'],
}

export function sdlOf(declared: Declarations): string {
  const connections = new Map(connectionsOf(declared).map(({ list }) => [connectionName(list), list]))
  return [
    deprecated,
    'scalar DateTime',
    'interface Node { id: ID! }',
    block('type', 'PageInfo', pageInfo),
    ...Object.entries(enums).map(([name, values]) => `enum ${name} { ${values.join(' ')} }`),
    ...Object.keys(enums).flatMap(orderInput),
    ...Object.entries(unions).map(([name, types]) => `union ${name} = ${types.join(' | ')}`),
    ...declared.types.map(({ name, fields }) => block('type', `${name} implements Node`, linesOf(fields))),
    ...[...connections].flatMap(connectionTypes),
    block('type', 'Query', linesOf(declared.query)),
    ...mutationTypes(declared.mutations),
  ].join('\n')
}

/** As in the specification of 2021: libraries of other languages refuse a schema with newer locations. */
const deprecated =
  'directive @deprecated(reason: String = "No longer supported") on FIELD_DEFINITION | ENUM_VALUE'

const pageInfo = {
  startCursor: 'String',
  endCursor: 'String',
  hasNextPage: 'Boolean!',
  hasPreviousPage: 'Boolean!',
}

type Lines = Readonly<Record<string, string>>

const block = (kind: 'type' | 'input', name: string, lines: Lines): string =>
  `${kind} ${name} {\n${Object.entries(lines)
    .map(([field, type]) => `  ${field}: ${type}`)
    .join('\n')}\n}`

const linesOf = (fields: GraphqlFields): Lines =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name + argumentsOf(field), field.type]))

function argumentsOf({ args = {} }: GraphqlField): string {
  const declared = Object.entries(args).map(([name, type]) => `${name}: ${type}`)
  return declared.length === 0 ? '' : `(${declared.join(', ')})`
}

function orderInput(name: string): string[] {
  if (!name.endsWith('OrderField')) return []
  return [block('input', name.replace(/Field$/, ''), { field: `${name}!`, direction: 'OrderDirection!' })]
}

const connectionTypes = ([name, { of, edge = {} }]: readonly [string, List]): string[] => [
  block('type', `${name}Connection`, {
    edges: `[${name}Edge]`,
    nodes: `[${of}]`,
    pageInfo: 'PageInfo!',
  }),
  block('type', `${name}Edge`, { cursor: 'String!', node: of, ...linesOf(edge) }),
]

function mutationTypes(mutations: readonly MutationDeclaration[]): string[] {
  const clientMutationId = 'String'
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
  return [
    block(
      'type',
      'Mutation',
      Object.fromEntries(
        mutations.map(({ name }) => [`${name}(input: ${capital(name)}Input!)`, `${capital(name)}Payload`]),
      ),
    ),
    ...mutations.flatMap(({ name, input, payload: [field, type] }) => [
      block('input', `${capital(name)}Input`, { ...input, clientMutationId }),
      block('type', `${capital(name)}Payload`, { [field]: type, clientMutationId }),
    ]),
  ]
}
