import {
  buildASTSchema,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql'
import type { Scope } from '../../api/bearer'
import type { Context, GraphqlField, GraphqlFields, SelectedRow } from '../declare/field'
import { connectionName } from '../declare/list'
import type { Input, MutationDeclaration } from '../declare/mutation'
import { type Catalogue, connectionsOf, type Declarations } from './catalogue'
import { connectionFields, edgeFields, inGroups, pageInfoFields } from './connections'
import { sdlOf } from './sdl'

/** Its directives are those of the specification of 2021, which the libraries of clients know. */
export function createCatalogue(declared: Declarations): Catalogue {
  const built = buildASTSchema(parse(sdlOf(declared)), { assumeValidSDL: true })
  const directives = built.getDirectives().filter(({ name }) => name !== 'oneOf')
  const schema = new GraphQLSchema({ ...built.toConfig(), directives })
  addResolvers(schema, declared)
  const fields = new Map(declared.types.map((type) => [type.name, type.fields]))
  for (const { list } of connectionsOf(declared)) fields.set(`${connectionName(list)}Edge`, list.edge ?? {})
  return {
    schema,
    types: new Map(declared.types.map((type) => [type.name, type])),
    readFields: (type, selected) =>
      sameRow(type, fields)
        .flatMap((one) =>
          Object.keys(fields.get(one) ?? {}).flatMap((name) =>
            selected(one).has(name) ? [`${one}.${name}`] : [],
          ),
        )
        .sort(),
    columnsOf: (names) =>
      new Map(
        names.flatMap((path) => {
          const [type = '', name = ''] = path.split('.')
          return [...(fields.get(type)?.[name]?.columns ?? [])]
        }),
      ),
  }
}

/** A type, the types its fields read from the same row, and the edges around its rows. */
function sameRow(type: string, fields: ReadonlyMap<string, GraphqlFields>): string[] {
  const inside = Object.values(fields.get(type) ?? {}).flatMap(({ sameRow = [] }) => sameRow)
  return [type, `${type}Edge`, ...new Set(inside)]
}

function addResolvers(schema: GraphQLSchema, declared: Declarations): void {
  for (const { name, fields } of declared.types) resolveBy(objectType(schema, name), fields)
  assign(objectType(schema, 'Query'), rootResolvers(declared.query))
  for (const { list } of connectionsOf(declared)) {
    const name = connectionName(list)
    assign(objectType(schema, `${name}Connection`), connectionFields)
    assign(objectType(schema, `${name}Edge`), edgeFields(list))
  }
  assign(objectType(schema, 'PageInfo'), pageInfoFields)
  const mutation = objectType(schema, 'Mutation')
  for (const one of declared.mutations) {
    assign(mutation, { [one.name]: resolveMutation(one) })
    assign(objectType(schema, `${payloadName(one.name)}`), resolvePayload(one))
  }
}

type RowResolver = GraphQLFieldResolver<SelectedRow, Context>

/** Fields of Query, which require the scope `read`. */
const rootResolvers = (fields: GraphqlFields): Readonly<Record<string, RowResolver>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, scopedResolverOf(field)]))

const scopedResolverOf = ({ type, resolve }: GraphqlField): RowResolver => {
  const checked: RowResolver = (row, args, context) => {
    requireTokenScope(context, 'read')
    return resolve(row, args, context)
  }
  if (!type.startsWith('[')) return checked
  return async (row, args, context, info) =>
    inGroups((await checked(row, args, context, info)) as readonly unknown[], context, info)
}

interface Payload {
  readonly clientMutationId: unknown
  readonly number: number | undefined
}

const resolveMutation =
  ({ run }: MutationDeclaration): GraphQLFieldResolver<unknown, Context> =>
  async (_, { input }: { readonly input: Input }, context): Promise<Payload> => {
    requireTokenScope(context, 'write')
    const number = await run(input, context)
    context.hasWritten = true
    context.rows.forget()
    return { clientMutationId: input.clientMutationId ?? null, number }
  }

/** Fails only the field: the request itself is answered. */
function requireTokenScope({ call }: Context, scope: Scope): void {
  if (!call.viewer.scopes.includes(scope)) throw new GraphQLError(`the access token lacks the scope ${scope}`)
}

const resolvePayload = ({
  payload: [field, type],
}: MutationDeclaration): Readonly<Record<string, GraphQLFieldResolver<Payload, Context>>> => ({
  [field]: ({ number }, _, { rows }) => rows.load(type, number),
})

const payloadName = (mutation: string) => `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload`

type Resolver = NonNullable<ReturnType<GraphQLObjectType['getFields']>[string]['resolve']>

function resolveBy(type: GraphQLObjectType, fields: GraphqlFields): void {
  assign(type, Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, resolverOf(field)])))
}

const resolverOf =
  ({ resolve }: GraphqlField): Resolver =>
  (row, args, context) =>
    resolve(row, args, context)

function assign(type: GraphQLObjectType, resolvers: Readonly<Record<string, Resolver>>): void {
  const fields = type.getFields()
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = fields[name]
    if (field !== undefined) field.resolve = resolve
  }
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is not declared`)
  return type
}
