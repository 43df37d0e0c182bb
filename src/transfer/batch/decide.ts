import { findSurvivor } from '../../catalogue/survivors'
import type { Tx } from '../../db/write'
import { invalidParams, notFound } from '../../http/errors'
import { countedRow, type StoredMatch, type StoredRow, storedRows, updateRow } from './stored-row'
import { Tally } from './counts'
import type { Engine } from './engine'
import { findOwn, requireState, type StoredImport } from './import-store'
import type { RowDecision } from './lists'
import { planNow } from './planner'

interface Deciding {
  readonly tx: Tx
  readonly engine: Engine
  readonly one: StoredImport
  readonly now: number
}

/** Takes a person's decision about a row of a preview. Throws not_found and invalid_params. */
export async function decideRow(
  { tx, engine, now }: Omit<Deciding, 'one'>,
  { userId, id, number }: { readonly userId: number; readonly id: number; readonly number: number },
  decision: RowDecision,
): Promise<void> {
  const one = await findOwn(tx, userId, id)
  requireState(one, 'preview')
  const row = await findRow(tx, id, number)
  const { match } = row
  if (match === null || row.state === 'error')
    throw invalidParams('row must be of a row that can be taken over.')
  const deciding = { tx, engine, one, now }
  const tally = new Tally(one.counts)
  if (decision.workId !== undefined) await chooseWork(deciding, { ...row, match }, decision, tally)
  else if (decision.decision === 'skip') await leaveOut(tx, row, tally)
  else await accept(deciding, { ...row, match }, tally)
  await tx
    .updateTable('list_imports')
    .set({ counts: JSON.stringify(tally.counts), changed_at: now })
    .where('id', '=', id)
    .execute()
}

async function findRow(tx: Tx, id: number, number: number): Promise<StoredRow> {
  const [row] = await storedRows(rowsOf(tx, id).where('number', '=', number))
  if (row === undefined) throw notFound('The row')
  return row
}

const rowsOf = (tx: Tx, id: number) => tx.selectFrom('list_import_rows').where('import_id', '=', id)

type MatchedRow = StoredRow & { readonly match: StoredMatch }

/** Rows that the source calls by the same id follow; later imports take the choice too. */
async function chooseWork(
  deciding: Deciding,
  row: MatchedRow,
  { workId = 0, episodeOffset = 0 }: RowDecision,
  tally: Tally,
): Promise<void> {
  const { tx, engine, one } = deciding
  const work = await findSurvivor(tx, 'works', workId)
  if (work?.hidden !== 0) throw invalidParams('work_id must be of a work that is there.')
  for (const other of [row, ...(await sameEntry(tx, one, row))]) {
    const match = await engine.choose(tx, other.match, work.id, episodeOffset)
    await plan(deciding, { ...other, match }, tally)
  }
  if (row.sourceId !== '')
    await keepChoice(tx, { userId: one.userId, source: one.source }, row.sourceId, {
      work_id: work.id,
      episode_offset: episodeOffset,
    })
}

/** At most 500. Uses list_import_rows_source. */
async function sameEntry(tx: Tx, { id }: StoredImport, row: StoredRow): Promise<readonly MatchedRow[]> {
  if (row.sourceId === '') return []
  const rows = await storedRows(
    rowsOf(tx, id)
      .where('source_id', '=', row.sourceId)
      .where('state', 'in', ['check', 'not_found'])
      .where('number', '<>', row.number)
      .limit(500),
  )
  return rows.flatMap(({ match, ...other }) => (match === null ? [] : [{ ...other, match }]))
}

async function plan({ tx, one, now }: Deciding, row: MatchedRow, tally: Tally): Promise<void> {
  const planned = await planNow({ db: tx, now }, one, row.match)
  tally.replace(row, countedRow(planned))
  await updateRow(tx, row.id, { match: row.match, planned })
  await noteDecision(tx, row.id, 'accept')
}

async function accept(deciding: Deciding, row: MatchedRow, tally: Tally): Promise<void> {
  if (row.match.workId === null) throw invalidParams('decision=accept needs a row with a work, or work_id.')
  await plan(deciding, { ...row, match: { ...row.match, reason: null } }, tally)
}

async function leaveOut(tx: Tx, row: StoredRow, tally: Tally): Promise<void> {
  tally.replace(row, { state: 'skipped', records: 0, statuses: 0, reviews: 0 })
  await tx
    .updateTable('list_import_rows')
    .set({ state: 'skipped', reason: 'chosen', decision: 'skip' })
    .where('id', '=', row.id)
    .execute()
}

const noteDecision = (tx: Tx, id: number, decision: 'accept' | 'skip') =>
  tx.updateTable('list_import_rows').set({ decision }).where('id', '=', id).execute()

async function keepChoice(
  tx: Tx,
  { userId, source }: { readonly userId: number; readonly source: string },
  source_id: string,
  choice: { readonly work_id: number; readonly episode_offset: number },
): Promise<void> {
  await tx
    .insertInto('list_choices')
    .values({ user_id: userId, source, source_id, ...choice })
    .onConflict((conflict) => conflict.columns(['user_id', 'source', 'source_id']).doUpdateSet(choice))
    .execute()
}
