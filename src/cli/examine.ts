import { type Database, SQLiteError } from 'bun:sqlite'
import type { Drift } from '../catalogue/counters/drift'
import { findDrift } from '../catalogue/counters/recount'
import { createRest, type Rest } from '../catalogue/counters/rest'
import { searchDrift } from '../catalogue/counters/search-drift'
import { unfinishedMerges } from '../catalogue/import/merge/unfinished'

/** One thing that is not as it should be. */
export interface Finding {
  readonly kind: 'damage' | 'foreign_key' | 'counter' | 'search' | 'merge'
  readonly message: string
  /** Of a counter: where it stands, what it says and what counting gives. */
  readonly counter?: Drift
}

/** Whether it can be made anew from the rows it is about. */
export const isRepairable = ({ kind }: Finding): boolean =>
  kind === 'counter' || kind === 'search' || kind === 'merge'

/** How much is examined: the file and what its rows refer to, or also all that is kept and could be counted. */
export type Depth = 'quick' | 'deep'

/**
 * What is wrong, a hundred of a kind at most. Each piece is a read of its own, so that a server's log can be checkpointed
 * in between; the longest looks at every page of the file once. What is wrong is looked at twice.
 */
export function examine(handle: Database, depth: Depth): readonly Finding[] {
  const rest = createRest()
  const damage = damageIn(handle, depth, rest)
  // What a damaged file says of itself means nothing.
  if (damage.length > 0) return damage
  const dangling = seenTwice(() => foreignKeys(handle, rest))
  return depth === 'quick'
    ? dangling
    : [
        ...dangling,
        ...seenTwice(() => counters(handle, rest)),
        ...search(handle, rest),
        ...seenTwice(() => merges(handle)),
      ]
}

/** What a second look finds as well: no moment between two transactions of somebody else is told. */
function seenTwice(look: () => readonly Finding[]): readonly Finding[] {
  const first = new Set(look().map(placeOf))
  return first.size === 0 ? [] : look().filter((finding) => first.has(placeOf(finding)))
}

const placeOf = ({ message, counter }: Finding) =>
  counter === undefined ? message : `${counter.table} ${counter.column} ${counter.row}`

/** Every page is read once; the deep examination compares every index with its table as well. */
function damageIn(handle: Database, depth: Depth, rest: Rest): readonly Finding[] {
  const pages = complaints(handle, 'quick_check(100)')
  if (depth === 'quick' || pages.length > 0) return pages.map(asDamage)
  const indexes = tables(handle).flatMap((table) => {
    rest()
    return complaints(handle, `integrity_check("${table}")`)
  })
  return indexes.slice(0, 100).map(asDamage)
}

const asDamage = (message: string): Finding => ({ kind: 'damage', message })

function complaints(handle: Database, pragma: string): readonly string[] {
  try {
    const messages = handle.query<never, []>(`pragma ${pragma}`).values().map(String)
    return messages.filter((message) => message !== 'ok')
  } catch (cause) {
    // Some damage ends the examination instead of being listed by it.
    if (cause instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code ?? ''))
      return [cause.message]
    throw cause
  }
}

const tables = (handle: Database): readonly string[] =>
  handle
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => name)

interface Dangling {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

function foreignKeys(handle: Database, rest: Rest): readonly Finding[] {
  const rows = tables(handle).flatMap((table) => {
    rest()
    return handle.query<Dangling, []>(`pragma foreign_key_check("${table}")`).all()
  })
  return rows.slice(0, 100).map(({ table, rowid, parent }) => {
    return { kind: 'foreign_key', message: `${table} ${rowid ?? ''} refers to no row of ${parent}` }
  })
}

const counters = (handle: Database, rest: Rest): readonly Finding[] =>
  findDrift(handle, 100, rest).map((counter) => {
    const { table, column, row, kept, counted } = counter
    const message = `${table} ${row} says ${column} ${kept}, counting gives ${counted}`
    return { kind: 'counter', message, counter }
  })

const search = (handle: Database, rest: Rest): readonly Finding[] =>
  searchDrift(handle, 100, rest).map(({ kind, id }) => {
    return { kind: 'search', message: `${kind} ${id} is not found by its own texts` }
  })

const merges = (handle: Database): readonly Finding[] =>
  unfinishedMerges(handle, 100).map(({ kind, from, to, left }) => {
    return {
      kind: 'merge',
      message: `${kind.name} ${from}, merged into ${to}, left behind ${left.join(', ')}`,
    }
  })
