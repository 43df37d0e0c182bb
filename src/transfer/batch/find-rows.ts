import type { Read } from '../../db/open'
import type { StoredImport } from './import-store'
import type { ImportRow, RowsPage } from './lists'
import { shownRows } from './rows/stored-row'

/** In file order. Uses list_import_rows_state, list_import_rows_reason or the unique index. */
export async function findRows(
  read: Read,
  one: StoredImport,
  { state, reason, offset, limit }: RowsPage,
): Promise<{ readonly rows: readonly ImportRow[]; readonly total: number }> {
  const chosen = read
    .selectFrom('list_import_rows')
    .where('import_id', '=', one.id)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
  const { total } = await chosen
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: await shownRows(chosen.orderBy('number').limit(limit).offset(offset)), total }
}

/** Undefined if there is none. */
export async function findRow(read: Read, id: number, number: number): Promise<ImportRow | undefined> {
  const one = read.selectFrom('list_import_rows').where('import_id', '=', id).where('number', '=', number)
  return (await shownRows(one))[0]
}
