import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isEncrypted } from '../../../backup/names'
import { finishInterrupted, type Restored, restoreBackup } from '../../../backup/restore/restore'
import { newestRestoreCommand } from '../../../backup/way-back'
import { settings } from '../../../config'
import { migrations } from '../../../db/migrations'
import { type CliCall, type Command, json } from '../../command'
import { misuse } from '../../parse'
import { countsText, openBackups } from './open-backups'

export const backupRestore: Command = {
  name: 'backup restore',
  summary:
    'Replaces all data by a backup, or the database by a copy made before an upgrade. The server must be stopped.',
  operands: [{ name: 'NAME|FILE', optional: true }],
  options: [json],
  examples: [
    'kiroku backup restore kiroku-20260401T120000Z.tar.zst',
    'kiroku backup restore /mnt/usb/kiroku-20260401T120000Z.tar.zst --data /srv/kiroku',
  ],
  run: async (call) => {
    const data = call.get(settings.data)
    const [source] = call.operands
    if (source === undefined) return await finish(call, data)
    const restored = await restoreBackup(data, await placeOf(call, source), source, call.now)
    await call.print(call.get(json) ? JSON.stringify(described(restored)) : told(data, source, restored))
  },
}

/** The directory of an encrypted file, or else the configured destination. */
async function placeOf(call: CliCall, source: string) {
  const isFile = isEncrypted(source) && existsSync(source)
  return await openBackups(call, isFile ? dirname(resolve(source)) : call.get(settings.backupTo))
}

/** Finishes a restore that was interrupted. */
async function finish(call: CliCall, data: string): Promise<void> {
  const finished = await finishInterrupted(data)
  if (finished === undefined) throw misuse(backupRestore, `NAME or FILE is missing${newest(data)}`)
  await call.print(['completed the interrupted restore', ...kept(finished.old)].join('\n'))
}

function newest(data: string): string {
  const command = newestRestoreCommand(data)
  return command === undefined ? ' and there is no backup in backups/' : `; the newest backup: ${command}`
}

const described = ({ began_at, contents, old }: Restored) => ({
  began_at,
  migration: contents.migration,
  counts: contents.counts,
  old: old ?? null,
})

function told(data: string, source: string, { began_at, contents, old }: Restored): string {
  const of = began_at === null ? '' : `, as of ${began_at}`
  return [
    `restored ${source} to ${data}${of}`,
    countsText(contents.counts, 'user', 'record'),
    ...kept(old),
    ...ofOlder(contents.migration),
    'Sessions and tokens are as they were then: revoke again those that were revoked since.',
  ].join('\n')
}

function ofOlder(migration: string): readonly string[] {
  const next = Object.keys(migrations).find((name) => name > migration)
  if (next === undefined) return []
  return [
    `It is from before migration ${next}: start the older kiroku, since this one upgrades it again at its next start.`,
  ]
}

const kept = (old: string | undefined) =>
  old === undefined ? [] : [`What was there before is in ${old}; delete it when all is well.`]
