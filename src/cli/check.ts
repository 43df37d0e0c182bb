import { type Database, SQLiteError } from 'bun:sqlite'
import { findDrift } from '../catalogue/recount'
import { searchDrift } from '../catalogue/search-drift'
import { settings } from '../config'
import { Failure } from '../lib/failure'
import { type Command, json } from './command'
import { withStore } from './open'

/** One thing that is not as it should be. */
interface Finding {
  readonly kind: 'damage' | 'foreign_key' | 'counter' | 'search'
  readonly message: string
}

export const check: Command = {
  name: 'check',
  summary:
    'Examines the database: damage, dangling references, counters, the search index. Works while it is served.',
  operands: [],
  options: [json],
  examples: ['kiroku check', 'kiroku check --json'],
  run: async (call) => {
    const findings = await withStore(call.get(settings.data), async ({ handle }) => examine(handle))
    const ok = findings.length === 0
    if (call.get(json)) await call.print(JSON.stringify({ ok, findings }, null, 2))
    else await call.print(ok ? 'ok' : findings.map(({ kind, message }) => `${kind}: ${message}`).join('\n'))
    const n = findings.length
    if (!ok) throw new Failure('data', `the database is not sound: ${n} finding${n === 1 ? '' : 's'}`)
  },
}

/** What is wrong, in one view of the database, whatever a server writes meanwhile; a hundred of a kind at most. */
function examine(handle: Database): readonly Finding[] {
  handle.run('begin')
  try {
    const damage = integrity(handle)
    // What a damaged file says of itself means nothing.
    return damage.length > 0 ? damage : [...foreignKeys(handle), ...counters(handle), ...search(handle)]
  } finally {
    handle.run('rollback')
  }
}

function integrity(handle: Database): readonly Finding[] {
  const found = integrityMessages(handle).filter((message) => message !== 'ok')
  return found.map((message) => ({ kind: 'damage', message }))
}

function integrityMessages(handle: Database): readonly string[] {
  try {
    const rows = handle.query<{ integrity_check: string }, []>('pragma integrity_check(100)').all()
    return rows.map((row) => row.integrity_check)
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
  findDrift(handle).map(({ table, column, row, kept, counted }) => {
    return { kind: 'counter', message: `${table} ${row} says ${column} ${kept}, counting gives ${counted}` }
  })

const search = (handle: Database): readonly Finding[] =>
  searchDrift(handle).map(({ kind, id }) => {
    return { kind: 'search', message: `${kind} ${id} is not found by its own texts` }
  })
