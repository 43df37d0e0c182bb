import type { KeepRule } from '../values/keep-rule'
import type { Destination } from './destination'
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
  const isKept = ({ name, at }: DatedBackup) =>
    name === backups[0]?.name ||
    name === verified?.name ||
    (isDamaged(name) ? at > (verified?.at ?? Number.NEGATIVE_INFINITY) : kept.has(at))
  const snapshots = newestFirst(names, snapshotTime).slice(keptSnapshots)
  return [...backups.filter((backup) => !isKept(backup)), ...snapshots].map(({ name }) => name)
}

type Period = keyof KeepRule

/** The period that a UTC time belongs to; weeks begin on Monday. */
const periods = {
  h: (at: number) => Math.floor(at / hour),
  d: (at: number) => Math.floor(at / day),
  // 1 January 1970 was a Thursday.
  w: (at: number) => Math.floor((at / day + 3) / 7),
  m: (at: number) => new Date(at).toISOString().slice(0, 7),
  y: (at: number) => new Date(at).toISOString().slice(0, 4),
} as const satisfies Readonly<Record<Period, (at: number) => unknown>>

const hour = 3_600_000
const day = 86_400_000

const letters = ['d', 'w', 'm', 'y'] as const

/**
 * The newest backup of each of the last n days (weeks, months, years) that have one: a pause loses nothing. Hours are
 * counted back from the newest backup whether they have one or not: otherwise 24 daily backups would be 24 hours.
 */
export function keptBy(rule: KeepRule, times: readonly number[]): ReadonlySet<number> {
  const newestFirst = times.toSorted((a, b) => b - a)
  const since = (newestFirst[0] ?? 0) - (rule.h ?? 0) * hour
  const ofLastHours = newestFirst.filter((at) => at > since)
  return new Set([
    ...newestOfEach(ofLastHours, periods.h, rule.h ?? 0),
    ...letters.flatMap((letter) => newestOfEach(newestFirst, periods[letter], rule[letter] ?? 0)),
  ])
}

function newestOfEach(newestFirst: readonly number[], periodOf: (at: number) => unknown, count: number) {
  const kept = new Map<unknown, number>()
  for (const at of newestFirst) {
    const period = periodOf(at)
    if (kept.has(period)) continue
    if (kept.size === count) break
    kept.set(period, at)
  }
  return [...kept.values()]
}

const keptSnapshots = 3

interface DatedBackup {
  readonly name: string
  readonly at: number
}

const newestFirst = (
  names: readonly string[],
  time: (name: string) => number | undefined,
): readonly DatedBackup[] =>
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
