import type { Deps } from '../deps'
import { jsonHeaders } from '../http/errors'
import type { Server } from '../http/server'
import { apiDocsPage } from '../pages/api-docs'
import { anyone } from '../web/access'
import { definePage, type PageRoute } from '../web/page'
import { assetPaths, returnPage, returnPath, startScript } from './api-page'
import { apiPageAssets } from './assets'
import { type Documented, openapiDocument } from './documentation'

/** GET /docs: the API's documentation, for people. */
export const docsPage: PageRoute = definePage({
  path: '/docs',
  access: anyone,
  show: ({ look, deps }) => apiDocsPage(look, deps.config.baseUrl, startScript(deps.config.baseUrl)),
})

/** Adds the API's documentation for programs, of the routes that the server has, and what the page loads. */
export const docs =
  ({ config }: Deps, documented: Documented) =>
  (server: Server): Server => {
    let document: Promise<string> | undefined
    server
      .get('/openapi.json', async () => {
        document ??= openapiDocument(server, documented, config)
        return new Response(await document, { headers: jsonHeaders })
      })
      .get(returnPath, () => returnPage(config.baseUrl))
      .get(assetPaths.script, async ({ request }) => apiPageAssets.script(request))
      .get(assetPaths.returned, async ({ request }) => apiPageAssets.returned(request))
      .get(assetPaths.style, async ({ request }) => apiPageAssets.style(request))
    return server
  }
