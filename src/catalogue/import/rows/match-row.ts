import type { Line } from '../file/line'
import type { Cell } from '../kinds/cells'
import { placeOf } from '../kinds/field'
import type { Run } from '../run'
import { partsOf } from './keys'
import { isNamedKind, isSpelled } from './named-rows'

/** `later`: undecided until the end of the file. `twice`: taken by an earlier line. `merged`: part of another row. */
export type RowMatch =
  | { readonly is: 'row'; readonly id: number }
  | { readonly is: 'new' | 'later' | 'twice' | 'merged' }

/** Matches by key, then ids, then likeness. Different keys of one pack never share a row. */
export function matchRow(run: Run, line: Line, cells: readonly Cell[], atEnd: boolean): RowMatch {
  const byKey = line.key === undefined ? undefined : matchKey(run, line, line.key)
  if (byKey !== undefined) return byKey
  const names = namesOf(line)
  for (const candidates of [byIds(run, line, cells, names), byLikeness(run, line, cells, names)]) {
    for (const id of candidates) {
      // A keyless line that matches a single row is a new version of the line that created it.
      const sure = atEnd || (line.key === undefined && candidates.length === 1)
      if (!sure && mayBeNamed(run, line, id)) return { is: 'later' }
      return { is: 'row', id }
    }
  }
  return { is: 'new' }
}

/** Whether a later line may name the row by key, which outranks likeness. */
const mayBeNamed = ({ claims, keys }: Run, { kind }: Line, id: number) =>
  claims.mayBeTaken(kind.name, id) || keys.keysOf(kind.name, id).length > 0

function matchKey(run: Run, { kind }: Line, key: string): RowMatch | undefined {
  const [named] = run.keys.find(kind.name, ...partsOf(key))
  if (named === undefined || named.by === 'id') return undefined
  if (named.by === 'merged') return { is: 'merged' }
  return run.claims.isTaken(kind.name, named.id) ? { is: 'twice' } : { is: 'row', id: named.id }
}

/** Most reliable namespace first. */
function namesOf({ key, ids }: Line): Map<string, string> {
  const own = new Map(key === undefined ? [] : [partsOf(key)])
  const names = new Map<string, string>()
  for (const namespace of idOrder) {
    const name = own.get(namespace) ?? ids.get(namespace)
    if (name !== undefined && name !== null) names.set(namespace, name)
  }
  // A key in a foreign namespace may also be one of the row's ids.
  for (const [namespace, name] of own) names.set(namespace, name)
  return names
}

function byIds(run: Run, line: Line, cells: readonly Cell[], names: Map<string, string>): number[] {
  // Two keys in one namespace mean two different rows.
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
    // Episodes without a number are never alike.
    if (columns.includes('number') && wanted.includes(null)) continue
    const alike = run.tables.alike(kind, columns, wanted).filter(free)
    if (alike.length === 1 || (alike.length > 1 && line.key === undefined)) return alike
  }
  const titled = kind.name === 'work' ? byTitle(run, line, cells) : undefined
  return titled === undefined || !free(titled) ? byName(run, line, cells).filter(free) : [titled]
}

/** Rules out works without rows of this kind, which are the majority in a new pack. */
function hasAny(run: Run, { kind }: Line, cells: readonly Cell[]): boolean {
  if (kind.likeness === undefined) return false
  const works = run.worksWith.get(kind) ?? run.tables.worksWith(kind)
  run.worksWith.set(kind, works)
  return works.has(Number(cells[placeOf(kind, 'work_id')]))
}

function byTitle({ titles }: Run, { kind }: Line, cells: readonly Cell[]): number | undefined {
  const [title, media, year, season] = ['title', 'media', 'season_year', 'season'].map(
    (column) => cells[placeOf(kind, column)],
  )
  return titles?.find({
    title: String(title),
    media: String(media),
    year: typeof year === 'number' ? year : null,
    season: typeof season === 'string' ? season : null,
  })
}

/** Whether no other line took the row and, for works, the medium is the same. */
function fits(run: Run, { kind }: Line, cells: readonly Cell[], id: number): boolean {
  if (run.claims.isTaken(kind.name, id)) return false
  const media = placeOf(kind, 'media')
  return media === -1 || cells[media] === '' || run.tables.read(kind, id)?.cells[media] === cells[media]
}

/** Whether the ids of a more reliable site differ: split seasons share ids at lesser sites. */
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

/**
 * The only row with the same name, if the line or that row is known by its name alone. A character is
 * searched for in the casts of the work that its key names.
 */
function byName({ names, keys }: Run, { kind, key = '' }: Line, cells: readonly Cell[]): number[] {
  if (!isNamedKind(kind.name)) return []
  const name = String(cells[placeOf(kind, 'name')])
  const spelled = names.spelled(kind.name, name)
  if (!isSpelled(key, name)) {
    const only = spelled.length === 0 || kind.name === 'character' ? undefined : names.only(kind.name, name)
    return only !== undefined && spelled.includes(only) ? [only] : []
  }
  if (kind.name !== 'character') return listOf(names.only(kind.name, name))
  const work = keys.refer('work', key.slice(0, -name.length - 1))
  return work === undefined ? [] : listOf(names.character(work, name))
}

const listOf = (id: number | undefined) => (id === undefined ? [] : [id])
