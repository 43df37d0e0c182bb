import { settings } from '../../config'
import { Failure } from '../../lib/failure'
import type { OptionReader } from '../../options/option'
import type { Destination } from '../destination'
import { parseS3Address } from './s3-address'

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

const missing = (address: string, name: string) =>
  new Failure('config', `${address}: KIROKU_${name} or KIROKU_${name}_FILE is missing`)
