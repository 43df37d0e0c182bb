import { limits } from './limits'
import { RefusedFile } from './refused-file'

/** Bytes that can be read more than once. Reading throws a `RefusedFile` if they are broken, truncated or too many. */
export interface InputFile {
  /** Without its folders. */
  readonly name: string
  /** Its folders in an archive, `user/lists`; '' or undefined at the top. */
  readonly folder?: string | undefined
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * In small pieces, with other requests getting their turn in between. Throws if there are more bytes than a member may
 * have, so that no archive unpacks without end.
 */
export async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const giveWay = createGiveWay()
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limits.member) throw new RefusedFile('too_large', 'member')
    for (let at = 0; at < chunk.length; at += pieceSize) {
      yield chunk.subarray(at, at + pieceSize)
      await giveWay()
    }
  }
}

/** Takes about a millisecond to parse. */
const pieceSize = 16_384

/** Yields to the event loop if the last time was 5 ms ago. */
export function createGiveWay(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < 5) return undefined
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      since = performance.now()
    })
  }
}
