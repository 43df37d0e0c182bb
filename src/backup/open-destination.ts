import { resolve } from 'node:path'
import { refuseForeignLink } from '../db/health/owner'
import { Failure } from '../lib/failure'
import { type Destination, directoryDestination } from './destination'
import { backupsDirectory } from './notes'

/** `address` is the value of `--backup-to`; undefined for `backups/` of the data directory. */
export function openDestination(data: string, address: string | undefined): Destination {
  if (address === undefined) {
    refuseForeignLink(data)
    return directoryDestination(backupsDirectory(data))
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw new Failure(
      'config',
      `backups cannot be kept in ${address}: name a directory or s3://BUCKET/PREFIX`,
    )
  const instance = new Bun.CryptoHasher('sha256').update(resolve(data)).digest('hex').slice(0, 12)
  return directoryDestination(resolve(address), instance)
}
