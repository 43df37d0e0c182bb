import { type AnyElysia, Elysia } from 'elysia'
import type { TObject } from 'typebox'
import { openapiComponents, type SchemaNames } from '../api/openapi/openapi'
import { anySecurity, tokenSchemes } from '../api/openapi/security'
import type { Resource } from '../api/resource'
import type { Config } from '../config'
import { operationOf } from '../http/operation'
import { version } from '../version'
import { returnPath } from './api-page'

/** What the document has besides the operations of the served routes. */
export interface Documented {
  readonly names: SchemaNames
  readonly oauth: Section
}

/** What the document says about a part of the API that is none of `/v1`. */
export interface Section {
  readonly tag: { readonly name: string; readonly description: string }
  readonly schemas: Readonly<Record<string, object>>
  readonly securitySchemes: Readonly<Record<string, object>>
  /** The flows that give a token. */
  flows(baseUrl: string): object
}

/**
 * The OpenAPI document of the served routes that have an operation. The plugin that writes it is loaded for the first
 * reader, since most starts have none (15 ms and 5 MB), and so on an instance of its own.
 */
export async function openapiDocument(
  served: AnyElysia,
  documented: Documented,
  config: Config,
): Promise<string> {
  const { swagger } = await import('@elysiajs/swagger')
  const router = new Elysia()
  for (const route of served.routes) {
    const detail = operationOf(route)
    if (detail !== undefined) router.route(route.method, route.path, () => '', { detail })
  }
  const schemes = tokenSchemes(config, documented.oauth.flows(config.baseUrl))
  router.use(
    swagger({
      specPath: '/openapi.json',
      documentation: documentation(documented, schemes, config) as never,
      // Otherwise a path with a dot is taken for a file.
      excludeStaticFile: false,
    }),
  )
  return (await router.handle(new Request('http://localhost/openapi.json'))).text()
}

/** What the OpenAPI document says besides its operations. */
const documentation = ({ names, oauth }: Documented, schemes: object, config: Config) => ({
  // The schemas are JSON Schema, which OpenAPI speaks from 3.1 on.
  openapi: '3.1.0',
  info: {
    title: 'kiroku API',
    version,
    description:
      'The REST API of kiroku, a viewing log for anime. It speaks the v1 dialect of Annict: every endpoint takes an ' +
      'access token, lists come in pages, `fields` picks what is returned.\n\n' +
      `To try it out as an application, register it with the redirect URI \`${config.baseUrl}${returnPath}\`, or paste a ` +
      'personal access token.\n\n' +
      'What Annict has not is called an extension and marked with `x-extension`. Two errors belong to no operation, ' +
      'since they are about requests that reach none: `unknown_route` (404), where no endpoint has the path, and ' +
      '`method_not_allowed` (405), where it has other methods, which `Allow` lists.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: config.baseUrl }],
  security: anySecurity(config),
  tags: [
    { name: 'Works', description: 'The works of the catalogue' },
    { name: 'Catalogue', description: 'What belongs to works' },
    { name: 'Records', description: 'Records on episodes' },
    { name: 'Reviews', description: 'Reviews of works' },
    { name: 'Activities', description: 'What users did' },
    { name: 'Programs', description: 'Broadcasts and channels' },
    { name: 'Users', description: 'Users of this instance, and what they are to each other' },
    oauth.tag,
  ],
  components: documentedComponents({ names, oauth }, schemes, config.baseUrl),
})

function documentedComponents({ names, oauth }: Documented, schemes: object, baseUrl: string) {
  const components = openapiComponents(names, baseUrl)
  return {
    ...components,
    schemas: { ...components.schemas, ...oauth.schemas },
    securitySchemes: { ...schemes, ...oauth.securitySchemes },
  }
}

/** The names under which resources stand in the document. */
export const schemaNames = (resources: readonly Resource[]): SchemaNames =>
  new Map(resources.map(({ schema, name }): [TObject, string] => [schema, name]))
