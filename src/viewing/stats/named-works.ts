import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Titles } from '../../pages/title'

export interface NamedWork extends Titles, CoveredWork {}

/** Those that have a page, in the order of the ids. */
export async function namedWorks(
  read: Read,
  ids: readonly number[],
  reader: number,
): Promise<readonly NamedWork[]> {
  const found = await titlesOf(read, { ids: JSON.stringify(ids), reader })
  const byId = new Map(found.map((work) => [work.id, work]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const titlesOf = preparedSql<NamedWork, { ids: string; reader: number }>(
  (slot) => sql`
  select works.id, works.title, works.title_en, works.title_ro, ${coverColumnsSql(slot('reader'))}
  from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value and works.hidden = 0`,
)
