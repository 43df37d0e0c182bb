import type { S3Client } from './s3-client'
import { pages } from './s3-list'
import { S3Refused } from './s3-refused'
import { elements, textIn, type Xml } from './xml'

/** A multipart upload that was neither completed nor aborted: its parts are stored, and charged for. */
export interface Upload {
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
  return textIn(await client.ask(request, 'InitiateMultipartUploadResult'), 'UploadId')
}

/** An upload that no longer exists may have been completed by an attempt whose answer was lost: check the object. */
export async function completeUpload(
  client: S3Client,
  { key, id }: Pick<Upload, 'key' | 'id'>,
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

export async function abortUpload(client: S3Client, { key, id }: Pick<Upload, 'key' | 'id'>): Promise<void> {
  await unlessGone(client.send({ method: 'DELETE', key, query: { uploadId: id } }))
}

/** Lists uploads of keys with this prefix (MinIO: of exactly this key). Empty if the server cannot list them. */
export async function listUploads(client: S3Client, prefix: string): Promise<readonly Upload[]> {
  const request = { method: 'GET', query: { uploads: '', prefix } } as const
  const next = (page: Xml) => ({
    'key-marker': textIn(page, 'NextKeyMarker'),
    'upload-id-marker': textIn(page, 'NextUploadIdMarker'),
  })
  const found: Upload[] = []
  const listed = pages(client, request, 'ListMultipartUploadsResult', next)
  const read = async () => {
    for await (const page of listed) found.push(...elements(page, 'Upload').map(uploadIn))
  }
  await unlessRefused(read(), ['NotImplemented', 'MethodNotAllowed'])
  return found
}

const uploadIn = (xml: Xml): Upload => ({
  key: textIn(xml, 'Key'),
  id: textIn(xml, 'UploadId'),
  begunAt: Date.parse(textIn(xml, 'Initiated')) || 0,
})

/** Keyed by part number, from 1. */
export async function listParts(
  client: S3Client,
  { key, id }: Pick<Upload, 'key' | 'id'>,
): Promise<ReadonlyMap<number, UploadedPart>> {
  const request = { method: 'GET', key, query: { uploadId: id } } as const
  const next = (page: Xml) => ({ 'part-number-marker': textIn(page, 'NextPartNumberMarker') })
  const found = new Map<number, UploadedPart>()
  for await (const page of pages(client, request, 'ListPartsResult', next)) {
    for (const part of elements(page, 'Part')) {
      const etag = unquoted(textIn(part, 'ETag'))
      found.set(Number(textIn(part, 'PartNumber')), { etag, bytes: Number(textIn(part, 'Size')) })
    }
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
