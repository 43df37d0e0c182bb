import type { Recorder } from './recorder'

export interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly anyOf?: readonly Schema[]
}

export interface Operation {
  readonly method: string
  /** For example `/v1/me/records/{id}`. */
  readonly path: string
  readonly query: Readonly<Record<string, Schema>>
  readonly body: Readonly<Record<string, Schema>>
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly schema?: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> }
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, Schema>>
}

export async function operationsOf(recorder: Recorder): Promise<Operation[]> {
  const { text } = await recorder.ask({ target: '/openapi.json' })
  const { paths }: OpenApiDocument = JSON.parse(text)
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operation(method.toUpperCase(), path, described)),
    )
}

function operation(
  method: string,
  path: string,
  { parameters = [], requestBody }: DocumentedOperation,
): Operation {
  const inQuery = parameters.filter((one) => one.in === 'query')
  return {
    method,
    path,
    query: Object.fromEntries(inQuery.map(({ name = '', schema = {} }) => [name, schema])),
    body: requestBody?.content['application/json']?.schema.properties ?? {},
  }
}

export const targetOf = ({ path }: Operation, id = '1') => path.replace('{id}', id)
