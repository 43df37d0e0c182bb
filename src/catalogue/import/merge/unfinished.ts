import type { Database } from 'bun:sqlite'
import type { Kind } from '../kinds/field'
import { kinds } from '../kinds/kinds'
import { moves } from './moves'
import { idColumns } from './rows'

export interface UnfinishedMerge {
  readonly kind: Kind
  readonly from: number
  /** The row at the end of the chain of merges. */
  readonly to: number
  readonly left: readonly string[]
}

/** Merges that left rows behind (D67), at most `limit` of each kind. Reads indexes only. */
export function unfinishedMerges(handle: Database, limit = 1000): UnfinishedMerge[] {
  // In most databases, preparing the long queries below takes longer than running them.
  const merged = handle.query<never, [string]>('select 1 from redirects where kind = ? limit 1')
  return kinds.flatMap((kind) => {
    if (merged.values(kind.name).length === 0) return []
    const rows = handle
      .query<Record<string, number>, [string, number]>(leftBehind(kind))
      .all(kind.name, limit)
    return rows.flatMap((row) => {
      const to = survivorOf(handle, kind, row.from_id ?? 0)
      const left = remains(kind).flatMap(({ what }, at) => (row[`left${at}`] === 1 ? [what] : []))
      return to === undefined ? [] : [{ kind, from: row.from_id ?? 0, to, left }]
    })
  })
}

/** A kind of rows left behind: SQL about `gone`, `stays` and `redirects`. */
interface Remains {
  readonly what: string
  readonly where: string
}

function remains(kind: Kind): Remains[] {
  const rows = (moves[kind.name] ?? []).map(({ table, column }) => ({
    what: table.replaceAll('_', ' '),
    where: `exists (select 1 from ${table} where ${column} = gone.id)`,
  }))
  return [
    ...rows,
    { what: 'its place in lists', where: 'gone.hidden & 1 = 0' },
    {
      what: 'its names elsewhere',
      where: `exists (select 1 from external_ids indexed by external_ids_local
        where kind = '${kind.name}' and local_id = gone.id)`,
    },
    {
      what: 'the ids that lead to it',
      where: `exists (select 1 from redirects as next where next.kind = '${kind.name}' and next.from_id = redirects.to_id)`,
    },
    ...(kind.name === 'work' ? ofWork : []),
  ]
}

const ofWork: readonly Remains[] = [
  {
    what: 'its title',
    where: `gone.title <> stays.title and not exists (
      select 1 from work_aliases where work_id = stays.id and title = gone.title)`,
  },
  ...idColumns.map((column) => ({
    what: `its ${column}`,
    where: `stays.${column} = '' and gone.${column} <> '' and json_extract(stays.owners, '$.${column}') is null`,
  })),
]

function leftBehind(kind: Kind): string {
  const columns = remains(kind).map(({ where }, at) => `(${where}) as left${at}`)
  const any = columns.map((_, at) => `left${at} = 1`).join(' or ')
  return `select * from (
    select redirects.from_id, ${columns.join(', ')} from redirects
    join ${kind.table} as gone on gone.id = redirects.from_id
    join ${kind.table} as stays on stays.id = redirects.to_id
    where redirects.kind = ?1) where ${any} limit ?2`
}

/** Undefined for a cycle, which no import creates. */
function survivorOf(handle: Database, { name }: Kind, from: number): number | undefined {
  const next = handle.query<never, [string, number]>(
    'select to_id from redirects where kind = ? and from_id = ?',
  )
  const seen = new Set([from])
  for (let at = from; ; ) {
    const [row] = next.values(name, at)
    if (row === undefined) return at
    at = Number(row[0])
    if (seen.has(at)) return undefined
    seen.add(at)
  }
}
