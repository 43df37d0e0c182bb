import { FetchRefused } from './refused'

/** The body, decompressed. Throws `FetchRefused` once it is larger than `maxBytes`. */
export async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new FetchRefused('too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
