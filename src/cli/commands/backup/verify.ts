import { basename, dirname, resolve } from 'node:path'
import type { Destination } from '../../../backup/destination'
import { isEncrypted, timeOf } from '../../../backup/names'
import { type BackupPlace, verifyBackup } from '../../../backup/verify'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import { type CliCall, type Command, json } from '../../command'
import { createProgress } from '../../progress'
import { openBackups } from './open-backups'

export const backupVerify: Command = {
  name: 'backup verify',
  summary: 'Reads a whole backup and checks the database in it. Without a name, the newest one.',
  operands: [{ name: 'NAME|FILE|all', optional: true }],
  options: [json],
  examples: [
    'kiroku backup verify',
    'kiroku backup verify kiroku-20260401T120000Z.tar.zst',
    'kiroku backup verify /mnt/usb/kiroku-20260401T120000Z.tar.zst',
    'kiroku backup verify all --json',
  ],
  run: async (call) => {
    const [asked] = call.operands
    const file = asked?.includes('/') ? resolve(asked) : undefined
    const destination = await openBackups(call, file ? dirname(file) : call.get(settings.backupTo))
    const names = file ? [basename(file)] : await namesOf(asked, destination)
    const outcomes: Outcome[] = []
    const progress = createProgress()
    for (const name of names) {
      progress.show(`verifying ${name}`)
      const place = { destination, name, isNoted: file === undefined }
      const outcome = await outcomeOf(call, place).finally(progress.end)
      outcomes.push(outcome)
      if (!call.get(json)) await call.print(`${outcome.ok ? 'ok' : 'DAMAGED'}  ${name}${detail(outcome)}`)
    }
    if (call.get(json)) await call.print(JSON.stringify(outcomes, null, 2))
    const bad = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
    if (bad.length === 0) return
    const hint = bad.some(isEncrypted) ? 'if the passphrase is the right one, ' : ''
    throw new Failure(
      'data',
      `${bad.length} of ${outcomes.length} cannot be restored; ${hint}kiroku backup create makes a new one`,
    )
  },
}

interface Outcome {
  readonly name: string
  readonly ok: boolean
  readonly why: string | null
}

const detail = ({ why }: Outcome) => (why === null ? '' : `: ${why}`)

async function outcomeOf(call: CliCall, place: BackupPlace): Promise<Outcome> {
  const { name } = place
  try {
    await verifyBackup(call.get(settings.data), place, call.now)
    return { name, ok: true, why: null }
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.kind !== 'data') throw cause
    return { name, ok: false, why: cause.message }
  }
}

async function namesOf(asked: string | undefined, destination: Destination): Promise<readonly string[]> {
  if (asked !== undefined && asked !== 'all') return [asked]
  const names = (await destination.list())
    .map(({ name }) => name)
    .filter((name) => timeOf(name) !== undefined)
  if (names.length === 0) throw new Failure('noInput', `there is no backup in ${destination.address}`)
  return asked === 'all' ? names.toSorted() : names.toSorted().slice(-1)
}
