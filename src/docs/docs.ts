import type { AnyElysia } from 'elysia'
import { openapiComponents, type SchemaNames } from '../api/openapi/openapi'
import { anySecurity, tokenSchemes } from '../api/openapi/security'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
import { pageHeaders } from '../http/headers'
import { operationOf } from '../http/operation'
import { files, programs } from '../http/programs'
import type { Route } from '../http/route'
import type { Server } from '../http/server'
import { basePathOf } from '../lib/base-path'
import { apiDocsPage } from '../pages/api-docs'
import { assetPath } from '../pages/assets'
import { version } from '../version'
import { anyone, definePage, type PageRoute } from '../web/page'
import { apiPageAssets, graphiqlAssets } from './assets'
import { graphiqlAssetPaths } from './graphiql-page'

export const docsPage: PageRoute = definePage({
  path: '/docs',
  access: anyone,
  show: (visit) => apiDocsPage(visit, visit.deps.config.baseUrl, startScript(visit.deps.config.baseUrl)),
})

export const assetPaths = {
  script: '/docs/assets/swagger-ui-bundle.js',
  style: '/docs/assets/swagger-ui.css',
  returned: '/docs/assets/oauth2-redirect.js',
}

/** Redirect URI of the documentation page, to be registered by its users. */
export const oauthRedirectPath = '/docs/oauth2-redirect.html'

interface InlineScript {
  readonly inline: string
  /** Hash of the script, for a CSP. */
  readonly hash: string
}

function startScript(baseUrl: string): InlineScript {
  const options = {
    url: `${basePathOf(baseUrl)}/openapi.json`,
    dom_id: '#swagger-ui',
    // Without this, swagger-ui sends the document to a public validator.
    validatorUrl: 'none',
    tryItOutEnabled: true,
    oauth2RedirectUrl: baseUrl + oauthRedirectPath,
  }
  const inline = `SwaggerUIBundle(${JSON.stringify(options).replaceAll('<', '\\u003c')})`
  return { inline, hash: hashOf(inline) }
}

/** A page that passes the authorization code to the page that opened it, and closes itself. */
function oauthRedirectPage(baseUrl: string): Response {
  const basePath = basePathOf(baseUrl)
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>kiroku API</title>' +
    `<link rel="icon" href="${basePath}${assetPath('icon.svg')}" /></head>` +
    `<body><h1>kiroku API</h1><script src="${basePath}${assetPaths.returned}"></script></body></html>`
  return new Response(html, { headers: pageHeaders() })
}

const hashOf = (script: string) =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`

export const docs =
  (deps: Deps, documented: DocumentParts) =>
  (server: Server): Server => {
    const { config } = deps
    // A blob is shared by the answers; a text would be copied for each.
    let document: Promise<Blob> | undefined
    const answers: Readonly<Record<string, Route['answer']>> = {
      '/openapi.json': async () => {
        document ??= openapiDocument(server, documented, config).then((text) => new Blob([text]))
        return new Response(await document, { headers: jsonHeaders })
      },
      [oauthRedirectPath]: () => oauthRedirectPage(config.baseUrl),
      [assetPaths.script]: ({ request }) => apiPageAssets.script(request),
      [assetPaths.returned]: ({ request }) => apiPageAssets.returned(request),
      [assetPaths.style]: ({ request }) => apiPageAssets.style(request),
      [graphiqlAssetPaths.script]: ({ request }) => graphiqlAssets.script(request),
      [graphiqlAssetPaths.style]: ({ request }) => graphiqlAssets.style(request),
    }
    const routes = Object.entries(answers).map(([path, answer]): Route => ({ method: 'GET', path, answer }))
    return programs(deps, files(routes))(server)
  }

interface DocumentParts {
  readonly names: SchemaNames
  readonly oauth: ApiSection
}

interface ApiSection {
  readonly tag: { readonly name: string; readonly description: string }
  readonly schemas: Readonly<Record<string, object>>
  readonly securitySchemes: Readonly<Record<string, object>>
  flows(baseUrl: string): object
}

/** Loads the plugin on first use, since most starts never need it. */
async function openapiDocument(
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
  // By default, a path with a dot counts as a file.
  const paths = filterPaths(schema, { excludeStaticFile: false, exclude: [] })
  return JSON.stringify({ ...documentation(documented, schemes, config), paths })
}

const documentation = ({ names, oauth }: DocumentParts, schemes: object, config: Config) => ({
  // The first version that uses JSON Schema.
  openapi: '3.1.0',
  info: {
    title: 'kiroku API',
    description:
      'The REST API of kiroku, a viewing log for anime. It implements Annict’s v1 dialect: every endpoint requires an ' +
      'access token, lists are paginated, `fields` selects the fields to return.\n\n' +
      `To try it out as an application, register it with the redirect URI \`${config.baseUrl}${oauthRedirectPath}\`, or paste a ` +
      'personal access token.\n\n' +
      'GraphQL is available at `POST /graphql`, with the same tokens and Annict’s dialect.\n\n' +
      'Extensions are what Annict does not have; they are marked with `x-extension`. Two errors belong to no operation, ' +
      'because no operation receives the request: `unknown_route` (404), if no endpoint has the path, and ' +
      '`method_not_allowed` (405), if the path only supports other methods, which `Allow` lists.',
    version,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: config.baseUrl }],
  security: anySecurity(config),
  tags: [
    { name: 'Works', description: 'The works of the catalogue' },
    { name: 'Catalogue', description: 'Data that belongs to works' },
    { name: 'Records', description: 'Records on episodes' },
    { name: 'Reviews', description: 'Reviews of works' },
    { name: 'Lists', description: 'Lists of works that users make' },
    { name: 'Activities', description: 'Activities of users' },
    { name: 'Programs', description: 'Broadcasts and channels' },
    { name: 'Users', description: 'Users of this instance, and their relationships' },
    { name: 'Imports', description: 'Importing lists from other services' },
    { name: 'Notifications', description: 'Where members are told of news' },
    { name: 'Scrobbling', description: 'What players report was watched' },
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
