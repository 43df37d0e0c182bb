import { documented } from '../http/operation'
import type { Server } from '../http/server'
import type { Endpoint, SharedState } from './endpoint'
import { openapiOperation, type SchemaNames } from './openapi/openapi'
import { serveEndpoint } from './serve-endpoint'

/** `names`: schemas that are named in the documentation. */
export const v1 =
  (shared: SharedState, endpoints: readonly Endpoint[], names: SchemaNames) =>
  (server: Server): Server => {
    for (const endpoint of endpoints)
      for (const { method, path, operation } of routesOf(endpoint))
        server.route(
          method,
          path,
          async ({ request, params, context, limits }) =>
            serveEndpoint(endpoint, shared, { request, params, context, limits }),
          {
            parse: 'none',
            detail: documented(() => openapiOperation(method, path, endpoint.scope, operation, names)),
          },
        )
    return server
  }

function routesOf({ method, path, operation }: Endpoint) {
  if (method !== 'PATCH') return [{ method, path, operation }]
  const put = {
    ...operation,
    summary: `Extension: ${operation.summary.replace('Extension: ', '')}, as PATCH does`,
  }
  return [
    { method, path, operation },
    { method: 'PUT', path, operation: put },
  ]
}
