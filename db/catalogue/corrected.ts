import { titleText } from '../../src/catalogue/title-key'
import type { CorrectedLine } from './corrections'

type PackLine = Readonly<Record<string, unknown>>

interface CorrectedPack<L> {
  readonly lines: L[]
  /** Corrections that are no longer needed, or that do not fit what the line says, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Applies what instances corrected: a field that still is what it `was` becomes what they say; rows made by hand are added,
 * unless a line has their key, one of their ids or, of works, their title, medium and season.
 */
export function correctedPack<L extends object>(
  built: readonly L[],
  corrections: readonly CorrectedLine[],
): CorrectedPack<L> {
  const notes: string[] = []
  if (corrections.length === 0) return { lines: [...built], notes }
  const lines: PackLine[] = built.map((line) => Object.fromEntries(Object.entries(line)))
  const find = finder(lines)
  const made: PackLine[] = []
  for (const { reason: _, evidence: __, ...line } of corrections) {
    const at = find(line)
    const name = `${line.type} ${line.key}`
    const found = at === undefined ? undefined : lines[at]
    if (line.was === undefined && found === undefined) made.push(line)
    else if (line.was === undefined)
      notes.push(
        `${name}: ${'merged_into' in line ? 'is a row of its own in the pack' : 'is in the pack already'}`,
      )
    else if (at === undefined || found === undefined) notes.push(`${name}: is not in the pack`)
    else {
      const verdict = corrected(found, line, line.was)
      lines[at] = verdict.line
      notes.push(...verdict.notes.map((note) => `${name}: ${note}`))
    }
  }
  const [head, ...rest] = lines
  const all = [head, ...made.filter(isSeries), ...rest, ...made.filter((line) => !isSeries(line))]
  return { lines: all.filter((line): line is L & PackLine => line?.type !== undefined), notes }
}

/** Works refer to series, so that these come first. */
const isSeries = ({ type }: PackLine) => type === 'series'

/** Finds the place of the line that another one is about. */
function finder(built: readonly PackLine[]): (line: PackLine) => number | undefined {
  const byName = new Map<string, number>()
  for (const [at, line] of built.entries())
    for (const name of namesOf(line)) if (!byName.has(name)) byName.set(name, at)
  return (line) =>
    namesOf(line)
      .map((name) => byName.get(name))
      .find((found) => found !== undefined)
}

/** Best first. A row of a work that has no key of a pack is the one with its number, or with the same people. */
function namesOf(line: PackLine): string[] {
  const { type, key, title, media, season_name, work, number, character, person, organization, role } = line
  const ids = Object.entries(line.ids ?? {}).map(([site, id]) => `${type} ${site}:${id}`)
  const isKeyOf = typeof key === 'string' ? [`${type} ${key}`] : []
  if (type === 'work' && typeof title === 'string' && line.was === undefined)
    return [...isKeyOf, ...ids, `work ${titleText(title)} ${media} ${season_name}`]
  if (type === 'episode' && number !== undefined) return [...isKeyOf, ...ids, `episode ${work} ${number}`]
  if (type === 'cast' || type === 'staff')
    return [...isKeyOf, `${type} ${[work, character, person, organization, role].join(' ')}`]
  return [...isKeyOf, ...ids]
}

interface Verdict {
  readonly line: PackLine
  readonly notes: readonly string[]
}

function corrected(line: PackLine, correction: PackLine, was: PackLine): Verdict {
  const notes: string[] = []
  const next: Record<string, unknown> = { ...line }
  for (const name of new Set([...Object.keys(was), ...partNames.filter((part) => part in correction)])) {
    const now = line[name] ?? (name === 'deleted' ? false : null)
    const wanted = correction[name] ?? null
    const former = was[name] ?? null
    if (partNames.includes(name))
      next[name] = joined(name, listOf(now), listOf(wanted), listOf(former), notes)
    else if (isRecord(former)) {
      const inner = corrected(isRecord(now) ? now : {}, isRecord(wanted) ? wanted : {}, former)
      next[name] = inner.line
      notes.push(...inner.notes.map((note) => `${name}.${note}`))
    } else if (Bun.deepEquals(now, wanted)) notes.push(`${name} is ${JSON.stringify(wanted)} already`)
    else if (Bun.deepEquals(now, former)) next[name] = wanted
    else notes.push(`${name} is left, as it is ${JSON.stringify(now)} and was ${JSON.stringify(former)}`)
  }
  return { line: next, notes }
}

function joined(
  name: string,
  now: readonly unknown[],
  added: readonly unknown[],
  removed: readonly unknown[],
  notes: string[],
): readonly unknown[] | undefined {
  const has = (one: unknown) => now.some((other) => Bun.deepEquals(one, other))
  for (const one of added.filter(has)) notes.push(`${name} has ${JSON.stringify(one)} already`)
  for (const one of removed.filter((one) => !has(one))) notes.push(`${name} has no ${JSON.stringify(one)}`)
  const kept = now.filter((one) => !removed.some((other) => Bun.deepEquals(one, other)))
  const list = [...kept, ...added.filter((one) => !has(one))]
  return list.length > 0 ? list : undefined
}

/** Lists of what was added, and in `was` of what was removed. */
const partNames = ['aliases', 'series', 'streams']

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
