import { AwsV4Signer } from 'aws4fetch'
import { FetchRefused } from '../../fetching/refused'
import { bytesOf, type OutgoingRules, send } from '../../fetching/send'
import { notS3, refused, unreachable } from './s3-refused'
import type { S3Settings, S3World } from './s3-settings'
import { parseAnswer } from './xml'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** How many bytes of an object the answer may contain. */
  readonly most?: number
}

export interface S3Answer {
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** Signed with AWS Signature Version 4. Redirects are not followed, as they could lead anywhere. Throws `S3Refused`. */
export async function attempt(settings: S3Settings, world: S3World, request: S3Request): Promise<S3Answer> {
  const { status, headers, bytes } = await exchange(settings, world, request)
  if (status >= 200 && status < 300) return { headers, bytes }
  const error = (await parseAnswer(bytes))?.texts ?? {}
  const code = wordIn(error.Code ?? '')
  if (status === 404 && code === '' && request.method !== 'HEAD') throw notS3(settings, 'it knows no buckets')
  const region = wordIn(headers.get('x-amz-bucket-region') ?? error.Region ?? '')
  throw refused(settings, { status, code, region })
}

async function exchange(settings: S3Settings, world: S3World, request: S3Request) {
  const { body, most = mostOfText } = request
  const rules: OutgoingRules = {
    // Whoever starts kiroku names the server, which may be in their own network.
    outside: undefined,
    redirects: 0,
    limits: { wholeMs: world.patience(body?.length ?? request.most ?? 0) },
  }
  const { url, headers, method } = await sign(settings, request)
  // Not signed, as proxies change it. What is stored is read as it is.
  headers.set('Accept-Encoding', 'identity')
  const { signal } = new AbortController()
  try {
    await using answer = await send(rules, { url: url.href, method, body, headersFor: () => headers, signal })
    return { status: answer.status, headers: answer.headers, bytes: await bytesOf(answer.raw(most)) }
  } catch (cause) {
    throw cause instanceof FetchRefused ? failureOf(settings, cause) : cause
  }
}

function failureOf(settings: S3Settings, { problem, cause }: FetchRefused) {
  if (problem === 'too_large') return notS3(settings, 'its answer is too long')
  return unreachable(settings, problem === 'too_slow' ? 'it took too long' : reasonOf(cause))
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

/** Codes and regions are one word; anything else is not shown. */
export const wordIn = (text: string) => (/^[\w-]{1,64}$/.test(text) ? text : '')

const reasonOf = (cause: unknown) =>
  (cause instanceof Error && 'code' in cause && wordIn(String(cause.code))) || 'the connection failed'
