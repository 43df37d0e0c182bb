import { settings } from '../../config'
import { Failure } from '../../lib/failure'
import type { OptionReader } from '../../options/option'
import type { Destination } from '../destination'

/** Whether a `--backup-to` address means a bucket, well-formed or not. */
export const isBucket = (address: string | undefined): address is string => /^s3:/i.test(address ?? '')

/** Throws a `config` failure that names what is missing. Imports its modules when called. */
export async function openBucket(address: string, { get }: OptionReader): Promise<Destination> {
  const place = parseS3Address(address)
  if (place === undefined)
    throw new Failure(
      'config',
      `${address} is not the address of a bucket: write s3://BUCKET or s3://BUCKET/PREFIX, with A-Z a-z 0-9 . _ - in the prefix`,
    )
  const [accessKeyId, secretAccessKey] = [get(settings.s3AccessKeyId), get(settings.s3SecretAccessKey)]
  if (accessKeyId === undefined) throw missing(address, 'S3_ACCESS_KEY_ID')
  if (secretAccessKey === undefined) throw missing(address, 'S3_SECRET_ACCESS_KEY')
  const region = get(settings.s3Region)
  const endpoint = get(settings.s3Endpoint) ?? `https://s3.${region}.amazonaws.com`
  const { s3Destination } = await import('./s3-destination')
  return s3Destination({ ...place, endpoint, region, accessKeyId, secretAccessKey })
}

/** `s3://bucket/prefix`; undefined for anything else. The prefix is empty or ends in a slash. */
function parseS3Address(text: string): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, path = ''] = pattern.exec(text) ?? []
  if (bucket === undefined || path.split('/').some((part) => /^\.\.?$/.test(part))) return undefined
  const prefix = path.replaceAll(/^\/+|\/+$/g, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

/** Bucket names as S3 allows them; in object names, only characters that never need encoding. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]*){0,20})$/

const missing = (address: string, name: string) =>
  new Failure('config', `${address}: KIROKU_${name} or KIROKU_${name}_FILE is missing`)
