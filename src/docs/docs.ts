import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
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
  ({ config }: Deps, documented: DocumentParts) =>
  (server: Server): Server => {
    // A blob is shared by the answers; a text would be copied for each.
    let document: Promise<Blob> | undefined
    server
      .get('/openapi.json', async () => {
        document ??= openapiDocument(server, documented, config).then((text) => new Blob([text]))
        return new Response(await document, { headers: jsonHeaders })
      })
      .get(oauthRedirectPath, () => oauthRedirectPage(config.baseUrl))
      .get(assetPaths.script, async ({ request }) => apiPageAssets.script(request))
      .get(assetPaths.returned, async ({ request }) => apiPageAssets.returned(request))
      .get(assetPaths.style, async ({ request }) => apiPageAssets.style(request))
      .get(graphiqlAssetPaths.script, async ({ request }) => graphiqlAssets.script(request))
      .get(graphiqlAssetPaths.style, async ({ request }) => graphiqlAssets.style(request))
    return server
  }
