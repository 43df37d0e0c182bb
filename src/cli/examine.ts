import { type Database, SQLiteError } from 'bun:sqlite'
import { namesDrift } from '../accounts/name-drift'
import { type Drift, findDrift } from '../catalogue/counters/recount'
import { createRest, type Rest } from '../catalogue/counters/rest'
import { searchDrift } from '../catalogue/counters/search-drift'
import { unfinishedMerges } from '../catalogue/import/merge/unfinished'
import type { CheckResult } from '../db/health/last-check'

export interface Finding {
  readonly kind: 'damage' | 'foreign_key' | 'counter' | 'search' | 'merge'
  readonly message: string
  readonly counter?: Drift
}

export const isRepairable = ({ kind }: Finding): boolean =>
  kind === 'counter' || kind === 'search' || kind === 'merge'

export function summaryOf(findings: readonly Finding[]): Pick<CheckResult, 'outcome' | 'findings'> {
  const isDamaged = findings.some(({ kind }) => kind === 'damage')
  const unsound = isDamaged ? 'damage' : 'unsound'
  return {
    outcome: findings.length === 0 ? 'ok' : unsound,
    findings: findings.slice(0, 10).map(({ message }) => message),
  }
}

/** Each level adds to the one before: `quick` foreign keys, `indexes` comparing them with tables, `deep` counters. */
export type ExamineDepth = 'pages' | 'quick' | 'indexes' | 'deep'

/**
 * Problems, at most a hundred of each kind. Each check is a separate read, so that the server can checkpoint
 * its write-ahead log in between; the longest reads every page once.
 */
export function examine(handle: Database, depth: ExamineDepth): readonly Finding[] {
  const rest = createRest()
  const damage = damageIn(handle, depth, rest)
  // In a damaged file the other checks are meaningless.
  if (damage.length > 0 || depth === 'pages') return damage
  const dangling = confirmedFindings(() => foreignKeys(handle, rest))
  return depth !== 'deep'
    ? dangling
    : [
        ...dangling,
        ...confirmedFindings(() => counters(handle, rest)),
        ...search(handle, rest),
        ...confirmedFindings(() => names(handle, rest)),
        ...confirmedFindings(() => merges(handle)),
      ]
}

/** Findings confirmed by a second read: the first may have been between two transactions of another process. */
function confirmedFindings(look: () => readonly Finding[]): readonly Finding[] {
  const first = new Set(look().map(identityOf))
  return first.size === 0 ? [] : look().filter((finding) => first.has(identityOf(finding)))
}

const identityOf = ({ message, counter }: Finding) =>
  counter === undefined ? message : `${counter.table} ${counter.column} ${counter.row}`

/** Reads every page once; `indexes` and `deep` also compare every index with its table. */
function damageIn(handle: Database, depth: ExamineDepth, rest: Rest): readonly Finding[] {
  const pages = pragmaMessages(handle, 'quick_check(100)')
  if (depth === 'pages' || depth === 'quick' || pages.length > 0) return pages.map(asDamage)
  const indexes = tables(handle).flatMap((table) => {
    rest()
    return pragmaMessages(handle, `integrity_check("${table}")`)
  })
  return indexes.slice(0, 100).map(asDamage)
}

const asDamage = (message: string): Finding => ({ kind: 'damage', message })

function pragmaMessages(handle: Database, pragma: string): readonly string[] {
  try {
    const rows = handle.query<never, []>(`pragma ${pragma}`).values().map(String)
    // A single row may contain all findings in the pages, below a heading.
    const lines = rows.flatMap((row) => row.split('\n'))
    return lines.filter((line) => line !== 'ok' && line !== '*** in database main ***').slice(0, 100)
  } catch (cause) {
    // Some damage aborts the pragma instead of appearing in its result.
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

interface ForeignKeyViolation {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

function foreignKeys(handle: Database, rest: Rest): readonly Finding[] {
  const rows = tables(handle).flatMap((table) => {
    rest()
    return handle.query<ForeignKeyViolation, []>(`pragma foreign_key_check("${table}")`).all()
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

const names = (handle: Database, rest: Rest): readonly Finding[] =>
  namesDrift(handle, rest)
    .slice(0, 100)
    .map((id) => ({ kind: 'search', message: `users ${id} is not found by its own names` }))

const merges = (handle: Database): readonly Finding[] =>
  unfinishedMerges(handle, 100).map(({ kind, from, to, left }) => {
    return {
      kind: 'merge',
      message: `${kind.name} ${from}, merged into ${to}, left behind ${left.join(', ')}`,
    }
  })
