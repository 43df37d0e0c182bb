import { Elysia } from 'elysia'
import type { TObject } from 'typebox'
import type { Endpoint } from '../api/endpoint'
import { openapiComponents, openapiOperation, type SchemaNames } from '../api/openapi/openapi'
import { anySecurity, tokenSchemes } from '../api/openapi/security'
import type { Resource } from '../api/resource'
import type { Config } from '../config'
import { jsonHeaders } from '../http/errors'
import { version } from '../version'
import { type ApiScripts, apiScripts, assetPaths, returnPage, returnPath } from './api-page'

/** Answers `/openapi.json`, has the scripts of `/docs`, and answers consent that was given from there. */
export interface Documentation {
  openapi(): Promise<Response>
  scripts(): Promise<ApiScripts>
  returned(): Response
}

/** What is documented. */
export interface Documented {
  readonly endpoints: readonly Endpoint[]
  readonly names: SchemaNames
  readonly oauth: Section
}

/** Operations besides those of `/v1`, and what the document has for them. */
export interface Section {
  readonly tag: { readonly name: string; readonly description: string }
  readonly operations: readonly {
    readonly method: string
    readonly path: string
    operation(): object
  }[]
  readonly schemas: Readonly<Record<string, object>>
  readonly securitySchemes: Readonly<Record<string, object>>
  /** The flows that give a token. */
  flows(baseUrl: string): object
}

/**
 * The API's documentation, made by the plugin on a router of its own that is never served: its page would load
 * scripts from a public network as it is. Both answers are made once, when first asked for.
 */
export function createDocumentation(documented: Documented, config: Config, basePath: string): Documentation {
  let router: ReturnType<typeof documentingRouter> | undefined
  const ask = async (path: string) => {
    router ??= documentingRouter(documented, config, basePath)
    return (await router).fetch(new Request(`http://localhost${path}`))
  }
  let openapi: Promise<string> | undefined
  let scripts: Promise<ApiScripts> | undefined
  return {
    openapi: async () => {
      openapi ??= ask('/openapi.json').then((response) => response.text())
      return new Response(await openapi, { headers: jsonHeaders })
    },
    scripts: () => {
      scripts ??= ask('/docs').then((response) => apiScripts(response, basePath))
      return scripts
    },
    returned: () => {
      const { html, headers } = returnPage(basePath)
      return new Response(html, { headers })
    },
  }
}

async function documentingRouter({ endpoints, names, oauth }: Documented, config: Config, basePath: string) {
  // Loaded for the first reader: most starts have none.
  const { swagger } = await import('@elysiajs/swagger')
  const schemes = tokenSchemes(config, oauth.flows(config.baseUrl))
  const router = new Elysia()
  const add = (method: string, path: string, detail: object) =>
    router.route(method, path, () => '', { detail })
  for (const { method, path, scope, operation } of endpoints) {
    add(method, path, openapiOperation(method, path, scope, operation, names))
    if (method !== 'PATCH') continue
    const put = { ...operation, summary: `Extension: ${operation.summary}, as PATCH does` }
    add('PUT', path, openapiOperation('PUT', path, scope, put, names))
  }
  for (const { method, path, operation } of oauth.operations) add(method, path, operation())
  return router.use(
    swagger({
      provider: 'swagger-ui',
      path: '/docs',
      specPath: '/openapi.json',
      documentation: documentation({ names, oauth }, schemes, config) as never,
      // Otherwise a path with a dot is taken for a file.
      excludeStaticFile: false,
      theme: basePath + assetPaths.style,
      autoDarkMode: false,
      // `none` keeps the page from asking a public validator about the document.
      swaggerOptions: {
        validatorUrl: 'none',
        tryItOutEnabled: true,
        oauth2RedirectUrl: config.baseUrl + returnPath,
      },
    }),
  )
}

/** What the OpenAPI document says besides its operations. */
const documentation = (
  { names, oauth }: Pick<Documented, 'names' | 'oauth'>,
  schemes: object,
  config: Config,
) => ({
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

function documentedComponents(
  { names, oauth }: Pick<Documented, 'names' | 'oauth'>,
  schemes: object,
  baseUrl: string,
) {
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
