import type { UpdateObject } from 'kysely'
import type { Read } from '../../db/open'
import type { DB } from '../../db/schema'
import type { Tx, Write } from '../../db/write'
import { invalidParams, notFound } from '../../http/errors'
import {
  type ConflictPolicy,
  conflictPolicies,
  type ImportOptions,
  type ScoreFormat,
  scoreFormats,
} from '../plan/planned-row'
import { type ListSource, sources } from '../sources'
import { type FileFacts, noFacts } from './file-facts'
import { type ImportState, importStates, type ListImport } from './list-import'
import { type Counts, countsOf } from './rows/counts'

export interface StoredImport extends Pick<ListImport, 'id' | 'source' | 'fileName' | 'error' | Times> {
  readonly userId: number
  /** `deleting`: hidden from everybody. */
  readonly state: ImportState | 'deleting'
  readonly options: ImportOptions
  readonly facts: FileFacts
  readonly counts: Counts
  readonly done: number
  readonly total: number
}

type Times = 'createdAt' | 'appliedAt' | 'undoneAt'

/** Throws not_found, also for somebody else's import and for one that is being deleted. */
export async function findOwn(db: Read | Tx, userId: number, id: number): Promise<StoredImport> {
  const row = await ownImports(db, userId).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('The import')
  return stored(row)
}

export async function findStored(db: Read | Tx, id: number): Promise<StoredImport | undefined> {
  const row = await selectImports(db).where('id', '=', id).executeTakeFirst()
  return row && stored(row)
}

/** Newest first. */
export async function listOwn(
  db: Read,
  userId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly StoredImport[]> {
  const rows = await ownImports(db, userId) // uses list_imports_user
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(stored)
}

export async function countOwn(db: Read, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('list_imports') // uses list_imports_user
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '<>', 'deleting')
    .executeTakeFirstOrThrow()
  return count
}

export async function updateImport(
  tx: Tx,
  id: number,
  columns: UpdateObject<DB, 'list_imports'>,
): Promise<void> {
  await tx.updateTable('list_imports').set(columns).where('id', '=', id).execute()
}

/** Throws invalid_params that names the state. */
export function requireState(one: StoredImport, ...states: readonly StoredImport['state'][]): void {
  if (!states.includes(one.state))
    throw invalidParams(`id must be of an import that is ${states.join(' or ')}; this one is ${one.state}.`)
}

const ownImports = (db: Read | Tx, userId: number) =>
  selectImports(db).where('user_id', '=', userId).where('state', '<>', 'deleting')

const selectImports = (db: Read | Tx) =>
  db
    .selectFrom('list_imports')
    .select([
      'id',
      'user_id as userId',
      'source',
      'file_name as fileName',
      'state',
      'facts',
      'counts',
      'error',
    ])
    .select(['done', 'total', 'created_at as createdAt', 'applied_at as appliedAt', 'undone_at as undoneAt'])
    .select(['conflict', 'score_format', 'time_zone', 'includes_private', 'file_user', 'completes_watched'])
    .select(['leaves_out', 'all_private'])

type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['executeTakeFirstOrThrow']>>

const stored = (row: ImportRow): StoredImport => ({
  ...row,
  source: memberOf<ListSource>(sources, row.source),
  state: memberOf<ImportState | 'deleting'>([...importStates, 'deleting'], row.state),
  options: {
    conflict: memberOf<ConflictPolicy>(conflictPolicies, row.conflict),
    scoreFormat: row.score_format === null ? null : memberOf<ScoreFormat>(scoreFormats, row.score_format),
    timeZone: row.time_zone,
    includesPrivate: row.includes_private === 1,
    isAllPrivate: row.all_private === 1,
    user: row.file_user,
    completesWatched: row.completes_watched === 1,
    leavesOut: JSON.parse(row.leaves_out),
  },
  facts: { ...noFacts, ...JSON.parse(row.facts) },
  counts: countsOf(row.counts),
})

/** Throws for a text that this version does not know. */
export function memberOf<T extends string>(known: readonly T[], text: string): T {
  const member = known.find((one) => one === text)
  if (member === undefined) throw new Error(`${text} is none of ${known.join(', ')}`)
  return member
}

/** One transaction of a long task. Returns whether there is more to do; `isOver` says when it has worked long enough. */
type ChunkOfWork = (tx: Tx, isOver: () => boolean) => Promise<boolean>

/** At most this many rows per transaction. */
export const chunkRows = 500

/** How long a transaction works before it commits, in milliseconds. */
const chunkMs = 12

/** Other processes try to get the lock every 8 ms (`write.ts`). */
const restMs = 10

/** Short transactions with pauses, so that other writes get their turn. Ends early once `isStopping`. */
export async function inChunks(
  write: Write,
  chunk: ChunkOfWork,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const hasMore = await write((tx) => {
      const end = performance.now() + chunkMs
      return chunk(tx, () => performance.now() >= end)
    })
    if (!hasMore) return
    await Bun.sleep(restMs)
  }
}
