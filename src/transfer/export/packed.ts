/** Compresses with gzip, reading text as fast as the output is consumed. */
export async function* packed(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const [{ Readable }, { createGzip }] = await Promise.all([import('node:stream'), import('node:zlib')])
  const [source, packing] = [Readable.from(text, { highWaterMark: 1 }), createGzip()]
  source.on('error', (cause) => packing.destroy(cause))
  try {
    yield* source.pipe(packing)
  } finally {
    source.destroy()
  }
}
