import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Deps } from '../../deps'
import { type BodyInFlight, receiveBody, type Sender } from '../bodies-in-flight'
import { invalidParams, payloadTooLarge } from '../errors'
import type { RawValues } from '../request-values'
import { newUploadPath } from './directory'

export interface UploadRules {
  /** Limit of the file; the whole body may be 1 MiB larger. */
  readonly maxBytes: number
  readonly timeLimitMs: number
}

/** The values of a multipart form and its file on disk; disposing of the upload deletes the file. */
export interface Upload extends AsyncDisposable {
  readonly values: RawValues
  /** Undefined if none was sent: a browser then sends an empty one without a name. */
  readonly file: UploadedFile | undefined
}

export interface UploadedFile {
  readonly path: string
  /** The client's name for it, without folders and control characters; at most 200 characters, '' if it has none. */
  readonly name: string
}

/**
 * Streams a multipart body with at most one file, which only this user can read. Throws invalid_params,
 * payload_too_large, service_unavailable or an error of the file system, and then leaves no file.
 */
export async function receiveUpload(
  request: Request,
  deps: Pick<Deps, 'config' | 'random'>,
  rules: UploadRules,
  sender: Sender,
): Promise<Upload> {
  if (Number(request.headers.get('content-length') ?? 0) > rules.maxBytes + around)
    throw payloadTooLarge(rules.maxBytes)
  const body = receiveBody(request, sender)
  const path = newUploadPath(deps)
  const remove = () => rm(path, { force: true })
  const handle = await open(path, 'wx', 0o600)
  try {
    const { values, name } = await receive(request, body, handle, rules)
    return { values, file: name === undefined ? undefined : { path, name }, [Symbol.asyncDispose]: remove }
  } catch (cause) {
    await remove()
    throw cause
  } finally {
    await handle.close()
  }
}

/** Room for the values and the headers of the parts. */
const around = 1024 * 1024

async function receive(
  request: Request,
  body: BodyInFlight,
  handle: FileHandle,
  { maxBytes, timeLimitMs }: UploadRules,
) {
  const stop = new AbortController()
  body.stopped.catch((cause) => stop.abort(cause))
  const { signal } = stop
  const { createParts } = await import('./parts')
  const parts = createParts(request.headers.get('content-type') ?? '', { handle, maxBytes, stop })
  const timer = setTimeout(() => stop.abort(tooSlow(timeLimitMs)), timeLimitMs)
  try {
    await parts.take(piecesOf(request, body, maxBytes, signal))
    body.whole()
    return await parts.received()
  } catch (cause) {
    stop.abort(cause)
    await parts.settled()
    throw signal.reason
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = (ms: number) => invalidParams(`The body must arrive within ${ms / 60_000} minutes.`)

async function* piecesOf(
  { body: stream }: Request,
  body: BodyInFlight,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader()
  // Otherwise a read would go on waiting for the client.
  signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}))
  const next = () => reader?.read().catch(bodyAborted)
  for (let read = await next(); read?.value !== undefined; read = await next()) {
    body.arrived(read.value.length)
    if (body.bytes > maxBytes + around) throw payloadTooLarge(maxBytes)
    yield read.value
  }
}

function bodyAborted(): never {
  throw invalidParams('The body is incomplete.')
}
