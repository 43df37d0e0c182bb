import { type FileHandle, open } from 'node:fs/promises'
import { Failure } from '../../lib/failure'
import { type FilePart, type FileParts, md5Of, partsOf, reader } from './file-parts'
import type { S3Client } from './s3-client'
import { type SendPart, uploadInParts } from './s3-multipart'
import { readObject, sha256Header } from './s3-read'
import { addressOf } from './s3-refused'
import { unquoted } from './s3-uploads'

/**
 * Either the whole object is stored and matches the file, or there is none. A large file goes in parts; those
 * that an interrupted attempt sent are not sent again.
 */
export async function uploadFile(client: S3Client, key: string, file: string): Promise<void> {
  await using handle = await open(file)
  const plan = await partsOf(handle, client.world.partBytes)
  const headers = { 'content-type': 'application/octet-stream', [sha256Header]: plan.sha256 }
  const send = partSender(client, handle, plan)
  const [only, ...rest] = plan.parts
  if (only !== undefined && rest.length === 0) await send(only, { key, headers })
  else await uploadInParts(client, { key, headers, plan }, send)
  await verify(client, key, plan)
}

/** The server checks what arrives against both digests; the SHA-256 is part of the signature. */
function partSender(client: S3Client, handle: FileHandle, { parts }: FileParts): SendPart {
  const read = reader(handle, parts[0]?.bytes ?? 0)
  return async (part, { headers, ...to }) => {
    const body = await read(part.offset, part.bytes)
    if (!md5Of(body).equals(part.md5))
      throw new Failure('io', `the file for ${to.key} changed while it was sent`)
    const md5 = part.md5.toString('base64')
    const answer = await client.send({
      method: 'PUT',
      ...to,
      body,
      headers: { ...headers, 'content-md5': md5 },
    })
    return unquoted(answer.headers.get('etag') ?? '')
  }
}

/** Throws an `io` failure, and removes the object, if it differs from the file. */
async function verify(client: S3Client, key: string, plan: FileParts): Promise<void> {
  const { headers } = await client.send({ method: 'HEAD', key })
  const isWhole =
    Number(headers.get('content-length')) === plan.bytes && headers.get(sha256Header) === plan.sha256
  if (isWhole && (hasDigest(headers, plan.parts) || (await sha256At(client, key)) === plan.sha256)) return
  await client.send({ method: 'DELETE', key })
  throw new Failure('io', `${addressOf(client.settings)}: ${key} arrived damaged, and was removed`)
}

/** MD5 of the object, or of its parts' digests plus their number; servers that encrypt have other ETags. */
function hasDigest(headers: Headers, parts: readonly FilePart[]): boolean {
  const [first, ...rest] = parts.map(({ md5 }) => md5)
  const whole = first !== undefined && rest.length === 0 ? first : undefined
  const digest =
    whole?.toString('hex') ??
    `${md5Of(Buffer.concat(parts.map(({ md5 }) => md5))).toString('hex')}-${parts.length}`
  return unquoted(headers.get('etag') ?? '') === digest
}

async function sha256At(client: S3Client, key: string): Promise<string> {
  const { sha256 } = await readObject(client, key, async () => {})
  return sha256
}
