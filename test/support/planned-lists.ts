import type { Database } from 'bun:sqlite'
import type { Read } from '../../src/db/open'
import type { Tx, Write } from '../../src/db/write'
import { ChangeLog } from '../../src/library/undo/change-log'
import { entryIdOf } from '../../src/transfer/match/choices'
import type { Match } from '../../src/transfer/match/match'
import { applyWrites } from '../../src/transfer/plan/apply-writes'
import type { Here } from '../../src/transfer/plan/here'
import { hereAfter } from '../../src/transfer/plan/here-after'
import { planRow } from '../../src/transfer/plan/plan-row'
import type { ImportOptions, PlannedRow } from '../../src/transfer/plan/planned-row'
import { readHere } from '../../src/transfer/plan/read-here'
import type { RowToPlan } from '../../src/transfer/plan/row-to-plan'
import type { ListRow } from '../../src/transfer/row'
import type { ListSource } from '../../src/transfer/sources'

/** The matched rows of a file, to be planned and applied. */
export interface ListOfRows {
  readonly matches: readonly Match[]
  readonly source?: ListSource
  readonly options?: Partial<ImportOptions>
  readonly now: number
  readonly userId?: number
}

export const defaults: ImportOptions = {
  ...{ conflict: 'keep', scoreFormat: null, timeZone: 'Asia/Tokyo', includesPrivate: false },
  ...{ user: null, completesWatched: false, leavesOut: [], isAllPrivate: false },
}

/** A match of a row with the given fields. */
export const matchOf = (row: Partial<ListRow>, more: Partial<Match> = {}): Match => ({
  row: { sourceId: '', title: '', refs: [], ...row },
  ...{ workId: 1, matchedBy: 'mal', reason: null, proposals: [], growsTo: null },
  ...more,
})

/** What a preview shows: each row planned after the earlier ones. */
export async function planList(read: Read, list: ListOfRows): Promise<readonly PlannedRow[]> {
  const after = new Map<number, Here | null>()
  const planned: PlannedRow[] = []
  for (const [index, match] of list.matches.entries()) {
    const { workId } = match
    const here =
      workId === null ? null : (after.get(workId) ?? (await readHere(read, list.userId ?? 1, workId)))
    const row = planRow(toPlan(list, index, here))
    planned.push(row)
    if (here !== null && row.writes !== null && row.state !== 'check')
      after.set(here.workId, hereAfter(here, row.writes, list.now))
  }
  return planned
}

/** A row of `changes`. */
export interface LoggedChange {
  readonly table_name: string
  readonly work_id: number
  readonly row_id: number
  readonly last_id: number
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** Writes all rows, at most `limit` episodes and records per transaction. */
export async function applyList(
  write: Write,
  list: ListOfRows,
  limit = 500,
): Promise<readonly LoggedChange[]> {
  const changes: LoggedChange[] = []
  for (const index of list.matches.keys()) while (!(await applyPart(write, list, index, limit, changes)));
  return changes
}

/** Runs one transaction. Returns whether the row is done. */
export const applyPart = (
  write: Write,
  list: ListOfRows,
  index: number,
  limit: number,
  changes: LoggedChange[] = [],
): Promise<boolean> =>
  write(async (tx) => {
    const { userId = 1, now, matches } = list
    const workId = matches[index]?.workId
    const here = workId ? await readHere(tx, userId, workId) : null
    const { writes } = planRow(toPlan(list, index, here))
    if (writes === null) return true
    const log = new ChangeLog(tx, userId, 'import')
    const { isDone } = await applyWrites(tx, { userId, writes, limit, now }, log)
    const import_id = await importOf(tx, userId)
    await log.write({ import_id })
    const logged = tx.selectFrom('changes').where('import_id', '=', import_id)
    for (const { before, after, ...change } of await logged
      .select(['table_name', 'work_id', 'row_id', 'last_id', 'before', 'after'])
      .orderBy('id')
      .execute())
      changes.push({ ...change, before: JSON.parse(before ?? 'null'), after: JSON.parse(after ?? 'null') })
    return isDone
  })

/** A new import to log changes of. */
async function importOf(tx: Tx, user_id: number): Promise<number> {
  const { id } = await tx
    .insertInto('list_imports')
    .values({
      ...{ user_id, source: 'mal', file_name: '', state: 'applied', time_zone: 'Asia/Tokyo' },
      ...{ created_at: 0, changed_at: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function toPlan(list: ListOfRows, index: number, here: Here | null): RowToPlan {
  const match = list.matches[index]
  if (match === undefined) throw new RangeError(`no row ${index}`)
  const scores = list.matches.flatMap(({ row: { score } }) =>
    score !== undefined && score.scale === undefined ? [score.value] : [],
  )
  return {
    ...{ match, here, now: list.now, source: list.source ?? 'mal' },
    // What the rows themselves write: lists are taken over after them.
    inLists: (match.row.lists ?? []).map(({ name }) => name),
    options: { ...defaults, ...list.options },
    largestScore: scores.length === 0 ? null : Math.max(...scores),
    earlier: earlierOf(list.matches.slice(0, index), match),
  }
}

function earlierOf(matches: readonly Match[], { workId, row }: Match): RowToPlan['earlier'] {
  const same = matches.filter((match) => match.workId === workId)
  const entryId = entryIdOf(row)
  if (same.some((match) => entryId !== '' && entryIdOf(match.row) === entryId)) return 'entry'
  return same.length === 0 ? null : 'work'
}

export const addUsers = (handle: Database, ...ids: readonly number[]) => {
  for (const id of ids)
    handle
      .query(
        `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
        values (?1, 'u' || ?1, 'u' || ?1, '', 'u' || ?1, 'u' || ?1, 'none', 1)`,
      )
      .run(id)
}
