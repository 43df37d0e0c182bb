import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Backup, type BackupTarget, createBackup } from '../../../backup/create'
import { isEncrypted } from '../../../backup/names'
import { noteFailure } from '../../../backup/notes'
import { isBucket } from '../../../backup/remote/open-bucket'
import { sizeText } from '../../../backup/room'
import type { Patience } from '../../../backup/work-place'
import { settings } from '../../../config'
import { exitCodes, Failure } from '../../../lib/failure'
import type { Option } from '../../../options/option'
import { nonBlank } from '../../../values/text'
import { type CliCall, type Command, flag, json } from '../../command'
import { requireDatabase } from '../../database-state'
import { reportOf } from '../../failed'
import { createProgress } from '../../progress'
import { countsText, newPassphrase, openBackups } from './open-backups'
import { send, told as toldOfSending } from './send'

const encrypt = flag('encrypt', 'Encrypts the backup, and prompts for a passphrase unless one is set.')

const noWait = flag(
  'no-wait',
  'Ends with 75 if another backup is running, instead of waiting a minute for it.',
)

const to: Option<string | undefined> = {
  name: 'to',
  type: 'FILE|DIR|s3://…',
  sentence: 'Puts this backup elsewhere: a file, an existing directory or a bucket.',
  defaultText: 'the value of --backup-to',
  defaultValue: undefined,
  value: nonBlank,
}

export const backupCreate: Command = {
  name: 'backup create',
  summary: 'Makes a complete backup and verifies it. The server may be running.',
  operands: [],
  options: [to, encrypt, noWait, json],
  examples: [
    'kiroku backup create',
    'kiroku backup create --to /mnt/usb',
    'kiroku backup create --to before-the-move.tar.zst --json',
  ],
  run: async (call) => {
    const data = call.get(settings.data)
    requireDatabase(data)
    const target = await targetOf(call)
    const began = performance.now()
    const progress = createProgress()
    const backup = await createBackup(data, target, call.now, progress.show, patienceOf(call))
      .catch((cause) => {
        if (target.isNoted) noteIfFailed(call, cause)
        throw cause
      })
      .finally(progress.end)
    await call.print(call.get(json) ? JSON.stringify(described(target, backup)) : told(target, backup, began))
    const bucket = call.get(settings.backupTo)
    if (call.get(to) === undefined && isBucket(bucket)) await sendNow(call, bucket)
  },
}

/** Backups for a bucket are also kept locally, so that one whose upload failed is sent later. */
async function targetOf(call: CliCall): Promise<BackupTarget> {
  const passphrase = await newPassphrase(call, call.get(encrypt))
  const isEncryptedOne = passphrase !== undefined
  const open = (address: string | undefined) => openBackups(call, address, async () => passphrase ?? '')
  const path = call.get(to)
  if (path === undefined) {
    const kept = call.get(settings.backupTo)
    const destination = await open(isBucket(kept) ? undefined : kept)
    return { destination, isEncrypted: isEncryptedOne, name: undefined, isNoted: true }
  }
  const isDirectory = path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
  if (isDirectory || path.includes('://'))
    return { destination: await open(path), isEncrypted: isEncryptedOne, name: undefined, isNoted: false }
  return { ...fileTarget(path, isEncryptedOne), destination: await open(dirname(resolve(path))) }
}

function fileTarget(path: string, isEncryptedOne: boolean) {
  if (!existsSync(dirname(path)))
    throw new Failure('noInput', `there is no directory ${dirname(path)} to put ${basename(path)} in`)
  // A pipe or a device, such as /dev/null, would be replaced by the file.
  if (existsSync(path) && !statSync(path).isFile())
    throw new Failure('usage', `--to: ${path} is neither a file nor a directory`)
  if (isEncryptedOne !== isEncrypted(path))
    throw new Failure('usage', '--to: the name of a backup must end in .age if and only if it is encrypted')
  return { isEncrypted: isEncryptedOne, name: basename(path), isNoted: false }
}

async function sendNow(call: CliCall, bucket: string): Promise<void> {
  const sent = await send(call, bucket)
  if (!call.get(json)) await call.print(toldOfSending(bucket, sent))
}

function patienceOf({ get, note }: CliCall): Patience {
  const onWait = () => void note('another backup is running: waiting up to a minute for it').catch(() => {})
  return { ms: get(noWait) ? 0 : 60_000, onWait }
}

/** Does nothing if another backup is running, which is not a failure. */
function noteIfFailed(call: CliCall, cause: unknown): void {
  const { line, exitCode } = reportOf(cause)
  if (exitCode !== exitCodes.busy) noteFailure(call.get(settings.data), line, call.now())
}

const described = ({ destination }: BackupTarget, { name, bytes, manifest }: Backup) => ({
  name,
  bytes,
  in: destination.address,
  ...manifest,
})

function told({ destination }: BackupTarget, { name, bytes, manifest }: Backup, began: number): string {
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const counts = countsText(manifest.counts, 'user', 'record', 'work')
  return [
    `made and checked ${name} in ${destination.address}`,
    `${sizeText(bytes)} in ${seconds} s: ${counts}`,
  ].join('\n')
}
