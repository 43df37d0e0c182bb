import { documented } from '../http/operation'
import { addBody } from '../http/request-values'
import type { Server } from '../http/server'
import { receiveUpload, type UploadedFile } from '../http/upload/receive'
import type { Endpoint, EndpointRequest, SharedState } from './endpoint'
import { rememberUrl } from './known-urls'
import { type AddBody, openCall } from './open-call'
import { openapiOperation, type SchemaNames } from './openapi/openapi'

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

/** Checks in the order of D28: token, scope, then the endpoint's own parameters and look-ups. */
async function serveEndpoint(
  endpoint: Endpoint,
  shared: SharedState,
  endpointRequest: EndpointRequest,
): Promise<Response> {
  const { upload, scope, path: route } = endpoint
  if (upload === undefined) {
    const call = await openCall(shared, endpointRequest, addBody, scope)
    const { hasBlock } = call.viewer
    const remember = (body: string) => rememberUrl(shared, endpointRequest.request, { route, body, hasBlock })
    return endpoint.answer({ ...call, remember })
  }
  await using received = new AsyncDisposableStack()
  let file: UploadedFile | undefined
  const addUpload: AddBody = async (sent, request, _, { pool, key }) => {
    if (pool === 'strangers') return
    const sender = { pool: 'uploads', key } as const
    const sentFile = received.use(await receiveUpload(request, shared.deps, upload, sender))
    for (const [name, value] of sentFile.values) sent.set(name, value)
    file = sentFile.file
  }
  const call = await openCall(shared, endpointRequest, addUpload, scope)
  return await endpoint.answer(file === undefined ? call : { ...call, file })
}
