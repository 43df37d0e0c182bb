import './like-node'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import S3rver, { type S3Context } from '@20minutes/s3rver'
import authentication from '@20minutes/s3rver/lib/middleware/authentication'

// A separate process, which tests can kill: `bun s3rver.ts DIRECTORY PORT MILLISECONDS_BEFORE_EACH_PART`. Adds what
// s3rver lacks: the list of unfinished uploads, the list of their parts, aborting them, and ETags of multipart uploads.
// Requests are noted in DIRECTORY.log.
const [directory = '', port = '0', delay = '0'] = process.argv.slice(2)

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory,
  configureBuckets: [{ name: 'backups' }],
})
const { store } = server
const put = store.putObjectMultipart.bind(store)
store.putObjectMultipart = async (bucket, id, parts) => {
  const uploaded = join(uploads(bucket), id)
  const key = readFileSync(join(uploaded, 'key'), 'utf8')
  const digests = parts.map(({ number }) => readFileSync(join(uploaded, `${number}.md5`), 'utf8'))
  const { size } = await put(bucket, id, parts)
  const md5 = `${md5Of(Buffer.from(digests.join(''), 'hex'))}-${parts.length}`
  if (!existsSync(`${directory}.other-etags`))
    writeFileSync(`${store.getResourcePath(bucket, key, 'object')}.md5`, md5)
  return { size, md5 }
}
server.middleware.splice(-1, 0, async (context, next) => {
  appendFileSync(`${directory}.log`, `${context.method} ${context.url}\n`)
  const [, bucket = '', ...path] = context.path.split('/').map(decodeURIComponent)
  context.params = { bucket, ...(path.length === 0 ? {} : { key: path.join('/') }) }
  const id = context.query.uploadId
  if (context.method === 'PUT' && id !== undefined) await Bun.sleep(Number(delay))
  if (id !== undefined && !existsSync(join(uploads(bucket), id)))
    return answerError(context, 404, 'NoSuchUpload')
  const answer = added(context, bucket, id)
  if (answer === undefined) return await next()
  await authentication()(context, async () => answer())
})
console.log(JSON.stringify(await server.run()))

function added(context: S3Context, bucket: string, id: string | undefined): (() => void) | undefined {
  const isListed = context.method === 'GET' && existsSync(store.getBucketPath(bucket))
  if (isListed && 'uploads' in context.query) return () => listUploads(context, bucket)
  if (id === undefined) return undefined
  if (context.method === 'GET') return () => listParts(context, join(uploads(bucket), id))
  return context.method === 'DELETE' ? () => abort(context, join(uploads(bucket), id)) : undefined
}

function listUploads(context: S3Context, bucket: string): void {
  const { prefix = '' } = context.query
  const begun = existsSync(uploads(bucket)) ? readdirSync(uploads(bucket)) : []
  const Upload = begun.flatMap((UploadId) => {
    const file = join(uploads(bucket), UploadId, 'key')
    const Key = readFileSync(file, 'utf8')
    return Key.startsWith(prefix) ? [{ Key, UploadId, Initiated: statSync(file).mtime.toISOString() }] : []
  })
  context.body = {
    ListMultipartUploadsResult: { Bucket: bucket, Prefix: prefix, IsTruncated: false, Upload },
  }
}

/** At most two at a time, to test continuing. */
function listParts(context: S3Context, path: string): void {
  const marker = Number(context.query['part-number-marker'] ?? 0)
  const numbers = readdirSync(path).flatMap((name) =>
    /^\d+\.md5$/.test(name) ? [Number.parseInt(name, 10)] : [],
  )
  const after = numbers.sort((a, b) => a - b).filter((number) => number > marker)
  const Part = after.slice(0, 2).map((PartNumber) => ({
    PartNumber,
    ETag: `"${readFileSync(join(path, `${PartNumber}.md5`), 'utf8')}"`,
    Size: statSync(join(path, String(PartNumber))).size,
  }))
  const IsTruncated = after.length > 2
  context.body = {
    ListPartsResult: { IsTruncated, NextPartNumberMarker: Part.at(-1)?.PartNumber ?? 0, Part },
  }
}

function abort(context: S3Context, path: string): void {
  rmSync(path, { recursive: true })
  context.status = 204
}

function answerError(context: S3Context, status: number, code: string): void {
  context.status = status
  context.body = { Error: { Code: code, Message: 'as S3 says it' } }
}

function uploads(bucket: string): string {
  return store.getResourcePath(bucket, undefined, 'uploads')
}

function md5Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('md5').update(bytes).digest('hex')
}
