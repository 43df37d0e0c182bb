import type { TSchema } from 'typebox'
import type { ErrorType } from '../../http/errors'
import { fieldsNote } from '../fields'
import type { Params } from '../params'
import type { Resource } from '../resource'
import { errorResponses, errorsSchema, sharedErrors } from './errors'
import { headersOf, openapiHeaders } from './headers'
import { type BodyDocs, descriptionFlags, operationInput } from './params'
import { tokenSecurity } from './security'

export interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly params: Params
  readonly answer: OperationAnswer
  readonly errors: readonly ErrorType[]
  /** If it differs from the usual one. */
  readonly body?: BodyDocs
}

interface OperationAnswer {
  readonly status: 200 | 201 | 204
  readonly schema?: TSchema
  readonly contentType?: string
  readonly description: string
}

/** Resources whose schemas the documentation refers to by name. */
export type SchemaNames = readonly Pick<Resource, 'name' | 'schema'>[]

export function openapiOperation(
  method: string,
  path: string,
  scope: string,
  operation: Operation,
  names: SchemaNames,
): object {
  const { summary, description, tag, params, answer, errors, body } = operation
  const { schema, contentType = 'application/json' } = answer
  const content = schema && { [contentType]: jsonContent(schema, names) }
  const needed = `Requires a token with the scope \`${scope}\`.`
  return {
    operationId: operationId(method, path),
    summary,
    description: description === undefined ? needed : `${description} ${needed}`,
    tags: [tag],
    security: tokenSecurity([scope]),
    ...descriptionFlags(summary),
    ...operationInput(method, path, params, body),
    responses: {
      [answer.status]: {
        description: describedAnswer(operation),
        headers: headersOf(),
        ...(content && { content }),
      },
      ...errorResponses([...commonErrors, ...(method === 'GET' ? [] : bodyErrors), ...errors]),
    },
  }
}

const describedAnswer = ({ params, answer }: Operation) =>
  'fields' in params ? `${answer.description}. ${fieldsNote}` : answer.description

const commonErrors: readonly ErrorType[] = [
  'invalid_params',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

const bodyErrors: readonly ErrorType[] = ['payload_too_large']

export const jsonContent = (schema: TSchema, names: SchemaNames) => ({
  schema: withReferences(schema, names),
  example: exampleOf(schema),
})

export function openapiComponents(names: SchemaNames, baseUrl: string) {
  const schemas = names.map(({ schema, name }) => [name, insideReferences(schema, names)])
  return {
    schemas: { ...Object.fromEntries(schemas), Errors: errorsSchema },
    responses: sharedErrors(baseUrl),
    headers: openapiHeaders,
  }
}

function withReferences(schema: unknown, names: SchemaNames): unknown {
  const name = nameOf(schema, names)
  return name === undefined ? insideReferences(schema, names) : { $ref: `#/components/schemas/${name}` }
}

/** Compares properties: `Type.Optional` copies a schema, but the copy shares them. */
function nameOf(schema: unknown, names: SchemaNames): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return undefined
  return names.find((named) => named.schema.properties === schema.properties)?.name
}

function insideReferences(schema: unknown, names: SchemaNames): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, names))
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.entries(schema).map(([key, value]) => [key, withReferences(value, names)])
  return { ...Object.fromEntries(inside), ...descriptionFlags(descriptionOf(schema)) }
}

/** A nullable value is described by its inner value. */
const descriptionOf = (schema: { description?: unknown; anyOf?: readonly { description?: unknown }[] }) =>
  schema.description ?? schema.anyOf?.[0]?.description

function exampleOf(schema: TSchema): unknown {
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
