import { streamOf } from '../../lib/stream-of'
import type { FetchOptions } from './source-query'

/** Returns the size. An error of `content` takes precedence over what `keep` makes of it. */
export async function keepContent(
  content: AsyncIterable<Uint8Array<ArrayBuffer>>,
  keep: FetchOptions['keep'],
): Promise<number> {
  const state: { bytes: number; failure?: unknown } = { bytes: 0 }
  const counted = async function* () {
    try {
      for await (const piece of content) {
        state.bytes += piece.length
        yield piece
      }
    } catch (cause) {
      state.failure = cause
      throw cause
    }
  }
  await keep(streamOf(counted())).catch((cause) => {
    state.failure ??= cause
  })
  if (state.failure !== undefined) throw state.failure
  return state.bytes
}
