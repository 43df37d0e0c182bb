import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isUnionType,
  validateSchema,
} from 'graphql'
import { printedSchema } from '../../src/graphql/print'
import facts from './schema-facts.json' with { type: 'json' }

const schema = buildSchema(printedSchema())
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))

const sorted = (names: readonly string[]) => names.toSorted()

function written({ args, type }: GraphQLField<unknown, unknown>): string {
  const own = sorted(args.map((arg) => `${arg.name}: ${arg.type}`)).join(', ')
  return `${own === '' ? '' : `(${own})`}: ${type}`
}

const fieldsOf = (name: string) => {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is no object type`)
  return Object.fromEntries(Object.entries(type.getFields()).map(([field, one]) => [field, written(one)]))
}

const inputOf = (name: string) => {
  const type = schema.getType(name)
  if (!isInputObjectType(type)) throw new Error(`${name} is no input type`)
  return sorted(Object.values<GraphQLInputField>(type.getFields()).map((one) => `${one.name}: ${one.type}`))
}

const namesOf = (is: (type: GraphQLNamedType) => boolean) => sorted(types.filter(is).map(({ name }) => name))

test('the served schema is docs/schema.graphql, and valid', () => {
  expect(printedSchema()).toBe(readFileSync('docs/schema.graphql', 'utf8'))
  expect(validateSchema(schema)).toEqual([])
})

test.each(Object.entries(facts.types))(
  '%s has the fields, arguments and types of Annict’s schema, and the documented extensions',
  (name, fields) => {
    expect(fieldsOf(name)).toEqual({ ...fields, ...extensions[name] })
  },
)

/** What Annict's schema lacks, as docs/graphql.md says. */
const extensions: Readonly<Record<string, object>> = { Work: { coverUrl: ': String!' } }

test('docs/graphql.md names each field that Annict’s schema lacks', () => {
  const text = readFileSync('docs/graphql.md', 'utf8')
  const names = Object.entries(extensions).flatMap(([type, fields]) =>
    Object.keys(fields).map((field) => `\`${type}.${field}\` is an extension`),
  )
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})

test.each(facts.connections)('%sConnection has only nodes, edges and pageInfo', (name) => {
  const node = name === 'SeriesWork' ? 'Work' : name
  expect(fieldsOf(`${name}Connection`)).toEqual({
    edges: `: [${name}Edge]`,
    nodes: `: [${node}]`,
    pageInfo: ': PageInfo!',
  })
  const more: Readonly<Record<string, object>> = facts.edges
  expect(fieldsOf(`${name}Edge`)).toEqual({
    cursor: ': String!',
    node: `: ${node}`,
    ...more[`${name}Edge`],
  })
})

test.each(Object.entries(facts.mutations))('%s has its input and its payload', (name, { input, payload }) => {
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  expect(fieldsOf('Mutation')[name]).toBe(`(input: ${title}Input!): ${title}Payload`)
  expect(inputOf(`${title}Input`)).toEqual(sorted([...input, 'clientMutationId: String']))
  const [field = '', type] = payload.split(': ')
  expect(fieldsOf(`${title}Payload`)).toEqual({ [field]: `: ${type}`, clientMutationId: ': String' })
})

test('these are all enums, unions, orders and scalars', () => {
  const enums = types.filter(isEnumType).map((type) => [type.name, type.getValues().map(({ name }) => name)])
  expect(Object.fromEntries(enums)).toEqual(facts.enums)
  const unions = types.filter(isUnionType).map((type) => [type.name, sorted(type.getTypes().map(String))])
  expect(Object.fromEntries(unions)).toEqual(facts.unions)
  for (const [name, field] of Object.entries(facts.orders))
    expect(inputOf(name)).toEqual(sorted([`field: ${field}`, 'direction: OrderDirection!']))
  expect(namesOf(isScalarType)).toEqual(['Boolean', 'DateTime', 'Float', 'ID', 'Int', 'String'])
})

test('there are no other types, no default values, no deprecations and no descriptions', () => {
  const mutations = Object.keys(facts.mutations).map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  const objects = [
    ...[...Object.keys(facts.types), 'Mutation', 'PageInfo'],
    ...facts.connections.flatMap((name) => [`${name}Connection`, `${name}Edge`]),
    ...mutations.map((name) => `${name}Payload`),
  ]
  expect(namesOf(isObjectType)).toEqual(sorted(objects))
  const inputs = [...Object.keys(facts.orders), ...mutations.map((name) => `${name}Input`)]
  expect(namesOf(isInputObjectType)).toEqual(sorted(inputs))
  expect(printedSchema()).not.toMatch(/ = [^A-Z\n]|@deprecated|"""/)
})

test('these types implement Node', () => {
  const nodes = types.filter((type) => isObjectType(type) && type.getInterfaces().length > 0)
  expect(sorted(nodes.map(({ name }) => name))).toEqual(facts.nodes)
})
