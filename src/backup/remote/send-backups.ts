import { join } from 'node:path'
import type { KeepRule } from '../../values/keep-rule'
import { type Destination, directoryDestination } from '../destination'
import { isEncrypted, timeOf } from '../names'
import { backupsDirectory, readNotes } from '../notes'
import { removable } from '../prune'

export interface Sending {
  readonly rule: KeepRule
  /** Set if there is a passphrase: backups from before it was set stay local. */
  readonly onlyEncrypted: boolean
}

export interface Sent {
  readonly sent: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Uploads the backups of a data directory that the bucket lacks, newest first, and removes from the bucket
 * what the rule, applied to both, does not keep. Encrypted ones are sent as they are.
 */
export async function sendBackups(
  data: string,
  bucket: Destination,
  { rule, onlyEncrypted }: Sending,
  report: (step: string) => void,
): Promise<Sent> {
  const directory = backupsDirectory(data)
  const { backups } = readNotes(data)
  const mine = namesOf(await directoryDestination(directory).list()).filter(
    (name) => backups[name]?.damage === undefined && (isEncrypted(name) || !onlyEncrypted),
  )
  const there = new Set(namesOf(await bucket.list()))
  const surplus = new Set(removable([...there.union(new Set(mine))], rule, backups))
  const sent = mine
    .filter((name) => !there.has(name) && !surplus.has(name))
    .toSorted()
    .toReversed()
  for (const name of sent) {
    report(`sending ${name} to ${bucket.address}`)
    await bucket.put(name, join(directory, name))
  }
  const removed = [...there].filter((name) => surplus.has(name))
  for (const name of removed) await bucket.remove(name)
  return { sent, removed }
}

const namesOf = (files: readonly { readonly name: string }[]) =>
  files.map(({ name }) => name).filter((name) => timeOf(name) !== undefined)
