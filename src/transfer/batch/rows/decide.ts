import { type SqlBool, sql } from 'kysely'
import type { Tx } from '../../../db/write'
import { invalidParams, notFound } from '../../../http/errors'
import { type KnownWork, knownWork } from '../../match/known-work'
import { findOwn, requireState, type StoredImport, updateImport } from '../import-store'
import type { ImportDeps } from '../list-import'
import type { RowDecision } from '../lists'
import { chooseWork } from './choose-work'
import { Tally } from './counts'
import { planNow } from './planner'
import { countedRow, type MatchedRow, type StoredRow, storedRows, updateRow } from './stored-row'

interface DecidedRow {
  readonly userId: number
  readonly id: number
  readonly number: number
}

/** Applies a user's decision about a row of a preview. Throws not_found and invalid_params. */
export async function decideRow(
  { read, write, now }: ImportDeps,
  asked: DecidedRow,
  decision: RowDecision,
): Promise<void> {
  const { workId, episodeOffset } = decision
  const [work] = workId === undefined ? [] : await knownWork(read, workId)
  if (workId !== undefined && work === undefined) throw invalidParams('work_id must be an existing work.')
  await write(async (tx) => {
    const one = await findOwn(tx, asked.userId, asked.id)
    requireState(one, 'preview')
    const deciding = { tx, one, tally: new Tally(one.counts), now: now() }
    const row = await findRow(tx, asked)
    const isTaken = work !== undefined || decision.decision !== 'skip'
    if (isTaken && row.match.reason === 'numbering' && episodeOffset === undefined)
      throw invalidParams('episode_offset is required, because the season is counted within a longer work.')
    if (work !== undefined)
      await takeWork(deciding, row, { work, offset: episodeOffset ?? offsetFor(work, row) })
    else if (decision.decision === 'skip') await leaveOut(deciding, row)
    else await accept(deciding, row)
    await updateImport(tx, one.id, { counts: JSON.stringify(deciding.tally.counts), changed_at: now() })
  })
}

/** Choosing the same work again keeps its numbers. */
const offsetFor = ({ id }: KnownWork, { match }: MatchedRow): number =>
  match.workId === id ? (match.offset ?? 0) : 0

interface Deciding {
  readonly tx: Tx
  readonly one: StoredImport
  readonly tally: Tally
  readonly now: number
}

async function findRow(tx: Tx, { id, number }: DecidedRow): Promise<MatchedRow> {
  const [row] = await storedRows(rowsOf(tx, id).where('number', '=', number))
  if (row === undefined) throw notFound('The row')
  const { match, ...found } = row
  if (match === null || row.state === 'error') throw invalidParams('row must be a row that can be imported.')
  return { ...found, match }
}

const rowsOf = (tx: Tx, id: number) => tx.selectFrom('list_import_rows').where('import_id', '=', id)

interface Choice {
  readonly work: KnownWork
  readonly offset: number
}

/** Also applies to rows with the same id at the source, and to later imports. */
async function takeWork(deciding: Deciding, row: MatchedRow, { work, offset }: Choice): Promise<void> {
  const { tx, one } = deciding
  for (const other of [row, ...(await sameEntry(tx, one, row))])
    await take(deciding, { ...other, match: chooseWork(other.match, work, offset) })
  if (row.sourceId === '') return
  const choice = { work_id: work.id, episode_offset: offset }
  await tx
    .insertInto('list_choices')
    .values({ user_id: one.userId, source: one.source, source_id: row.sourceId, ...choice })
    .onConflict((conflict) => conflict.columns(['user_id', 'source', 'source_id']).doUpdateSet(choice))
    .execute()
}

/** At most a hundred. The states are written out for list_import_rows_source. */
async function sameEntry(tx: Tx, { id }: StoredImport, row: StoredRow): Promise<readonly MatchedRow[]> {
  if (row.sourceId === '') return []
  const rows = await storedRows(
    rowsOf(tx, id)
      .where('source_id', '=', row.sourceId)
      .where(sql<SqlBool>`state in ('check', 'not_found')`)
      .where('number', '<>', row.number)
      .limit(100),
  )
  return rows.flatMap(({ match, ...other }) => (match === null ? [] : [{ ...other, match }]))
}

async function accept(deciding: Deciding, row: MatchedRow): Promise<void> {
  if (row.match.workId === null)
    throw invalidParams(
      'decision=accept requires a row with exactly one suggestion; for others, send work_id.',
    )
  await take(deciding, { ...row, match: { ...row.match, reason: null } })
}

async function take({ tx, one, tally, now }: Deciding, row: MatchedRow): Promise<void> {
  const planned = await planNow({ db: tx, now }, one, row.match)
  tally.replace(row, countedRow(planned))
  await updateRow(tx, row.id, { match: row.match, planned })
  await noteDecision(tx, row.id, { decision: 'accept' })
}

const nothing = { records: 0, statuses: 0, reviews: 0, listed: 0, changes: 0 }

async function leaveOut({ tx, tally }: Deciding, row: StoredRow): Promise<void> {
  tally.replace(row, { ...nothing, state: 'skipped' })
  await noteDecision(tx, row.id, { decision: 'skip', state: 'skipped', reason: 'chosen' })
}

async function noteDecision(
  tx: Tx,
  id: number,
  columns: { readonly decision: string; readonly state?: string; readonly reason?: string },
): Promise<void> {
  await tx.updateTable('list_import_rows').set(columns).where('id', '=', id).execute()
}
