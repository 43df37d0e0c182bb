import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import type { CliCall } from '../../command'
import { ask } from '../../password'

/** The configured passphrase, or one asked for once at the terminal. Throws a `config` failure. */
export function passphraseToOpen(call: CliCall): () => Promise<string> {
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
