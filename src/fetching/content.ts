import { streamOf } from '../lib/stream-of'
import type { Deadline } from './deadline'
import { FetchRefused, tooLarge } from './refused'

export const encodings = 'gzip, deflate, br, zstd'

const usualRatio = 200

/** The body as received. Throws a `FetchRefused`, or the reason of `deadline`. */
export async function* received(
  { body }: Response,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = 0
  try {
    for await (const piece of body ?? []) {
      bytes += piece.length
      deadline.received(piece.length)
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (cause) {
    deadline.signal.throwIfAborted()
    if (cause instanceof FetchRefused) throw cause
    throw new FetchRefused('broke_off', 'the answer broke off', { cause })
  }
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
  const arriving: Arriving = { bytes: 0, failure: undefined }
  const pieces = noted(received(response, maxBytes, deadline), arriving)
  let bytes = 0
  try {
    for await (const piece of limited(decoded(response, pieces), maxBytes)) {
      bytes += piece.length
      if (bytes > arriving.bytes * maxRatio)
        throw new FetchRefused('too_large', `compressed more than ${maxRatio} to 1`)
      yield piece
    }
  } catch (cause) {
    if (arriving.failure !== undefined) throw arriving.failure
    throw cause instanceof FetchRefused ? cause : new FetchRefused('damaged', 'damaged or cut off')
  }
}

interface Arriving {
  bytes: number
  /** Kept here because decompression may replace it by another error. */
  failure: unknown
}

async function* noted(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  arriving: Arriving,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for await (const piece of pieces) {
      arriving.bytes += piece.length
      yield piece
    }
  } catch (cause) {
    arriving.failure = cause
    throw cause
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
