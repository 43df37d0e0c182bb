import type { Read } from '../../db/open'
import { asksOf } from './file-facts'
import { memberOf, type StoredImport } from './import-store'
import { type Left, type ListImport, leftKinds } from './list-import'
import { comingLists } from './lists-of-works'
import { probableReasons } from './rows/choose-work'
import { statesOf } from './rows/counts'

export async function presentImport(
  read: Read,
  one: StoredImport,
  isWaiting: (id: number) => boolean,
): Promise<ListImport> {
  const { id, source, fileName, state, options, counts, error, createdAt, appliedAt, undoneAt } = one
  const { records, statuses, reviews, listed } = counts
  return {
    id,
    source,
    fileName,
    error,
    createdAt,
    appliedAt,
    undoneAt,
    ...options,
    isPart: one.facts.isPart,
    // An import being deleted cannot be found.
    state: state === 'deleting' ? 'expired' : state,
    counts: statesOf(counts),
    changing: counts.changes,
    probable: state === 'preview' && counts.check > 0 ? await countProbable(read, id) : 0,
    sums: { records, statuses, reviews, listed },
    lists: await comingLists(read, one),
    progress: { done: one.done, total: one.total },
    isWaiting: isWaiting(id),
    asks: asksOf(one.facts, options),
    left: state === 'undone' || state === 'undoing' ? await leftOf(read, id) : [],
  }
}

/** Uses list_import_rows_reason. */
async function countProbable(read: Read, id: number): Promise<number> {
  const { count } = await read
    .selectFrom('list_import_rows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('import_id', '=', id)
    .where('reason', 'in', probableReasons)
    .where('state', '=', 'check')
    .where('work_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Uses changes_import. */
async function leftOf(read: Read, id: number): Promise<readonly Left[]> {
  const rows = await read
    .selectFrom('changes')
    .select(['table_name', 'row_id as id', 'work_id as workId', 'left_because'])
    .where('import_id', '=', id)
    .where('left_because', 'is not', null)
    .where('table_name', '<>', 'library_entries')
    .orderBy('changes.id')
    .limit(100)
    .execute()
  return rows.map(({ table_name, left_because, ...row }) => ({
    ...row,
    kind: kindOf(table_name),
    why: left_because === 'used' ? 'used' : 'changed',
  }))
}

const kindOf = (table: string) => memberOf(leftKinds, table === 'statuses' ? 'status' : table.slice(0, -1))
