import type { FilePart, FileParts } from './file-parts'
import type { S3Client } from './s3-client'
import {
  abortUpload,
  beginUpload,
  completeUpload,
  listParts,
  listUploads,
  type UploadedPart,
} from './s3-uploads'

/** Returns the ETag. */
export type SendPart = (part: FilePart, to: PartTarget) => Promise<string>

export interface PartTarget {
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Large {
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly plan: FileParts
}

/** Continues the latest upload of the key if its parts match the file; aborts any other uploads of it. */
export async function uploadInParts(client: S3Client, large: Large, send: SendPart): Promise<void> {
  const { key, plan } = large
  const { id, sent } = (await resume(client, large)) ?? {
    id: await beginUpload(client, large),
    sent: new Map(),
  }
  const etags: string[] = []
  for (const part of plan.parts) {
    const query = { partNumber: String(part.number), uploadId: id }
    etags.push(sent.get(part.number)?.etag ?? (await send(part, { key, query })))
  }
  await completeUpload(client, { key, id }, etags)
}

interface Resumed {
  readonly id: string
  readonly sent: ReadonlyMap<number, UploadedPart>
}

async function resume(client: S3Client, { key, plan }: Large): Promise<Resumed | undefined> {
  const begun = (await listUploads(client, key)).filter((upload) => upload.key === key)
  const [latest, ...older] = begun.toSorted((a, b) => b.begunAt - a.begunAt)
  for (const upload of older) await abortUpload(client, upload)
  if (latest === undefined) return undefined
  const sent = await listParts(client, latest)
  if (sent.entries().every(([number, part]) => isSame(plan.parts[number - 1], part)))
    return { id: latest.id, sent }
  await abortUpload(client, latest)
  return undefined
}

const isSame = (part: FilePart | undefined, { etag, bytes }: UploadedPart) =>
  part !== undefined && part.bytes === bytes && part.md5.toString('hex') === etag
