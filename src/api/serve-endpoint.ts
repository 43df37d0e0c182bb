import { addBody } from '../http/request-values'
import { receiveUpload, type UploadedFile } from '../http/upload/receive'
import type { Endpoint, EndpointRequest, SharedState } from './endpoint'
import { type AddBody, openCall } from './open-call'

/** Checks in the order of D28: token, scope, then the endpoint's own parameters and look-ups. */
export async function serveEndpoint(
  endpoint: Endpoint,
  shared: SharedState,
  endpointRequest: EndpointRequest,
): Promise<Response> {
  const { upload, scope } = endpoint
  if (upload === undefined) return endpoint.answer(await openCall(shared, endpointRequest, addBody, scope))
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
