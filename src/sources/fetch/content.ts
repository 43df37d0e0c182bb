import { pipeline, Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { Deadline } from './deadline'
import type { Limits } from './limits'
import { SourceRefused, tooLarge } from './refused'

/** What is sent as `Accept-Encoding`. */
export const encodings = 'gzip, deflate, br, zstd'

/**
 * The body of a response that was fetched with `decompress: false`, decompressed piece by piece, so that not even a bomb is
 * held in memory. `maxBytes` is for what is received. Throws a `SourceRefused`, or the reason of `deadline`.
 */
export async function* contentOf(
  response: Response,
  { maxBytes, maxRatio }: Pick<Limits, 'maxRatio'> & { readonly maxBytes: number },
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  const received = { bytes: 0 }
  let bytes = 0
  for await (const piece of decoded(encoding, receive(response, received, maxBytes, deadline))) {
    bytes += piece.length
    if (bytes > received.bytes * maxRatio)
      throw new SourceRefused('refused', `compressed more than ${maxRatio} to 1`)
    yield piece
  }
}

async function* receive(
  { body }: Response,
  received: { bytes: number },
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body ?? []) {
      received.bytes += piece.length
      deadline.received(piece.length)
      if (received.bytes > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (cause) {
    deadline.signal.throwIfAborted()
    throw cause instanceof SourceRefused ? cause : new SourceRefused('unreachable', 'the answer broke off')
  }
}

async function* decoded(encoding: string, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (encoding === 'identity' || encoding === '') return yield* pieces
  const decoder = decoders[encoding]?.()
  if (decoder === undefined) throw new SourceRefused('not_understood', 'an unknown content encoding')
  pipeline(Readable.from(pieces), decoder, () => {})
  try {
    yield* decoder
  } catch (cause) {
    throw isOfZlib(cause) ? new SourceRefused('not_understood', `damaged or cut off ${encoding}`) : cause
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  // 8 MB, as much as a receiver must have (RFC 9659 §3).
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
}

const isOfZlib = (cause: unknown) => cause instanceof Error && 'errno' in cause
