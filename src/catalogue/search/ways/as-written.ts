import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { fold, withoutMarks } from '../../../lib/fold'
import { type Hits, scores } from './scores'

/** Keys have no marks. Of the best works, those that have the same marks come first: チ。 is not ちはやふる. */
export async function preferSameMarks(read: Read, text: string, hits: Hits): Promise<void> {
  const written = fold(text.trim())
  if (withoutMarks(written) === written.replace(/\s/g, '')) return
  const found = new Map(hits.from(hits.best - scores.name - scores.sound))
  for (const { id, title } of await titles(read, { ids: JSON.stringify([...found.keys()]) }))
    if (fold(title).startsWith(written)) hits.add(id, (found.get(id) ?? 0) + scores.sameMarks)
}

const titles = preparedSql<{ id: number; title: string }, { ids: string }>(
  (slot) => sql`
    select works.id, title from json_each(${slot('ids')}) as hit cross join works on works.id = hit.value`,
)
