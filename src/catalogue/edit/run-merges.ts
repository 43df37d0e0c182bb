import type { Database } from 'bun:sqlite'
import { handleOf } from '../../db/dialect'
import { inPieces, type PieceRunner, pausingRunner } from '../../db/in-pieces'
import { type Lock, takeCatalogueLock } from '../../db/lock'
import type { Deps } from '../../deps'
import { exitCodes, Failure } from '../../lib/failure'
import { estimateWork } from '../estimate/apply-estimates'
import { kindOf } from '../import/kinds/kinds'
import { KeptMergeLog } from '../import/merge/merge-log'
import { mergeRows } from '../import/merge/rows'
import { takeApart } from '../import/merge/take-apart'
import { byHand } from '../import/source'
import { numbersOf } from '../numbers-of'
import { reindexRow } from '../search/index-row'
import { storeTwins } from '../twins'
import { addFields } from './log'
import { type StoredMerge, undoneWithinMs } from './merges'
import { splitWork } from './split'

type MergeDeps = Pick<Deps, 'write' | 'read' | 'now' | 'log' | 'isStopping'> & {
  readonly config: Pick<Deps['config'], 'data'>
}

/**
 * Does what merges, splits and their undos have left, each in pieces, the oldest first, also those that a kill interrupted. Waits
 * for an import. Resolves when nothing is left, or the server stops, or what is left has to wait: a start and each minute try again.
 */
export function runMerges(deps: MergeDeps): Promise<void> {
  const known = running.get(deps.write)
  if (known !== undefined) {
    known.isAskedAgain = true
    return known.ended
  }
  const job: MergeJob = { isAskedAgain: false, ended: Promise.resolve() }
  running.set(deps.write, job)
  job.ended = runAll(deps, job).finally(() => running.delete(deps.write))
  return job.ended
}

interface MergeJob {
  isAskedAgain: boolean
  ended: Promise<void>
}

/** By database. */
const running = new WeakMap<object, MergeJob>()

async function runAll(deps: MergeDeps, job: MergeJob): Promise<void> {
  try {
    do {
      job.isAskedAgain = false
      if ((await openMerges(deps)).length > 0) await runLocked(deps)
    } while (job.isAskedAgain)
  } catch (cause) {
    if (!(cause instanceof Stopping) && !isBusy(cause)) deps.log('catalogue_failed', { why: String(cause) })
  }
}

const openMerges = ({ read }: MergeDeps) =>
  read
    .selectFrom('catalogue_merges') // uses catalogue_merges_open
    .select('change_id')
    .where('state', 'in', ['moving', 'parting'])
    .orderBy('change_id')
    .execute()

async function runLocked(deps: MergeDeps): Promise<void> {
  const lock = await lockCatalogue(deps)
  try {
    const handle = await deps.write(async (tx) => handleOf(tx))
    for (const { change_id } of await openMerges(deps)) await runOne(deps, handle, change_id)
  } finally {
    lock.release()
  }
}

/** For half a minute, but not while the server stops. */
async function lockCatalogue({ config, isStopping }: MergeDeps): Promise<Lock> {
  for (let tries = 0; ; tries++) {
    if (isStopping()) throw new Stopping()
    try {
      return await takeCatalogueLock(config.data, 1000)
    } catch (cause) {
      if (!isBusy(cause) || tries === 30) throw cause
    }
  }
}

const isBusy = (cause: unknown) => cause instanceof Failure && cause.exitCode === exitCodes.busy

/** One that fails does not keep the others waiting. */
async function runOne(deps: MergeDeps, handle: Database, change: number): Promise<void> {
  try {
    await inPieces(stoppable(deps), (isOver) => mergeSteps(handle, change, { isOver, now: deps.now }))
  } catch (cause) {
    if (cause instanceof Stopping) throw cause
    deps.log('catalogue_failed', { why: `change ${change}: ${String(cause)}` })
  }
}

/** Thrown between two pieces; the next start goes on. */
class Stopping extends Error {}

function stoppable({ write, isStopping }: MergeDeps): PieceRunner {
  const piece = pausingRunner(write)
  const runner = <T>(work: () => T) => {
    if (isStopping()) throw new Stopping()
    return piece(work)
  }
  return Object.assign(runner, { lengthMs: piece.lengthMs ?? 0 })
}

interface MergeClock {
  readonly isOver: () => boolean
  readonly now: () => number
}

