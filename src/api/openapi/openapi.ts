import type { TObject, TSchema } from 'typebox'
import type { ErrorType } from '../../http/errors'
import { onlyNamed } from '../fields'
import type { Params } from '../params'
import { errorResponses, errorsSchema, sharedErrors } from './errors'
import { headersOf, openapiHeaders } from './headers'
import { marksOf, operationInput } from './params'
import { tokenSecurity } from './security'

/** What the documentation says of an endpoint; everything in it comes from the endpoint's declaration. */
export interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly params: Params
  readonly answer: { readonly status: 200 | 204; readonly schema?: TSchema; readonly description: string }
  /** Errors it can answer with besides those that every endpoint has. */
  readonly errors: readonly ErrorType[]
}

/** Schemas that have a name in the documentation. */
export type SchemaNames = ReadonlyMap<TObject, string>

/** The OpenAPI 3.1 operation of an endpoint. */
export function openapiOperation(
  method: string,
  path: string,
  scope: string,
  operation: Operation,
  names: SchemaNames,
): object {
  const { summary, description, tag, params, answer, errors } = operation
  const content = answer.schema && { 'application/json': jsonContent(answer.schema, names) }
  const needed = `Needs a token with the scope \`${scope}\`.`
  return {
    operationId: operationId(method, path),
    summary,
    description: description === undefined ? needed : `${description} ${needed}`,
    tags: [tag],
    security: tokenSecurity([scope]),
    ...marksOf(summary),
    ...operationInput(method, path, params),
    responses: {
      [answer.status]: {
        description: describedAnswer(operation),
        headers: headersOf(),
        ...(content && { content }),
      },
      ...errorResponses([...everywhere, ...(method === 'GET' ? [] : ofBodies), ...errors]),
    },
  }
}

const describedAnswer = ({ params, answer }: Operation) =>
  'fields' in params ? `${answer.description}. ${onlyNamed}` : answer.description

const everywhere: readonly ErrorType[] = [
  'invalid_params',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

const ofBodies: readonly ErrorType[] = ['payload_too_large']

/** JSON as an operation takes or answers it. */
export const jsonContent = (schema: TSchema, names: SchemaNames) => ({
  schema: withReferences(schema, names),
  example: exampleOf(schema),
})

/** The shared parts of the document: named schemas, error responses, headers. */
export function openapiComponents(names: SchemaNames, baseUrl: string) {
  const schemas = [...names].map(([schema, name]) => [name, insideReferences(schema, names)])
  return {
    schemas: { ...Object.fromEntries(schemas), Errors: errorsSchema },
    responses: sharedErrors(baseUrl),
    headers: openapiHeaders,
  }
}

/** A schema in which every named schema is a reference. */
function withReferences(schema: unknown, names: SchemaNames): unknown {
  const name = nameOf(schema, names)
  return name === undefined ? insideReferences(schema, names) : { $ref: `#/components/schemas/${name}` }
}

/** A copy of a schema, as an optional field has one, shares its properties. */
function nameOf(schema: unknown, names: SchemaNames): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return undefined
  return names.entries().find(([{ properties }]) => properties === schema.properties)?.[1]
}

function insideReferences(schema: unknown, names: SchemaNames): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, names))
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.entries(schema).map(([key, value]) => [key, withReferences(value, names)])
  return { ...Object.fromEntries(inside), ...marksOf(descriptionOf(schema)) }
}

/** What is said of a value that may be null is said of the value. */
const descriptionOf = (schema: { description?: unknown; anyOf?: readonly { description?: unknown }[] }) =>
  schema.description ?? schema.anyOf?.[0]?.description

/** An example put together from the examples of a schema's leaves. */
export function exampleOf(schema: TSchema): unknown {
  const { type, properties, items, anyOf, examples } = schema as Record<string, unknown>
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (type === 'array') return [exampleOf(items as TSchema)]
  if (type === 'object') {
    const fields = Object.entries(properties as Record<string, TSchema>)
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
  }
  if (type === 'string') return ''
  if (type === 'boolean') return false
  return type === 'integer' || type === 'number' ? 0 : null
}

/** `GET /v1/me/works` → `getMeWorks`. */
export const operationId = (method: string, path: string) =>
  method.toLowerCase() +
  path
    .replace(/^\/v1/, '')
    .replace(/:([a-z_]+)/g, 'by_$1')
    .replace(/(?:^|[^A-Za-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase())
