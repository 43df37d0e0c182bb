import type { S3Client } from './s3-client'
import { pages } from './s3-list'
import { S3Refused } from './s3-refused'
import { entriesIn, type S3Document } from './xml'

/** A multipart upload that was neither completed nor aborted: its parts are stored, and charged for. */
export interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  /** In epoch milliseconds. */
  readonly begunAt: number
}

export interface UploadedPart {
  readonly etag: string
  readonly bytes: number
}

interface NewUpload {
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the upload's id. */
export async function beginUpload(client: S3Client, { key, headers }: NewUpload): Promise<string> {
  const request = { method: 'POST', key, headers, query: { uploads: '' } } as const
  const { texts } = await client.ask(request, 'InitiateMultipartUploadResult')
  return texts.UploadId ?? ''
}

/** An upload that no longer exists may have been completed by an attempt whose answer was lost: check the object. */
export async function completeUpload(
  client: S3Client,
  { key, id }: Pick<UnfinishedUpload, 'key' | 'id'>,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${Bun.escapeHTML(etag)}</ETag></Part>`,
  )
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
  )
  const request = { method: 'POST', key, query: { uploadId: id }, body } as const
  await unlessGone(client.ask(request, 'CompleteMultipartUploadResult'))
}

export async function abortUpload(
  client: S3Client,
  { key, id }: Pick<UnfinishedUpload, 'key' | 'id'>,
): Promise<void> {
  await unlessGone(client.send({ method: 'DELETE', key, query: { uploadId: id } }))
}

/** Lists uploads of keys with this prefix (MinIO: of exactly this key). Empty if the server cannot list them. */
export async function listUploads(client: S3Client, prefix: string): Promise<readonly UnfinishedUpload[]> {
  const request = { method: 'GET', query: { uploads: '', prefix } } as const
  const next = ({ texts }: S3Document) => ({
    'key-marker': texts.NextKeyMarker ?? '',
    'upload-id-marker': texts.NextUploadIdMarker ?? '',
  })
  const found: UnfinishedUpload[] = []
  const listed = pages(client, request, 'ListMultipartUploadsResult', next)
  const read = async () => {
    for await (const page of listed) found.push(...entriesIn(page, 'Upload').map(uploadIn))
  }
  await unlessRefused(read(), ['NotImplemented', 'MethodNotAllowed'])
  return found
}

const uploadIn = ({
  Key = '',
  UploadId = '',
  Initiated = '',
}: Readonly<Record<string, string>>): UnfinishedUpload => ({
  key: Key,
  id: UploadId,
  begunAt: Date.parse(Initiated) || 0,
})

/** Keyed by part number, from 1. */
export async function listParts(
  client: S3Client,
  { key, id }: Pick<UnfinishedUpload, 'key' | 'id'>,
): Promise<ReadonlyMap<number, UploadedPart>> {
  const request = { method: 'GET', key, query: { uploadId: id } } as const
  const next = ({ texts }: S3Document) => ({ 'part-number-marker': texts.NextPartNumberMarker ?? '' })
  const found = new Map<number, UploadedPart>()
  for await (const page of pages(client, request, 'ListPartsResult', next)) {
    for (const { PartNumber, ETag = '', Size } of entriesIn(page, 'Part'))
      found.set(Number(PartNumber), { etag: unquoted(ETag), bytes: Number(Size) })
  }
  return found
}

export const unquoted = (etag: string): string => etag.replaceAll('"', '')

const unlessGone = (request: Promise<unknown>) => unlessRefused(request, ['NoSuchUpload'])

async function unlessRefused(request: Promise<unknown>, codes: readonly string[]): Promise<void> {
  try {
    await request
  } catch (cause) {
    if (!(cause instanceof S3Refused) || !codes.includes(cause.code)) throw cause
  }
}
