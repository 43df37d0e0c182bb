import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
import { files, programs } from '../http/programs'
import type { Route } from '../http/route'
import type { Server } from '../http/server'
import { apiDocsPage } from '../pages/api-docs'
import { anyone, definePage, type PageRoute } from '../web/page'
import { assetPaths, oauthRedirectPage, oauthRedirectPath, startScript } from './api-page'
import { apiPageAssets, graphiqlAssets } from './assets'
import { type DocumentParts, openapiDocument } from './documentation'
import { graphiqlAssetPaths } from './graphiql-page'

export const docsPage: PageRoute = definePage({
  path: '/docs',
  access: anyone,
  show: (visit) => apiDocsPage(visit, visit.deps.config.baseUrl, startScript(visit.deps.config.baseUrl)),
})

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
