import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../lib/failure'
import type { Destination } from '../destination'
import { timeOf } from '../names'
import { writeWhole } from '../write-whole'
import { createS3Client, type S3Client } from './s3-client'
import { listObjects } from './s3-list'
import { readObject } from './s3-read'
import { addressOf, S3Refused } from './s3-refused'
import { realWorld, type S3Settings, type S3World } from './s3-settings'
import { uploadFile } from './s3-upload'
import { abortUpload, listUploads } from './s3-uploads'

/** A bucket of an S3-compatible server, or the part of it below a prefix. */
export function s3Destination(settings: S3Settings, world: S3World = realWorld): Destination {
  const client = createS3Client(settings, world)
  const address = addressOf(settings)
  const objectKey = (name: string) => settings.prefix + name
  return {
    address,
    put: async (name, file) => {
      await abortAbandoned(client, objectKey(name))
      await uploadFile(client, objectKey(name), file)
    },
    list: () => listObjects(client),
    get: (name, file) => download(client, objectKey(name), file),
    remove: async (name) => void (await client.send({ method: 'DELETE', key: objectKey(name) })),
  }
}

/** Aborts uploads of other backups that nobody will finish: the parts sent would be charged until somebody notices. */
async function abortAbandoned(client: S3Client, key: string): Promise<void> {
  const { settings, world } = client
  const isBackup = (other: string) => timeOf(other.slice(settings.prefix.length)) !== undefined
  const long = world.now() - abandonedAfter
  for (const upload of await listUploads(client, settings.prefix))
    if (upload.key !== key && isBackup(upload.key) && upload.begunAt < long) await abortUpload(client, upload)
}

/** A day, in milliseconds: another process may still be sending a younger one. */
const abandonedAfter = 86_400_000

async function download(client: S3Client, key: string, file: string): Promise<void> {
  const address = addressOf(client.settings)
  await writeWhole(file, async (out) => {
    const read = readObject(client, key, async (chunk, left) => {
      await requireRoom(dirname(file), left)
      await out.writeFile(chunk)
    })
    const { sha256, expected } = await read.catch((cause) => {
      throw isMissing(cause) ? new Failure('noInput', `there is no ${key} in ${address}`) : cause
    })
    if (expected !== '' && sha256 !== expected)
      throw new Failure('data', `${address}: ${key} is not what was stored there: its SHA-256 differs`)
  })
}

const isMissing = (cause: unknown) => cause instanceof S3Refused && cause.code === 'NoSuchKey'

/** Checks before the disk fills up with a download that cannot be finished. */
async function requireRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize > bytes) return
  const [needed, free] = [bytes, bavail * bsize].map((count) => `${Math.ceil(count / 1e6)} MB`)
  throw new Failure('io', `${directory}: ${needed} are needed and ${free} are free`)
}
