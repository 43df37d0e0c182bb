import type { Database } from 'bun:sqlite'

/** Where rows come from, and how much its word weighs. */
export interface Source {
  readonly id: number
  readonly priority: number
}

/** The source of this name, made if it is new. */
export function findSource(handle: Database, name: string): Source {
  const priority = priorities[name] ?? otherPriority
  handle.query('insert or ignore into sources (name, priority) values (?, ?)').run(name, priority)
  const [source] = handle.query<Source, [string]>('select id, priority from sources where name = ?').all(name)
  if (source === undefined) throw new Error(`no source ${name}`)
  return source
}

/** The priority of every source by its id. */
export const sourcePriorities = (handle: Database): ReadonlyMap<number, number> =>
  new Map(
    handle
      .query<Source, []>('select id, priority from sources')
      .all()
      .map(({ id, priority }) => [id, priority]),
  )

const priorities: Readonly<Record<string, number>> = {
  admin: 100,
  annict: 80,
  syobocal: 70,
  madb: 50,
  'bangumi-data': 40,
  estimate: 10,
}
const otherPriority = 60
