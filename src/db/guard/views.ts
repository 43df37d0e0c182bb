import type { Database } from 'bun:sqlite'
import { guardedTables } from '../../../db/facts/withheld'
import { isMoving, isPersonSeen, isSeen, isSharedRow, seer } from './audience'

/** What a connection shows of what people wrote: what is shared, or what somebody may see of it. */
export type Sight = 'shared' | 'seen'

/**
 * Makes temporary views named like the tables: SQLite looks names up among these first, so that every `from records` on this
 * connection is guarded, and no query can forget it.
 */
export function guardTables(handle: Database, sight: Sight): void {
  handle.run('create temp table seer (id integer not null, is_crowd integer not null)')
  handle.run('insert into temp.seer values (0, 0)')
  for (const table of guardedTables) {
    const condition = sight === 'shared' ? isSharedRow(table, 'row') : isSeen(table, 'row', seer)
    handle.run(`create temp view ${table} as select * from main.${table} as row where ${condition}`)
  }
  handle.run(`create temp view users as ${peopleSeen(handle, sight)}`)
}

/** Everybody has a name; of who may not be seen the rest is as in a new account (D75). */
function peopleSeen(handle: Database, sight: Sight): string {
  const isShown =
    sight === 'seen' ? isPersonSeen('row', seer) : `(row.privacy <> 'private' and not ${isMoving('row.id')})`
  const columns = handle
    .query<{ name: string; notnull: number; dflt_value: string | null }, []>(
      "select name, \"notnull\", dflt_value from pragma_table_info('users', 'main')",
    )
    .all()
    .map(({ name, dflt_value }) =>
      ofProfile.test(name)
        ? `iif(${isShown}${ofProfileText.test(name) ? ` and ${isTextSeen}` : ''}, row.${name}, ${dflt_value ?? 'null'}) as ${name}`
        : `row.${name}`,
    )
  const others = `exists (select 1 from main.blocks where user_id = ${seer.id} and blocked_id = row.id)
    or exists (select 1 from main.blocks where user_id = row.id and blocked_id = ${seer.id})`
  const where = sight === 'seen' ? 'true' : `(${seer.id} = 0 or not (${others}))`
  return `select ${columns.join(', ')} from main.users as row where ${where}`
}

const isTextSeen = `(row.profile_hidden_by is null or row.id = ${seer.id})`
const ofProfileText = /^(?:description|url)$/
const ofProfile = /^(?:description|url|background_image_url|\w+_count)$/
