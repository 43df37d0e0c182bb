import { statSync } from 'node:fs'
import { type ListedBackup, listBackups } from '../../../backup/list'
import { replacedInstances } from '../../../backup/restore/replace'
import { sizeText } from '../../../backup/room'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import { quoted } from '../../../lib/shell-word'
import { withTimes } from '../../../lib/time'
import { type CliCall, type Command, json } from '../../command'
import { table } from '../../table'
import { openBackups } from './open-backups'

export const backupList: Command = {
  name: 'backup list',
  summary: 'Lists the backups and the copies of the database made before upgrades.',
  operands: [],
  options: [json],
  examples: ['kiroku backup list', 'kiroku backup list --backup-to /mnt/usb --json'],
  run: async (call) => {
    const data = call.get(settings.data)
    const destination = await openBackups(call, call.get(settings.backupTo))
    const backups = await listBackups(data, destination)
    await noteReplaced(call, data)
    if (call.get(json)) return await call.print(JSON.stringify(backups.map(withTimes), null, 2))
    if (backups.length === 0)
      return await call.note(`there are no backups in ${destination.address}: see kiroku help backup create`)
    await call.print(
      table([['NAME', 'MADE (UTC)', 'SIZE', 'KIROKU', 'VERIFIED (UTC)'], ...backups.map(cells)]),
    )
  },
}

/** Written to standard error, since replaced instances are not backups. */
async function noteReplaced(call: CliCall, data: string): Promise<void> {
  const found = statSync(data, { throwIfNoEntry: false })
  if (found?.isDirectory() === false) throw new Failure('config', `${data} is not a directory`)
  const replaced = found === undefined ? [] : replacedInstances(data)
  if (replaced.length === 0) return
  const lines = replaced.map(({ path, bytes }) => `  rm -r ${quoted(path)}   (${sizeText(bytes)})`)
  await call.note(
    ['Restores kept these replaced versions; delete those you no longer need:', ...lines].join('\n'),
  )
}

const cells = ({ name, made_at, bytes, kiroku_version, verified_at, damage }: ListedBackup) => [
  ...[name, minute(made_at), sizeText(bytes), kiroku_version ?? '-'],
  damage === null ? verifiedText(verified_at) : `DAMAGED: ${damage}`,
]

const verifiedText = (at: number | null) => (at === null ? 'never' : minute(at))

const minute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
