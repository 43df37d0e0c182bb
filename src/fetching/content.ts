import { streamOf } from '../lib/stream-of'
import type { Deadline } from './deadline'
import { FetchRefused, tooLarge } from './refused'

export const encodings = 'gzip, deflate, br, zstd'

const usualRatio = 200

/** What has come of a body. */
interface Arrival {
  bytes: number
  /** Kept because decompression may replace it by another error. */
  failure: unknown
}

const newArrival = (): Arrival => ({ bytes: 0, failure: undefined })

/** The body as received. Throws a `FetchRefused`, or the reason of `deadline`. */
export async function* received(
  { body }: Response,
  maxBytes: number,
  deadline: Deadline,
  arrival = newArrival(),
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for await (const piece of body ?? []) {
      arrival.bytes += piece.length
      deadline.received(piece.length)
      if (arrival.bytes > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (cause) {
    arrival.failure = failureOf(cause, deadline)
    throw arrival.failure
  }
}

function failureOf(cause: unknown, { signal }: Deadline): unknown {
  if (signal.aborted) return signal.reason
  return cause instanceof FetchRefused
    ? cause
    : new FetchRefused('broke_off', 'the answer broke off', { cause })
}

/**
 * Decompresses the body of a response fetched with `decompress: false` piece by piece, so that even a decompression bomb
 * does not fill the memory. Throws like `received`.
 */
export async function* contentOf(
  response: Response,
  { maxBytes, maxRatio = usualRatio }: { readonly maxBytes: number; readonly maxRatio?: number | undefined },
  deadline: Deadline,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const arrival = newArrival()
  let bytes = 0
  try {
    const pieces = decoded(response, received(response, maxBytes, deadline, arrival))
    for await (const piece of limited(pieces, maxBytes)) {
      bytes += piece.length
      if (bytes > arrival.bytes * maxRatio)
        throw new FetchRefused('too_large', `compressed more than ${maxRatio} to 1`)
      yield piece
    }
  } catch (cause) {
    if (arrival.failure !== undefined) throw arrival.failure
    throw cause instanceof FetchRefused ? cause : new FetchRefused('damaged', 'damaged or cut off')
  }
}

/** Throws a `FetchRefused` once there is more. */
export async function* limited(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

function decoded(
  { headers }: Response,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return pieces
  const format = formats[encoding]
  if (format === undefined) throw new FetchRefused('damaged', 'an unknown content encoding')
  return streamOf(pieces).pipeThrough(new DecompressionStream(format))
}

const formats: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}
