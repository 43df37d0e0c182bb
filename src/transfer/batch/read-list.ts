import type { UpdateObject } from 'kysely'
import type { DB } from '../../db/schema'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { detect } from '../detect'
import { RefusedFile } from '../file/refused-file'
import { choicesOf, seriesSource } from '../match/choices'
import { createMatcher } from '../match/create-matcher'
import { isPart } from '../part'
import type { ImportOptions } from '../plan/planned-row'
import { columnsIn, type TableColumns } from '../readers/table/columns'
import type { ListRow } from '../row'
import type { ListSource } from '../sources'
import { type FileFacts, findFacts, userIn } from './file-facts'
import { inChunks } from './import-store'
import { deleteImport } from './limits'
import type { ImportDeps } from './list-import'
import type { ListFile, NewOptions } from './lists'
import { Tally } from './rows/counts'
import { Planner } from './rows/planner'
import { countedRow, insertRow } from './rows/stored-row'
import { type PlannedMatch, WaitingRows } from './rows/waiting-rows'
import { rememberColumns, rememberedColumns } from './tables'

export interface FileToRead {
  readonly userId: number
  readonly file: ListFile
  readonly options: NewOptions
  readonly reading: Set<number>
}

interface NewList {
  readonly userId: number
  readonly file: ListFile
  readonly source: ListSource
  readonly options: ImportOptions
  readonly facts: FileFacts
}

/**
 * Creates a preview of a file; returns the id of the import. Reads the file twice, because the largest score decides
 * what scores mean. Throws a `RefusedFile`, and then leaves nothing.
 */
export async function readList(
  deps: ImportDeps,
  { userId, file, options, reading }: FileToRead,
): Promise<number> {
  const { source, columns } = options
  const named = async (header: readonly string[]) =>
    columns === undefined
      ? await rememberedColumns(deps.read, userId, header)
      : columnsOrRefused(columns, header)
  const { reader, contents } = await detect(file.path, file.name, source, named)
  const facts = {
    ...(await findFacts(reader.rows(contents), reader.lists?.(contents))),
    isPart: await isPart(contents),
  }
  const user = userIn(facts, options.user ?? null)
  const list = {
    userId,
    file,
    source: reader.source,
    facts,
    options: { ...(await optionsOf(deps, userId, options)), user },
  }
  const id = await deps.write(async (tx) => {
    const header = contents.columns
    if (columns !== undefined)
      await rememberColumns(tx, userId, { header, columns: columnsOrRefused(columns, header) })
    return await insertImport(tx, list, deps.now())
  })
  reading.add(id)
  try {
    await deps.readBeside((read) => storeRows({ ...deps, read }, { ...list, id }, reader.rows(contents)))
    return id
  } catch (cause) {
    await deleteImport(deps, id).catch(() => {})
    throw cause
  } finally {
    reading.delete(id)
  }
}

/** Throws a `RefusedFile` if the table has no such columns, or if they are not enough. */
function columnsOrRefused(text: string, header: readonly string[]): TableColumns {
  const columns = columnsIn(text, header)
  if (columns === undefined) throw new RefusedFile('unknown_columns', { columns: header })
  return columns
}

async function optionsOf({ read }: ImportDeps, userId: number, options: NewOptions): Promise<ImportOptions> {
  const { time_zone } = await read
    .selectFrom('users')
    .select('time_zone')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    conflict: options.conflict ?? 'keep',
    scoreFormat: options.scoreFormat ?? null,
    timeZone: options.timeZone ?? time_zone ?? 'UTC',
    includesPrivate: options.includesPrivate ?? false,
    isAllPrivate: options.isAllPrivate ?? false,
    user: options.user ?? null,
    completesWatched: options.completesWatched ?? false,
    leavesOut: options.leavesOut ?? [],
  }
}

async function insertImport(tx: Tx, { userId, file, source, options, facts }: NewList, now: number) {
  const { id } = await tx
    .insertInto('list_imports')
    .values({
      user_id: userId,
      source,
      file_name: file.name,
      state: 'reading',
      conflict: options.conflict,
      score_format: options.scoreFormat,
      time_zone: options.timeZone,
      includes_private: options.includesPrivate ? 1 : 0,
      all_private: options.isAllPrivate ? 1 : 0,
      completes_watched: options.completesWatched ? 1 : 0,
      file_user: options.user,
      leaves_out: JSON.stringify(options.leavesOut),
      facts: JSON.stringify(facts),
      total: facts.rows,
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function storeRows(
  deps: ImportDeps,
  list: NewList & { readonly id: number },
  rows: AsyncIterable<ListRow>,
): Promise<void> {
  const { read: db } = deps
  const match = createMatcher(db, { choices: await choicesOf(db, list.userId, list.source, seriesSource) })
  const planner = new Planner(list, deps.now())
  const tally = new Tally()
  const waiting = new WaitingRows()
  let [read, stored] = [0, 0]
  const store = async () => {
    const rows = waiting.take()
    await inChunks(deps.write, storing(rows, { id: list.id, from: stored, read, now: deps.now() }))
    stored += rows.length
  }
  const lists = new Set(list.facts.lists.map(({ name }) => name))
  for await (const row of rows) {
    for (const one of await match(knownLists(row, lists))) {
      const made = await planner.plan(db, one)
      tally.add(countedRow(made.planned))
      waiting.add(made)
    }
    read += 1
    if (waiting.areEnough) await store()
  }
  await store()
  const finished = { state: 'preview', counts: JSON.stringify(tally.counts), done: stored, total: stored }
  await deps.write((tx) => updateReading(tx, list.id, { ...finished, changed_at: deps.now() }))
}

/** Nobody may have more lists than are known. */
const knownLists = (row: ListRow, names: ReadonlySet<string>): ListRow =>
  row.lists === undefined ? row : { ...row, lists: row.lists.filter(({ name }) => names.has(name)) }

/** Inserts rows in chunks; `from` of them are already stored. */
function storing(
  rows: readonly PlannedMatch[],
  { id, from, read, now }: { id: number; from: number; read: number; now: number },
) {
  let inserted = 0
  return async (tx: Tx, isOver: () => boolean): Promise<boolean> => {
    await updateReading(tx, id, { done: read, changed_at: now })
    for (const row of rows.slice(inserted)) {
      inserted += 1
      await insertRow(tx, { importId: id, number: from + inserted, ...row })
      if (isOver()) break
    }
    return inserted < rows.length
  }
}

/** Throws if another process considered it interrupted. */
async function updateReading(tx: Tx, id: number, columns: UpdateObject<DB, 'list_imports'>): Promise<void> {
  const updated = await tx
    .updateTable('list_imports')
    .set(columns)
    .where('id', '=', id)
    .where('state', '=', 'reading')
    .returning('id')
    .executeTakeFirst()
  if (updated === undefined) throw invalidParams('file must be sent again: reading it was interrupted.')
}
