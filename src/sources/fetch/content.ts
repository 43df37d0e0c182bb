import { streamOf } from '../../lib/stream-of'
import type { Deadline } from './deadline'
import type { Limits } from './limits'
import { SourceRefused, tooLarge } from './refused'

export const encodings = 'gzip, deflate, br, zstd'

/**
 * Decompresses the body of a response fetched with `decompress: false` piece by piece, so that even a decompression bomb
 * does not fill the memory. `maxBytes` limits what is received. Throws a `SourceRefused`, or the reason of `deadline`.
 */
export async function* contentOf(
  response: Response,
  { maxBytes, maxRatio }: Pick<Limits, 'maxRatio'> & { readonly maxBytes: number },
  deadline: Deadline,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const received: Received = { bytes: 0, failure: undefined }
  let bytes = 0
  try {
    for await (const piece of decoded(response, receive(response, received, maxBytes, deadline))) {
      bytes += piece.length
      if (bytes > received.bytes * maxRatio)
        throw new SourceRefused('refused', `compressed more than ${maxRatio} to 1`)
      yield piece
    }
  } catch (cause) {
    if (received.failure !== undefined) throw received.failure
    throw cause instanceof SourceRefused ? cause : new SourceRefused('not_understood', 'damaged or cut off')
  }
}

interface Received {
  bytes: number
  /** Kept here because decompression may replace it by another error. */
  failure: unknown
}

async function* receive(
  { body }: Response,
  received: Received,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for await (const piece of body ?? []) {
      received.bytes += piece.length
      deadline.received(piece.length)
      if (received.bytes > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (cause) {
    received.failure = failureOf(cause, deadline)
    throw received.failure
  }
}

function failureOf(cause: unknown, { signal }: Deadline): unknown {
  if (signal.aborted) return signal.reason
  return cause instanceof SourceRefused ? cause : new SourceRefused('unreachable', 'the answer broke off')
}

function decoded(
  { headers }: Response,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return pieces
  const format = formats[encoding]
  if (format === undefined) throw new SourceRefused('not_understood', 'an unknown content encoding')
  return streamOf(pieces).pipeThrough(new DecompressionStream(format))
}

const formats: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}
