import type { AnyElysia } from 'elysia'
import { openapiComponents, type SchemaNames } from '../api/openapi/openapi'
import { anySecurity, tokenSchemes } from '../api/openapi/security'
import type { Config } from '../config'
import { operationOf } from '../http/operation'
import { version } from '../version'
import { oauthRedirectPath } from './api-page'

export interface DocumentParts {
  readonly names: SchemaNames
  readonly oauth: ApiSection
}

export interface ApiSection {
  readonly tag: { readonly name: string; readonly description: string }
  readonly schemas: Readonly<Record<string, object>>
  readonly securitySchemes: Readonly<Record<string, object>>
  flows(baseUrl: string): object
}

/** Loads the plugin on first use, since most starts never need it. */
export async function openapiDocument(
  served: AnyElysia,
  documented: DocumentParts,
  config: Config,
): Promise<string> {
  const { filterPaths, registerSchemaPath } = await import('@elysiajs/swagger/utils')
  const schema = {}
  for (const route of served.routes) {
    const detail = operationOf(route)
    if (detail !== undefined)
      registerSchemaPath({ schema, method: route.method, path: route.path, hook: { detail }, models: {} })
  }
  const schemes = tokenSchemes(config, documented.oauth.flows(config.baseUrl))
  // Else a path with a dot counts as a file.
  const paths = filterPaths(schema, { excludeStaticFile: false, exclude: [] })
  return JSON.stringify({ ...documentation(documented, schemes, config), paths })
}

const documentation = ({ names, oauth }: DocumentParts, schemes: object, config: Config) => ({
  // 3.1 is the first version with JSON Schema.
  openapi: '3.1.0',
  info: {
    title: 'kiroku API',
    description:
      'The REST API of kiroku, a viewing log for anime. It speaks the v1 dialect of Annict: every endpoint takes an ' +
      'access token, lists come in pages, `fields` picks what is returned.\n\n' +
      `To try it out as an application, register it with the redirect URI \`${config.baseUrl}${oauthRedirectPath}\`, or paste a ` +
      'personal access token.\n\n' +
      'GraphQL is served beside it: `POST /graphql` takes the same tokens and speaks the dialect of Annict.\n\n' +
      'What Annict has not is called an extension and marked with `x-extension`. Two errors belong to no operation, ' +
      'since they are about requests that reach none: `unknown_route` (404), where no endpoint has the path, and ' +
      '`method_not_allowed` (405), where it has other methods, which `Allow` lists.',
    version,
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
    { name: 'Imports', description: 'Lists that are taken over from other services' },
    oauth.tag,
  ],
  components: documentedComponents({ names, oauth }, schemes, config.baseUrl),
})

function documentedComponents({ names, oauth }: DocumentParts, schemes: object, baseUrl: string) {
  const components = openapiComponents(names, baseUrl)
  return {
    ...components,
    schemas: { ...components.schemas, ...oauth.schemas },
    securitySchemes: { ...schemes, ...oauth.securitySchemes },
  }
}
