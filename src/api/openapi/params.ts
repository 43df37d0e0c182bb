import { Check } from 'typebox/schema'
import type { Param, Params } from '../params'

export interface OperationInput {
  readonly parameters: readonly object[]
  readonly requestBody?: object
}

/** `kinds`: content types, the preferred one first. */
export interface BodyDocs {
  readonly description: string
  readonly kinds: readonly string[]
}

/** Queries are documented for GET only: others accept them too (D6), but users' texts do not belong in URLs. */
export function operationInput(
  method: string,
  path: string,
  params: Params,
  bodyDocs = apiBodyDocs,
): OperationInput {
  const isInPath = ([name]: [string, unknown]) => path.split('/').includes(`:${name}`)
  const all = Object.entries(params)
  if (method === 'GET') return { parameters: all.map((one) => parameter(...one, isInPath(one))) }
  const sent = all.filter((one) => !isInPath(one))
  return {
    parameters: all.filter(isInPath).map((one) => parameter(...one, true)),
    ...(sent.length > 0 && { requestBody: requestBody(sent, bodyDocs) }),
  }
}

export const descriptionFlags = (description: unknown) => ({
  ...(/^Extension: /.test(String(description)) && { 'x-extension': true }),
  ...(/^Deprecated: /.test(String(description)) && { deprecated: true }),
})

function parameter(name: string, param: Param<unknown>, inPath: boolean): object {
  const { schema, description, example, required } = param
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || required,
    description,
    ...descriptionFlags(description),
    // Inside the schema: elsewhere, the documentation page would fill it into every request.
    schema: { ...schema, ...defaultOf(param), examples: [example] },
  }
}

type SentParams = readonly [name: string, param: Param<unknown>][]

const [json, form, multipart] = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]

const apiBodyDocs: BodyDocs = {
  description:
    'Any of these may be sent in the query instead; the body takes precedence. A blank value, or null in JSON, ' +
    'counts as not sent, unless it is described as clearing something.',
  kinds: [json, form, multipart],
}

export const uploadBodyDocs: BodyDocs = {
  description:
    'The access token must not be in the body. Everything except the file may be sent in the query instead.',
  kinds: [multipart],
}

/** Values sent in the query alone are not accepted (D65). */
export const oauthBodyDocs: BodyDocs = {
  description:
    'Never only in the query; a copy there must be equal. A blank value, or null in JSON, counts as not sent.',
  kinds: [form, multipart, json],
}

const requestBody = (sent: SentParams, { kinds, description }: BodyDocs): object => ({
  description,
  required: sent.some(([, { required }]) => required),
  content: Object.fromEntries(
    kinds.map((kind) => [kind, content(sent, kind === json ? jsonField : formField)]),
  ),
})

function content(sent: SentParams, field: (param: Param<unknown>) => BodyField) {
  const fields = sent.map(([name, param]): [string, BodyField] => [name, field(param)])
  const required = sent.filter(([, param]) => param.required).map(([name]) => name)
  // Mutually exclusive parameters are all optional; the example then shows the first one.
  const [alternative] = sent.find(([, { isAlternative }]) => isAlternative) ?? []
  const shown = fields.filter(([name], at) =>
    required.length > 0 ? required.includes(name) || name === alternative : at === 0,
  )
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(required.length > 0 && { required }),
    },
    example: Object.fromEntries(shown.map(([name, { examples }]) => [name, examples[0]])),
  }
}

interface BodyField {
  readonly description: string
  readonly examples: readonly unknown[]
}

/** An optional field of a form may be blank (D7). */
const formField = (param: Param<unknown>): BodyField =>
  fieldOf(param, param.required || acceptsBlank(param) ? [] : [blank], param.example)

/** In JSON, an id list may be an array, a blank may be null (D6), and optional text may be blank as well. */
function jsonField(param: Param<unknown>): BodyField {
  const { example, required, list } = param
  const isBlankText = !required && typeof example === 'string' && !acceptsBlank(param)
  const besides = [
    ...(list ? [idArray] : []),
    ...(isBlankText ? [blank] : []),
    ...(required ? [] : [{ type: 'null' }]),
  ]
  return fieldOf(param, besides, list ? String(example).split(',').map(Number) : example)
}

function fieldOf(param: Param<unknown>, besides: readonly object[], example: unknown): BodyField {
  const { description } = param
  const schema = param.required && acceptsBlank(param) ? { ...param.schema, minLength: 1 } : param.schema
  const types = besides.length === 0 ? schema : { anyOf: [schema, ...besides] }
  return { ...types, description, ...descriptionFlags(description), ...defaultOf(param), examples: [example] }
}

const defaultOf = ({ defaultValue }: Param<unknown>) =>
  defaultValue === undefined ? {} : { default: defaultValue }

const acceptsBlank = ({ schema }: Param<unknown>) => Check(schema, '')

const blank = { type: 'string', const: '' }

const idArray = { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 500 }
