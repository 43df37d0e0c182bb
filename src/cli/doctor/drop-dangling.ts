import type { Database } from 'bun:sqlite'

interface Reference {
  readonly table: string
  readonly parent: string
  /** The number of the reference among those of the table. */
  readonly fkid: number
}

/** Deletes the rows whose parents are missing; a loop, since their children go with them. Returns how many. */
export function dropDangling(handle: Database): number {
  let dropped = 0
  for (;;) {
    let changes = 0
    for (const reference of broken(handle)) changes += handle.run(deletion(handle, reference)).changes
    changes += handle.run(emptyActivities).changes
    if (changes === 0) return dropped
    dropped += changes
  }
}

const broken = (handle: Database): readonly Reference[] =>
  handle.query<Reference, []>('select distinct "table", parent, fkid from pragma_foreign_key_check').all()

/** By what the rows refer to, since those of a table without rowids have nothing else in common. */
function deletion(handle: Database, { table, parent, fkid }: Reference): string {
  const pairs = handle
    .query<{ from: string; to: string }, [string, number]>(
      'select "from", "to" from pragma_foreign_key_list(?) where id = ?',
    )
    .all(table, fkid)
  const isGiven = pairs.map(({ from }) => `child."${from}" is not null`)
  const isFound = pairs.map(({ from, to }) => `parent."${to}" = child."${from}"`)
  return `delete from "${table}" as child where ${isGiven.join(' and ')}
    and not exists (select 1 from "${parent}" as parent where ${isFound.join(' and ')})`
}

/** As the trigger does that is put back afterwards. */
const emptyActivities = `delete from activities where action = 'create_multiple_records'
  and not exists (select 1 from activity_records where activity_id = activities.id)`
