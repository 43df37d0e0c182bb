import { Failure } from '../../lib/failure'
import type { S3Client } from './s3-client'
import { addressOf, notS3 } from './s3-refused'

/** Stored with each object: the SHA-256 of the whole file, in hex. */
export const sha256Header = 'x-amz-meta-sha256'

export interface ReadObject {
  readonly sha256: string
  /** The SHA-256 it should have; empty for an object uploaded by another program. */
  readonly expected: string
}

/**
 * Holds one part in memory at a time, all of the same version; requests a part again if it breaks off. `take`
 * also gets the number of bytes left, including that part.
 */
export async function readObject(
  client: S3Client,
  key: string,
  take: (chunk: Uint8Array, left: number) => Promise<void>,
): Promise<ReadObject> {
  const sha256 = new Bun.CryptoHasher('sha256')
  const first = await readRange(client, key, 0)
  for (let range = first; ; range = await readRange(client, key, range.end)) {
    if (range.etag !== first.etag || range.total !== first.total)
      throw new Failure('io', `${addressOf(client.settings)}: ${key} changed while it was read`)
    sha256.update(range.bytes)
    await take(range.bytes, range.total - range.end + range.bytes.length)
    if (range.end === range.total) return { sha256: sha256.digest('hex'), expected: first.expected }
  }
}

async function readRange(client: S3Client, key: string, offset: number) {
  const most = client.world.partBytes
  const range = `bytes=${offset}-${offset + most - 1}`
  const { headers, bytes } = await client.send({ method: 'GET', key, headers: { range }, most })
  const end = offset + bytes.length
  const told = headers.get('content-range') ?? ''
  const total = Number(told.split('/')[1])
  const isAsked = told === `bytes ${offset}-${end - 1}/${total}` && bytes.length > 0 && end <= total
  if (!isAsked) throw notS3(client.settings, 'it answers with another range than was asked for')
  return { bytes, end, total, etag: headers.get('etag') ?? '', expected: headers.get(sha256Header) ?? '' }
}
