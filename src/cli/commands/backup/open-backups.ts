import type { Destination } from '../../../backup/destination'
import { encryptedDestination } from '../../../backup/encryption/encrypted-destination'
import { openDestination } from '../../../backup/open-destination'
import { isBucket, openBucket } from '../../../backup/remote/open-bucket'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import type { CliCall } from '../../command'
import { ask } from '../../password'

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

/** The configured passphrase, or one asked for once at the terminal. Throws a `config` failure. */
function passphraseToOpen(call: CliCall): () => Promise<string> {
  let asked: Promise<string> | undefined
  return async () => {
    const known = call.get(settings.backupPassphrase)
    if (known !== undefined) return known
    requireTerminal('the backup is encrypted')
    asked ??= ask('Passphrase: ')
    return await asked
  }
}

/** For a new backup; undefined if it is not to be encrypted. */
export async function newPassphrase(call: CliCall, isAsked: boolean): Promise<string | undefined> {
  const known = call.get(settings.backupPassphrase)
  const passphrase = known ?? (isAsked ? await askTwice() : undefined)
  if (passphrase === undefined || [...passphrase].length >= least) return passphrase
  throw new Failure('config', `the passphrase of backups must have ${least} characters or more`)
}

/** Anybody who has the file can guess without limit. */
const least = 12

async function askTwice(): Promise<string> {
  requireTerminal('--encrypt')
  const passphrase = await ask('Passphrase: ')
  if ((await ask('Repeat it: ')) !== passphrase) throw new Failure('usage', 'the two passphrases differ')
  return passphrase
}

function requireTerminal(why: string): void {
  if (process.stdin.isTTY) return
  throw new Failure(
    'config',
    `${why}: the passphrase is missing; put it in a file and name that file with --backup-passphrase-file or in KIROKU_BACKUP_PASSPHRASE_FILE`,
  )
}

/** For example `1 user, 20 records`, from a backup's counts per table. */
export const countsText = (counts: Readonly<Record<string, number>>, ...things: readonly string[]): string =>
  things
    .map((thing) => {
      const n = counts[`${thing}s`] ?? 0
      return `${n.toLocaleString('en')} ${n === 1 ? thing : `${thing}s`}`
    })
    .join(', ')
