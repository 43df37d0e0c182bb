import { limits } from './limits'
import { RefusedFile } from './refused-file'

/** Bytes that can be read more than once. Reading throws a `RefusedFile` for what is broken, cut off or too large. */
export interface InputFile {
  /** Without its folders. */
  readonly name: string
  bytes(): AsyncIterable<Uint8Array>
}

/** Throws once there are more bytes than a member may have, so that no archive unpacks without end. */
export async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limits.member) throw new RefusedFile('too_large', 'more than 64 MiB unpacked')
    yield chunk
  }
  if (size === 0) throw new RefusedFile('empty')
}
