import { type SelectQueryBuilder, sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import type { DB } from '../../../db/schema'
import type { Tx } from '../../../db/write'
import type { Match } from '../../match/match'
import { type PlannedRow, type RowState, rowStates } from '../../plan/planned-row'
import { memberOf, type StoredImport } from '../import-store'
import type { ImportRow, RowsPage } from '../lists'
import type { CountedRow } from './counts'
import { jsonOfMatch, jsonOfShown, matchOf, type StoredMatch, shownOf } from './row-json'

/** A row as the file has it; `match` is null once it was applied. */
export interface StoredRow extends CountedRow {
  readonly id: number
  readonly number: number
  readonly sourceId: string
  readonly match: StoredMatch | null
  readonly isLeftOut: boolean
}

export type MatchedRow = StoredRow & { readonly match: StoredMatch }

export interface NewRow {
  readonly importId: number
  readonly number: number
  readonly match: StoredMatch
  readonly planned: PlannedRow
}

export async function insertRow(tx: Tx, { importId, number, match, planned }: NewRow): Promise<void> {
  const { sourceId: source_id, title } = match.row
  await insert(tx, { import_id: importId, number, source_id, title, ...columnsOf(match, planned) })
}

export async function updateRow(
  tx: Tx,
  id: number,
  { match, planned }: { readonly match: StoredMatch; readonly planned: PlannedRow },
): Promise<void> {
  await update(tx, { id, ...columnsOf(match, planned) })
}

export const countedRow = ({ state, shown, writes }: PlannedRow): CountedRow => ({
  state,
  records: shown.added,
  statuses: writes?.status ? 1 : 0,
  reviews: writes?.reviews.length ?? 0,
  listed: shown.listed,
  changes: shown.changes ? 1 : 0,
})

const columnsOf = (match: Match, planned: PlannedRow) => {
  const { state, statuses, reviews } = countedRow(planned)
  return {
    state,
    reason: planned.reason,
    work_id: match.workId,
    sets_status: statuses,
    reviews,
    shown: jsonOfShown(planned.shown),
    match: jsonOfMatch(match),
  }
}

type RowColumns = {
  state: string
  reason: string | null
  work_id: number | null
  shown: string
  match: string
  sets_status: number
  reviews: number
}

type NewColumns = { import_id: number; number: number; source_id: string; title: string }

const insert = preparedSql<never, NewColumns & RowColumns>(
  (slot) => sql`
    insert into list_import_rows (import_id, number, source_id, title, state, reason, work_id, shown, match, sets_status,
      reviews)
    values (${slot('import_id')}, ${slot('number')}, ${slot('source_id')}, ${slot('title')}, ${slot('state')},
      ${slot('reason')}, ${slot('work_id')}, ${slot('shown')}, ${slot('match')}, ${slot('sets_status')}, ${slot('reviews')})`,
)

const update = preparedSql<never, { id: number } & RowColumns>(
  (slot) => sql`
    update list_import_rows set state = ${slot('state')}, reason = ${slot('reason')}, work_id = ${slot('work_id')},
      shown = ${slot('shown')}, match = ${slot('match')}, sets_status = ${slot('sets_status')}, reviews = ${slot('reviews')}
    where id = ${slot('id')}`,
)

export type RowQuery = SelectQueryBuilder<DB, 'list_import_rows', object>

/** The rows of an import after number `done`. */
export const rowsAfter = (tx: Tx, { id, done, limit }: { id: number; done: number; limit: number }) =>
  storedRows(
    tx
      .selectFrom('list_import_rows')
      .where('import_id', '=', id)
      .where('number', '>', done)
      .orderBy('number')
      .limit(limit),
  )

export async function storedRows(query: RowQuery): Promise<readonly StoredRow[]> {
  const rows = await query
    .select([
      'id',
      'number',
      'source_id as sourceId',
      'state',
      'match',
      'decision',
      'sets_status as statuses',
    ])
    .select(['reviews', sql<number>`ifnull(shown ->> 'added', 0)`.as('records')])
    .select(sql<number>`ifnull(shown ->> 'changes', 0)`.as('changes'))
    .select(sql<number>`ifnull(shown ->> 'listed', 0)`.as('listed'))
    .execute()
  return rows.map(({ state, match, decision, ...row }) => ({
    ...row,
    state: memberOf<RowState>(rowStates, state),
    match: match === null ? null : matchOf(match),
    isLeftOut: decision === 'skip',
  }))
}

async function shownRows(query: RowQuery): Promise<readonly ImportRow[]> {
  const rows = await query
    .select([
      'number',
      'source_id as sourceId',
      'title',
      'state',
      'reason',
      'work_id as workId',
      'shown',
      'match',
    ])
    .execute()
  return rows.map(({ state, shown, match, ...row }) => {
    const { row: said = null, offset = 0 } = match === null ? {} : matchOf(match)
    const continuesAt = offset === 0 ? null : offset + 1
    return { ...row, state: memberOf<RowState>(rowStates, state), shown: shownOf(shown), said, continuesAt }
  })
}

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