/** Begins again where a kill interrupted it: whatever was done is no longer there to do. */
export function* mergeSteps(
  handle: Database,
  change: number,
  { isOver, now }: MergeClock,
): Generator<void, void> {
  const merge = handle
    .query<StoredMerge, [number]>('select * from catalogue_merges where change_id = ?')
    .get(change)
  if (merge === null) return
  for (const _ of stepsOf(handle, merge, now())) {
    if (!isOver()) continue
    reindex(handle, merge)
    yield
  }
  if (merge.state === 'parting') {
    forgetLines(handle, merge)
    hideEmptied(handle, merge)
  }
  const after = merge.state === 'parting' ? 'parted' : 'moved'
  handle.query('update catalogue_merges set state = ? where change_id = ?').run(after, change)
  if (merge.kind === 'work') {
    for (const id of [merge.from_id, merge.to_id]) estimateWork(handle, id, now())
  }
  reindex(handle, merge)
  if (merge.kind !== 'work') return
  if (isOver()) yield
  yield* storeTwins(handle, now(), isOver)
}

function stepsOf(handle: Database, merge: StoredMerge, now: number): Generator<void> {
  const { change_id, task, kind, from_id: from, to_id: to, state } = merge
  if (state === 'parting') return takeApart(handle, change_id)
  const log = new KeptMergeLog(handle, () => change_id)
  if (task === 'split') return splitWork(handle, merge, { log, now })
  return mergeRows(handle, kindOf[kind], { from, to }, { log })
}

function reindex(handle: Database, { kind, from_id, to_id }: StoredMerge): void {
  const { search, table } = kindOf[kind]
  for (const id of [from_id, to_id]) {
    handle.query(`update ${table} set version = version + 1 where id = ?`).run(id)
    if (search !== undefined) reindexRow(handle, search, id)
  }
}

/** What packs said of the row while it was merged was not taken: their lines are no longer known. */
function forgetLines(handle: Database, { task, kind, from_id }: StoredMerge): void {
  if (task === 'split') return
  const forget = (name: string, ids: string) =>
    handle
      .query(
        `delete from import_rows where source_id in (select id from sources) and kind = ?1 and key in (
           select ns || ':' || external_id from external_ids indexed by external_ids_local
           where kind = ?1 and local_id in (${ids}))`,
      )
      .run(name, from_id)
  forget(kind, '?2')
  if (kind === 'work') forget('episode', 'select id from episodes where work_id = ?2')
}

/** A work that was made for a split goes with it, unless somebody has something of it by now. No work is ever deleted. */
function hideEmptied(handle: Database, { change_id, task, to_id, undo_id }: StoredMerge): void {
  const isMade = handle
    .query(
      `select 1 from catalogue_change_fields where change_id = ? and kind = 'work' and row_id = ? and field = '*'`,
    )
    .values(change_id, to_id)
  if (task !== 'split' || isMade.length === 0) return
  const isUnused = ['statuses', 'records', 'reviews', 'list_works', 'favorites', 'notes', 'meetings']
    .map((table) => `not exists (select 1 from ${table} where work_id = works.id)`)
    .join(' and ')
  const isListed = 'exists (select 1 from episodes where work_id = works.id and estimated = 0)'
  const { changes } = handle
    .query(
      `update works set hidden = 1, version = version + 1, owners = json_set(owners, '$.hidden', ${byHand})
       where id = ? and hidden = 0 and not ${isListed} and ${isUnused}`,
    )
    .run(to_id)
  if (changes === 0 || undo_id === null) return
  const row = { kind: 'work', row_id: to_id, field: 'hidden', before: '0', after: '1' } as const
  addFields(handle, undo_id, [{ ...row, owner_before: null, owner_after: byHand }])
}

/** Deletes what can no longer be undone, a few at a time. Returns how many entries. */
export async function sweepMoves({ write, now }: Pick<MergeDeps, 'write' | 'now'>): Promise<number> {
  let all = 0
  for (let some = 1; some > 0; all += some)
    some = await write(async (tx) => {
      const handle = handleOf(tx)
      const ids = numbersOf(handle, expiredMoves, now() - undoneWithinMs)
      handle
        .query('delete from catalogue_moves where id in (select value from json_each(?))')
        .run(JSON.stringify(ids))
      return ids.length
    })
  return all
}

/** One that an undo of the last moment still needs stays. Uses catalogue_moves_change. */
const expiredMoves = `
  select catalogue_moves.id from catalogue_changes
  cross join catalogue_merges on catalogue_merges.change_id = catalogue_changes.id
  cross join catalogue_moves on catalogue_moves.change_id = catalogue_changes.id
  where catalogue_changes.created_at < ? and state in ('moved', 'parted') limit 500`
