import type { Line } from '../file/line'
import type { Cell } from '../kinds/cells'
import { placeOf } from '../kinds/field'
import type { Run } from '../run'
import { partsOf } from './keys'

/**
 * The row a line is about. `later`: whether it is one that another line may be about can only be told at the end of the
 * file. `twice`: an earlier line of the file was about it. `merged`: it is part of another row by now.
 */
export type Match =
  | { readonly is: 'row'; readonly id: number }
  | { readonly is: 'new' | 'later' | 'twice' | 'merged' }

/** Looks for a line's row by key, then by ids, then by what it is like. Keys of one pack never share a row but by key. */
export function matchRow(run: Run, line: Line, cells: readonly Cell[], atEnd: boolean): Match {
  const byKey = line.key === undefined ? undefined : matchKey(run, line, line.key)
  if (byKey !== undefined) return byKey
  const names = namesOf(line)
  for (const candidates of [byIds(run, line, cells, names), byLikeness(run, line, cells, names)]) {
    for (const id of candidates) {
      // A line without a key that is like one row only is what became of the line that made it.
      const sure = atEnd || (line.key === undefined && candidates.length === 1)
      if (!sure && mayBeNamed(run, line, id)) return { is: 'later' }
      return { is: 'row', id }
    }
  }
  return { is: 'new' }
}

/** Whether a later line of the file may be about a row, as its key says better than what two lines have in common. */
const mayBeNamed = ({ claims, keys }: Run, { kind }: Line, id: number) =>
  claims.mayBeTaken(kind.name, id) || keys.hasKey(kind.name, id)

function matchKey(run: Run, { kind }: Line, key: string): Match | undefined {
  const [named] = run.keys.find(kind.name, ...partsOf(key))
  if (named === undefined || named.by === 'id') return undefined
  if (named.by === 'merged') return { is: 'merged' }
  return run.claims.isTaken(kind.name, named.id) ? { is: 'twice' } : { is: 'row', id: named.id }
}

/** A line's names by namespace, the most reliable first. */
function namesOf({ key, ids }: Line): Map<string, string> {
  const own = new Map(key === undefined ? [] : [partsOf(key)])
  const names = new Map<string, string>()
  for (const namespace of idOrder) {
    const name = own.get(namespace) ?? ids.get(namespace)
    if (name !== undefined && name !== null) names.set(namespace, name)
  }
  // A key in a namespace of another pack's making may still be one of the ids of a row.
  for (const [namespace, name] of own) names.set(namespace, name)
  return names
}

function byIds(run: Run, line: Line, cells: readonly Cell[], names: Map<string, string>): number[] {
  // A pack that gives two keys in one namespace means two rows.
  const better = line.key === undefined ? [] : [partsOf(line.key)[0]]
  for (const [namespace, name] of names) {
    const [hit, another] = run.keys.find(line.kind.name, namespace, name)
    if (hit !== undefined && another === undefined && fits(run, line, cells, hit.id)) {
      if (!contradicts(run, line, hit.id, names, better)) return [hit.id]
    }
    better.push(namespace)
  }
  return []
}

function byLikeness(run: Run, line: Line, cells: readonly Cell[], names: Map<string, string>): number[] {
  const { kind } = line
  const free = (id: number) =>
    !run.claims.isTaken(kind.name, id) && !contradicts(run, line, id, names, [...names.keys()])
  for (const columns of hasAny(run, line, cells) ? (kind.likeness ?? []) : []) {
    const wanted = columns.map((column) => cells[placeOf(kind, column)] ?? null)
    // Two episodes without a number have nothing in common.
    if (columns.includes('number') && wanted.includes(null)) continue
    const alike = run.tables.alike(kind, columns, wanted).filter(free)
    if (alike.length === 1 || (alike.length > 1 && line.key === undefined)) return alike
  }
  const titled = kind.name === 'work' ? byTitle(run, line, cells) : undefined
  return titled === undefined || !free(titled) ? [] : [titled]
}

/** Most works of a new pack have nothing yet that a line could be like. */
function hasAny(run: Run, { kind }: Line, cells: readonly Cell[]): boolean {
  if (kind.likeness === undefined) return false
  const works = run.worksWith.get(kind) ?? run.tables.worksWith(kind)
  run.worksWith.set(kind, works)
  return works.has(Number(cells[placeOf(kind, 'work_id')]))
}

function byTitle({ titles }: Run, { kind }: Line, cells: readonly Cell[]): number | undefined {
  const [title, media, year] = ['title', 'media', 'season_year'].map((column) => cells[placeOf(kind, column)])
  return titles?.find(String(title), String(media), typeof year === 'number' ? year : null)
}

/** Whether a row is free to be this line's: no other line's of the file, and, for works, of the same medium. */
function fits(run: Run, { kind }: Line, cells: readonly Cell[], id: number): boolean {
  if (run.claims.isTaken(kind.name, id)) return false
  const media = placeOf(kind, 'media')
  return media === -1 || cells[media] === '' || run.tables.read(kind, id)?.cells[media] === cells[media]
}

/** Whether a site with better ids gives line and row different ones: split seasons share the ids of lesser sites. */
function contradicts(
  run: Run,
  { kind }: Line,
  id: number,
  names: ReadonlyMap<string, string>,
  namespaces: readonly string[],
): boolean {
  if (namespaces.length === 0) return false
  const theirs = run.keys.ofRow(kind.name, id)
  return namespaces.some((namespace) => {
    const known = theirs.get(namespace)
    return known !== undefined && !known.includes(names.get(namespace) ?? '')
  })
}

const idOrder = ['annict', 'syobocal', 'bangumi', 'mal', 'anilist', 'anidb']
