import { type Database, SQLiteError } from 'bun:sqlite'
import { unfinishedMerges } from '../catalogue/import/unfinished-merges'
import { type Drift, findDrift } from '../catalogue/recount'
import { searchDrift } from '../catalogue/search-drift'

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

/** What is wrong, in one view of the database, whatever a server writes meanwhile; a hundred of a kind at most. */
export function examine(handle: Database, depth: Depth): readonly Finding[] {
  handle.run('begin')
  try {
    const damage = damageIn(handle, depth)
    // What a damaged file says of itself means nothing.
    if (damage.length > 0) return damage
    const dangling = foreignKeys(handle)
    return depth === 'quick'
      ? dangling
      : [...dangling, ...counters(handle), ...search(handle), ...merges(handle)]
  } finally {
    handle.run('rollback')
  }
}

function damageIn(handle: Database, depth: Depth): readonly Finding[] {
  const found = messages(handle, depth).filter((message) => message !== 'ok')
  return found.map((message) => ({ kind: 'damage', message }))
}

/** The quick one reads every page; the whole one compares every index with its table as well. */
function messages(handle: Database, depth: Depth): readonly string[] {
  const pragma = depth === 'quick' ? 'quick_check' : 'integrity_check'
  try {
    return handle.query<never, []>(`pragma ${pragma}(100)`).values().map(String)
  } catch (cause) {
    // Some damage ends the examination instead of being listed by it.
    if (cause instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code ?? ''))
      return [cause.message]
    throw cause
  }
}

function foreignKeys(handle: Database): readonly Finding[] {
  const rows = handle
    .query<{ table: string; rowid: number | null; parent: string }, []>('pragma foreign_key_check')
    .all()
  return rows.slice(0, 100).map(({ table, rowid, parent }) => {
    return { kind: 'foreign_key', message: `${table} ${rowid ?? ''} refers to no row of ${parent}` }
  })
}

const counters = (handle: Database): readonly Finding[] =>
  findDrift(handle).map((counter) => {
    const { table, column, row, kept, counted } = counter
    const message = `${table} ${row} says ${column} ${kept}, counting gives ${counted}`
    return { kind: 'counter', message, counter }
  })

const search = (handle: Database): readonly Finding[] =>
  searchDrift(handle).map(({ kind, id }) => {
    return { kind: 'search', message: `${kind} ${id} is not found by its own texts` }
  })

const merges = (handle: Database): readonly Finding[] =>
  unfinishedMerges(handle, 100).map(({ kind, from, to, left }) => {
    return {
      kind: 'merge',
      message: `${kind.name} ${from}, merged into ${to}, left behind ${left.join(', ')}`,
    }
  })
