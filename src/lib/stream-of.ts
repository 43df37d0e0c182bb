/** A pull stream, texts encoded as UTF-8: back-pressure slows down the producer. */
export function streamOf<Bytes extends Uint8Array>(
  pieces: AsyncIterable<string | Bytes>,
): ReadableStream<Bytes | Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}
