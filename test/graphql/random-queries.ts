import fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

/** Picks a number below `n`. */
type Pick = (n: number) => number

/** Valid documents from the schema: any fields, arguments, aliases and fragments, queries and some mutations. */
export const randomQueries = (schema: GraphQLSchema): fc.Arbitrary<string> =>
  fc.infiniteStream(fc.nat(2 ** 30)).map((numbers) => {
    const pick: Pick = (n) => Number(numbers.next().value ?? 0) % n
    const isMutation = pick(4) === 0
    const root = isMutation ? schema.getMutationType() : schema.getQueryType()
    return `${isMutation ? 'mutation' : 'query'} ${selection(schema, root as GraphQLNamedType, pick, 1)}`
  })

const deepest = 8

function selection(schema: GraphQLSchema, type: GraphQLNamedType, pick: Pick, depth: number): string {
  if (isUnionType(type) || !isObjectType(type)) return onTypes(schema, type, pick, depth)
  const fields = Object.values(type.getFields())
  const shown = fields.filter((field) => depth < deepest || !isCompositeType(getNamedType(field.type)))
  if (shown.length === 0) return '{ __typename }'
  const some = Array.from({ length: 1 + pick(4) }, (_, nth) => {
    const field = shown[pick(shown.length)] as GraphQLField<unknown, unknown>
    return `f${depth}_${nth}: ${fieldText(schema, field, pick, depth)}`
  })
  return `{ ${some.join(' ')}${pick(5) === 0 ? ` ... @include(if: ${pick(2) === 0}) { __typename }` : ''} }`
}

function onTypes(schema: GraphQLSchema, type: GraphQLNamedType, pick: Pick, depth: number): string {
  const possible = schema.getPossibleTypes(type as Parameters<GraphQLSchema['getPossibleTypes']>[0])
  const one = possible[pick(possible.length)]
  if (one === undefined || depth >= deepest) return '{ __typename }'
  return `{ __typename ... on ${one.name} ${selection(schema, one, pick, depth)} }`
}

function fieldText(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  pick: Pick,
  depth: number,
): string {
  const named = getNamedType(field.type)
  const inside = isCompositeType(named) ? ` ${selection(schema, named, pick, depth + 1)}` : ''
  return `${field.name}${argumentsText(field.args, pick)}${inside}`
}

function argumentsText(args: readonly GraphQLArgument[], pick: Pick): string {
  const given = args.filter(({ type }) => isNonNullType(type) || pick(3) === 0)
  return given.length === 0
    ? ''
    : `(${given.map(({ name, type }) => `${name}: ${value(type, name, pick)}`).join(', ')})`
}

function value(type: GraphQLInputType, name: string, pick: Pick): string {
  if (isNonNullType(type)) return value(type.ofType, name, pick)
  if (isListType(type))
    return `[${Array.from({ length: pick(3) }, () => value(type.ofType, name, pick)).join(', ')}]`
  if (isEnumType(type)) return type.getValues()[pick(type.getValues().length)]?.name ?? 'null'
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((one) => isNonNullType(one.type) || pick(2) === 0)
    return `{${fields.map((one) => `${one.name}: ${value(one.type, one.name, pick)}`).join(', ')}}`
  }
  return scalar(type.name, name, pick)
}

const texts = ['', 'null', '恋', 'a_b', '2021-all', 'MQ', '\u{1f600}', '"', 'mio', '%']
const types = [
  'Work',
  'Episode',
  'Record',
  'Review',
  'LibraryEntry',
  'Status',
  'Channel',
  'Series',
  'User',
  'Nothing',
]

function scalar(type: string, name: string, pick: Pick): string {
  if (type === 'Boolean') return pick(2) === 0 ? 'true' : 'false'
  if (type === 'Int') return String(name === 'annictIds' ? pick(12) : pick(9) - 1)
  if (type === 'Float') return '1.5'
  if (type === 'ID')
    return JSON.stringify(pick(5) === 0 ? 'x' : btoa(`${wantedType(name, pick)}-${pick(12)}`))
  return JSON.stringify(texts[pick(texts.length)])
}

/** `episodeId` mostly names an episode. */
const wantedType = (name: string, pick: Pick) => {
  const own = name.replace(/Id$/, '').replace(/^./, (letter) => letter.toUpperCase())
  return types.includes(own) && pick(4) > 0 ? own : types[pick(types.length)]
}
