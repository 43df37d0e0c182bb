import { AwsV4Signer } from 'aws4fetch'
import { notS3, refused, unreachable } from './s3-refused'
import type { S3Settings, S3World } from './s3-settings'
import { parseAnswer, textIn } from './xml'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** How many bytes of an object the answer may contain. */
  readonly most?: number
}

export interface Answer {
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** Signed with AWS Signature Version 4. Redirects are not followed, as they could lead anywhere. Throws `S3Refused`. */
export async function attempt(settings: S3Settings, world: S3World, request: S3Request): Promise<Answer> {
  const signal = AbortSignal.timeout(world.patience(request.body?.length ?? request.most ?? 0))
  const { response, bytes } = await exchange(settings, request, signal)
  if (bytes === undefined) throw notS3(settings, 'its answer is too long')
  if (response.ok) return { headers: response.headers, bytes }
  const { status, headers } = response
  const error = parseAnswer(bytes)
  const code = error === undefined ? '' : wordIn(textIn(error, 'Code'))
  if (status === 404 && code === '' && request.method !== 'HEAD') throw notS3(settings, 'it knows no buckets')
  const region = wordIn(headers.get('x-amz-bucket-region') ?? (error && textIn(error, 'Region')) ?? '')
  throw refused(settings, { status, code, region })
}

async function exchange(settings: S3Settings, request: S3Request, signal: AbortSignal) {
  const { url, headers, method } = await sign(settings, request)
  // Not signed, as proxies change it. A compressed answer could expand to any size.
  headers.set('Accept-Encoding', 'identity')
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: request.body ?? null,
      redirect: 'manual',
      decompress: false,
      signal,
    })
    return { response, bytes: await readAnswer(response, request.most ?? mostOfText) }
  } catch (cause) {
    throw unreachable(settings, signal.aborted ? 'it took too long' : reasonOf(cause))
  }
}

/** A list of 1,000 objects takes about 500 KB. */
const mostOfText = 4 * 1024 * 1024

async function sign(settings: S3Settings, { method, key, query = {}, headers = {}, body }: S3Request) {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const path = key === undefined ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`
  const url = `${endpoint}/${bucket}${path}?${new URLSearchParams(query)}`
  const sha256 = new Bun.CryptoHasher('sha256').update(body ?? '').digest('hex')
  return await new AwsV4Signer({
    method,
    url: url.replace(/\?$/, ''),
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  }).sign()
}

/** Undefined if it is longer than `most`. Throws if it is cut off. */
async function readAnswer(response: Response, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Codes and regions are one word; anything else is not shown. */
export const wordIn = (text: string) => (/^[\w-]{1,64}$/.test(text) ? text : '')

const reasonOf = (cause: unknown) =>
  (cause instanceof Error && 'code' in cause && wordIn(String(cause.code))) || 'the connection failed'
