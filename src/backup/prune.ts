import type { KeepRule } from '../values/keep-rule'
import type { Destination } from './destination'
import { keptBy } from './keep-rule'
import { snapshotTime, timeOf } from './names'
import { changeNotes, type Notes, readNotes } from './notes'
import { withWorkPlace } from './work-place'

/** Removes what the rule does not keep, and returns the names. */
export async function pruneBackups(
  data: string,
  destination: Destination,
  rule: KeepRule,
): Promise<{ readonly removed: readonly string[]; readonly kept: number }> {
  return await withWorkPlace(data, async () => {
    const names = (await destination.list()).map(({ name }) => name)
    const removed = removable(names, rule, readNotes(data).backups)
    for (const name of removed) await destination.remove(name)
    if (removed.length > 0) changeNotes(data, (notes) => withoutNotes(notes, removed))
    return { removed, kept: names.filter((name) => timeOf(name) !== undefined).length - removed.length }
  })
}

/**
 * Backups that the rule does not keep, and all but the newest three pre-migration copies. Never the newest backup, nor
 * the newest verified one; a damaged one does not count, and goes once a newer one has been verified.
 */
export function removable(
  names: readonly string[],
  rule: KeepRule,
  notes: Notes['backups'],
): readonly string[] {
  const backups = newestFirst(names, timeOf)
  const isDamaged = (name: string) => notes[name]?.damage !== undefined
  const sound = backups.filter(({ name }) => !isDamaged(name))
  const kept = keptBy(
    rule,
    sound.map(({ at }) => at),
  )
  const verified = sound.find(({ name }) => typeof notes[name]?.verified_at === 'number')
  const isKept = ({ name, at }: Named) =>
    name === backups[0]?.name ||
    name === verified?.name ||
    (isDamaged(name) ? at > (verified?.at ?? Number.NEGATIVE_INFINITY) : kept.has(at))
  const snapshots = newestFirst(names, snapshotTime).slice(keptSnapshots)
  return [...backups.filter((backup) => !isKept(backup)), ...snapshots].map(({ name }) => name)
}

const keptSnapshots = 3

interface Named {
  readonly name: string
  readonly at: number
}

const newestFirst = (
  names: readonly string[],
  time: (name: string) => number | undefined,
): readonly Named[] =>
  names
    .flatMap((name) => {
      const at = time(name)
      return at === undefined ? [] : [{ name, at }]
    })
    .sort((a, b) => b.at - a.at)

const withoutNotes = (notes: Notes, removed: readonly string[]): Notes => ({
  ...notes,
  backups: Object.fromEntries(Object.entries(notes.backups).filter(([name]) => !removed.includes(name))),
})
