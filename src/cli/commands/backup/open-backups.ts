import type { Destination } from '../../../backup/destination'
import { encryptedDestination } from '../../../backup/encryption/encrypted-destination'
import { openDestination } from '../../../backup/open-destination'
import { isBucket, openBucket } from '../../../backup/remote/open-bucket'
import { settings } from '../../../config'
import type { CliCall } from '../../command'
import { passphraseToOpen } from './passphrase'

/** A bucket or a directory; without an address, `backups/` of the data directory. */
export async function openBackups(
  call: CliCall,
  address: string | undefined,
  passphrase = passphraseToOpen(call),
): Promise<Destination> {
  const destination = isBucket(address)
    ? await openBucket(address, call)
    : openDestination(call.get(settings.data), address)
  return encryptedDestination(destination, passphrase)
}
