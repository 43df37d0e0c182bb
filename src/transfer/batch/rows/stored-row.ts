import { type SelectQueryBuilder, sql } from 'kysely'
import { prepared, type SlotOf } from '../../../db/prepared'
import type { DB } from '../../../db/schema'
import type { Tx } from '../../../db/write'
import type { Match } from '../../match/match'
import { type PlannedRow, type RowState, rowStates, type ShownRow } from '../../plan/planned-row'
import type { RowToPlan } from '../../plan/row-to-plan'
import { memberOf } from '../import-store'
import type { ImportRow } from '../lists'
import type { CountedRow } from './counts'

/** What is kept of a match. */
export type StoredMatch = Match & {
  /** Was added to the numbers of the file's episodes, as the person chose. */
  readonly offset?: number
  readonly earlier?: RowToPlan['earlier']
  /** A part of the row was applied in an earlier transaction. */
  readonly isBegun?: boolean
}

/** A row with what the file says; `match` is null once it was applied. */
export interface StoredRow extends CountedRow {
  readonly id: number
  readonly number: number
  readonly sourceId: string
  readonly match: StoredMatch | null
  /** The person left it out. */
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
  const { sourceId, title } = match.row
  await insert(tx, {
    import_id: importId,
    number,
    source_id: sourceId,
    title,
    match: matchText(match),
    ...columnsOf(match, planned),
  })
}

export async function updateRow(
  tx: Tx,
  id: number,
  { match, planned }: { readonly match: StoredMatch; readonly planned: PlannedRow },
): Promise<void> {
  await update(tx, { id, match: matchText(match), ...columnsOf(match, planned) })
}

/** What is counted of a row that is planned. */
export const countedRow = ({ state, shown, writes }: PlannedRow): CountedRow => ({
  state,
  records: shown.added,
  statuses: writes?.status ? 1 : 0,
  reviews: writes?.reviews.length ?? 0,
})

const columnsOf = (match: Match, planned: PlannedRow) => {
  const { state, statuses, reviews } = countedRow(planned)
  const shown = JSON.stringify(withoutBlanks(planned.shown, blankRow))
  return { state, reason: planned.reason, work_id: match.workId, shown, sets_status: statuses, reviews }
}

const matchText = (match: StoredMatch) => JSON.stringify(withoutBlanks(match, blankMatch))

export const matchOf = (text: string): StoredMatch => ({ ...blankMatch, ...JSON.parse(text) })

/** Without what is null, empty, 0 or false by default. */
const withoutBlanks = (value: object, blanks: object): object => {
  const blank = new Map(Object.entries(blanks))
  return Object.fromEntries(
    Object.entries(value).filter(([name, inner]) => !Bun.deepEquals(inner, blank.get(name))),
  )
}

const blankMatch = {
  ...{ workId: null, matchedBy: null, reason: null, proposals: [], growsTo: null },
  ...{ offset: 0, earlier: null, isBegun: false },
}

const blankRow: ShownRow = {
  ...{ matchedBy: null, status: null, episodes: 0, added: 0, skips: 0, growsTo: null, rating: null },
  ...{
    hasUnknownScale: false,
    reviewBody: '',
    hasPrivateNote: false,
    startedOn: null,
    finishedOn: null,
    rewatches: 0,
    records: [],
  },
  here: { status: null, episodes: 0, rating: null, reviewBody: '', hasPrivateNote: false },
  ...{ proposals: [], fileTotal: null, catalogueTotal: null, warnings: [] },
}

type InsertColumns = {
  import_id: number
  number: number
  source_id: string
  title: string
  match: string
} & RowColumns

type RowColumns = {
  state: string
  reason: string | null
  work_id: number | null
  shown: string
  sets_status: number
  reviews: number
}

const insert = prepared((tx: Tx, slot: SlotOf<InsertColumns>) =>
  tx.insertInto('list_import_rows').values({
    import_id: slot('import_id'),
    number: slot('number'),
    source_id: slot('source_id'),
    title: slot('title'),
    match: slot('match'),
    ...rowSlots(slot),
  }),
)

const update = prepared((tx: Tx, slot: SlotOf<{ id: number; match: string } & RowColumns>) =>
  tx
    .updateTable('list_import_rows')
    .set({ match: slot('match'), ...rowSlots(slot) })
    .where('id', '=', slot('id')),
)

const rowSlots = (slot: SlotOf<RowColumns>) => ({
  state: slot('state'),
  reason: slot('reason'),
  work_id: slot('work_id'),
  shown: slot('shown'),
  sets_status: slot('sets_status'),
  reviews: slot('reviews'),
})

export type RowQuery = SelectQueryBuilder<DB, 'list_import_rows', object>

/** Rows with what is needed to plan them again. */
export async function storedRows(query: RowQuery): Promise<readonly StoredRow[]> {
  const rows = await query
    .select(['id', 'number', 'source_id', 'state', 'match', 'decision', 'sets_status', 'reviews'])
    .select(sql<number>`ifnull(shown ->> 'added', 0)`.as('records'))
    .execute()
  return rows.map(({ source_id, state, match, decision, sets_status, ...row }) => ({
    ...row,
    sourceId: source_id,
    state: memberOf<RowState>(rowStates, state),
    match: match === null ? null : matchOf(match),
    isLeftOut: decision === 'skip',
    statuses: sets_status,
  }))
}

/** Rows as pages show them. */
export async function shownRows(query: RowQuery): Promise<readonly ImportRow[]> {
  const rows = await query
    .select(['number', 'source_id', 'title', 'state', 'reason', 'work_id', 'shown', 'match'])
    .execute()
  return rows.map(({ source_id, state, work_id, shown, match, ...row }) => ({
    ...row,
    sourceId: source_id,
    state: memberOf<RowState>(rowStates, state),
    workId: work_id,
    shown: { ...blankRow, ...JSON.parse(shown) },
    said: match === null ? null : matchOf(match).row,
  }))
}
