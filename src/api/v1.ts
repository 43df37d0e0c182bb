import { documented } from '../http/operation'
import type { Server } from '../http/server'
import { type Endpoint, type Shared, serveEndpoint } from './endpoint'
import { openapiOperation, type SchemaNames } from './openapi/openapi'

/** Adds the endpoints of `/v1`, each with its operation in the documentation. `names`: of schemas in that. */
export const v1 =
  (shared: Shared, endpoints: readonly Endpoint[], names: SchemaNames) =>
  (server: Server): Server => {
    for (const endpoint of endpoints)
      for (const { method, path, operation } of routesOf(endpoint))
        server.route(
          method,
          path,
          async ({ request, params, arrival, limits }) =>
            serveEndpoint(endpoint, shared, { request, params, arrival, limits }),
          {
            parse: 'none',
            detail: documented(() => openapiOperation(method, path, endpoint.scope, operation, names)),
          },
        )
    return server
  }

/** PUT does what PATCH does. */
function routesOf({ method, path, operation }: Endpoint) {
  if (method !== 'PATCH') return [{ method, path, operation }]
  const put = { ...operation, summary: `Extension: ${operation.summary}, as PATCH does` }
  return [
    { method, path, operation },
    { method: 'PUT', path, operation: put },
  ]
}
