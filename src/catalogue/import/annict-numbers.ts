import type { Database } from 'bun:sqlite'
import { lastForeignId } from './rows/create-row'

/**
 * Redirects a work's Annict number to its id here if they differ, like the id of a merged work (D67), so that
 * clients that know Annict's numbers find it. A number shared by several works is ignored.
 */
export function leadAnnictNumbers(handle: Database): void {
  handle.query(dropStale).run()
  handle.query(lead).run(lastForeignId)
}

// uses the primary key of external_ids
const numbers = `
  select cast(external_id as integer) as number, min(local_id) as work from external_ids
  where kind = 'work' and ns = 'annict' group by external_id having count(*) = 1`

/** Keeps redirects from ids that still have a row: those are merged works, which stay in the table. */
const dropStale = `
  delete from redirects where kind = 'work' and not exists (select 1 from works where id = from_id)
  and (from_id, to_id) not in (${numbers})`

const lead = `
  insert into redirects (kind, from_id, to_id)
  select 'work', number, work from (${numbers}) where number <> work and number between 1 and ?
  and not exists (select 1 from works where id = number)
  on conflict do nothing`
