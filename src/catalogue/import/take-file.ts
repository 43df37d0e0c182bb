import type { Database } from 'bun:sqlite'
import { inPieces, type YieldingWork } from '../../db/in-pieces'
import { applyEstimates, type Estimated } from '../estimate/apply-estimates'
import { dropEstimates, dropListedPrograms, isRecorded, isUntouched } from '../estimate/drop-estimates'
import { isListed } from '../estimate/listed-programs'
import { numbersOf } from '../numbers-of'
import { compactIndex } from '../search/index-row'
import { storeTwins } from '../twins'
import type { Spool } from './file/spool'
import { hashOf } from './line-taker'
import { healMerges } from './merge/heal'
import { rekeyWorks } from './rekey'
import { CorrectionTally, type LineTally } from './report'
import { lastForeignId } from './rows/create-row'
import { type ImportTarget, type Run, settle, startRun } from './run'
import { findAbsent, hideAbsent, tooManyAbsent } from './snapshot-mode'
import { findSource, isOfCorrections } from './source'
import { fitStandIns } from './stand-in-credits'
import { takeLines } from './take-lines'

/** Stored while the file is applied, so that an interrupted import resumes with the same options. */
export interface Plan {
  readonly source: string
  readonly mode: 'upsert' | 'snapshot'
  readonly preserveIds: readonly string[]
  readonly matchTitles: boolean
  /** Lines that depend on later ones, in processing order; undefined until known. */
  readonly deferred: readonly number[] | undefined
}

export interface TakenFile {
  readonly deferred: readonly number[]
  readonly estimated: Estimated
}

export interface FileTerms {
  /** Epoch milliseconds. */
  readonly now: number
  /** Set while checking, when problems stop the work. `force`: no limit on the rows that a snapshot hides. */
  readonly judging: { readonly force: boolean } | undefined
  onProgress(lines: number): void
}

/** Idempotent: it can be restarted after any piece with the same outcome. Problems are added to the tally. */
export async function takeFile(
  target: ImportTarget,
  spool: Spool,
  plan: Plan,
  { now, judging, onProgress }: FileTerms,
  tally: LineTally,
): Promise<TakenFile> {
  const source = await target.piece(() => findSource(target.handle, plan.source))
  const corrects = isOfCorrections(plan.source)
  if (corrects) tally.corrections ??= new CorrectionTally()
  const matchTitles = plan.matchTitles || corrects
  const run = await startRun(target, { ...plan, source, now, matchTitles, corrects }, tally)
  await rekeyWorks(run, spool)
  await foreseeLines(run, spool)
  const deferred = await inPieces(target.piece, takeLines(run, spool, plan.deferred, onProgress))
  await target.piece(() => settle(run))
  if (judging !== undefined) {
    const refusal = plan.mode === 'snapshot' && !judging.force ? tooManyAbsent(run) : undefined
    if (refusal !== undefined) tally.problem(0, refusal)
    if (tally.failed) return { deferred, estimated: { episodes: 0, programs: 0 } }
  }
  if (plan.mode === 'snapshot') await hideAbsentRows(run)
  return { deferred, estimated: await complete(run, now) }
}

/** Claims the rows of all unchanged lines first, wherever they are in the file. */
async function foreseeLines(run: Run, spool: Spool): Promise<void> {
  for (const { lines } of spool.blocks()) {
    for (const line of lines) if (line.length > 0) run.claims.unchanged(hashOf(line))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

async function hideAbsentRows(run: Run): Promise<void> {
  for (const absent of findAbsent(run)) await inPieces(run.piece, hideAbsent(run, absent))
}

async function complete(run: Run, now: number): Promise<Estimated> {
  const { handle, piece } = run
  await healMerges(run)
  await piece(() => leadAnnictNumbers(handle))
  await inPieces(piece, fitStandIns(run))
  await inPieces(piece, dropSuperseded(handle, findSuperseded(handle)))
  const estimated = await applyEstimates(run, now)
  if (run.isSearched) await inPieces(piece, (isOver) => storeTwins(handle, now, isOver))
  for (const [kind, rows] of run.indexed) {
    if (rows < worthCompacting || !run.isSearched) continue
    await inPieces(piece, () => compactIndex(handle, kind))
  }
  return estimated
}

/**
 * Redirects a work's Annict number to its id here if they differ, like the id of a merged work (D67), so that
 * clients that know Annict's numbers find it. A number shared by several works is ignored.
 */
function leadAnnictNumbers(handle: Database): void {
  handle.query(dropStale).run()
  handle.query(lead).run(lastForeignId)
}

// uses the primary key of external_ids
const numbers = `
  select cast(external_id as integer) as number, min(local_id) as work from external_ids
  where kind = 'work' and ns = 'annict' group by external_id having count(*) = 1`

/** Keeps redirects from ids that still have a row: those are merged works, which stay in the table. */
const dropStale = `
  delete from redirects where kind = 'work' and not exists (select 1 from works where id = from_id)
  and (from_id, to_id) not in (${numbers})`

const lead = `
  insert into redirects (kind, from_id, to_id)
  select 'work', number, work from (${numbers}) where number <> work and number between 1 and ?
  and not exists (select 1 from works where id = number)
  on conflict do nothing`

interface Superseded {
  readonly episodes: readonly number[]
  readonly programs: readonly number[]
}

const findSuperseded = (handle: Database): Superseded => ({
  episodes: numbersOf(handle, withBothEpisodes),
  programs: numbersOf(handle, withBothPrograms),
})

/** Deletes estimates that listed rows replace; estimated episodes with records stay. */
const dropSuperseded = (handle: Database, { episodes, programs }: Superseded): YieldingWork<void> =>
  function* (isOver) {
    for (const work of episodes) {
      dropEstimates(handle, work)
      if (isOver()) yield
    }
    for (const work of programs) {
      dropListedPrograms(handle, work)
      if (isOver()) yield
    }
  }

// uses episodes_work_all
const withBothEpisodes = `
  select distinct work_id from episodes where estimated = 1 and not ${isRecorded} and ${isUntouched}
    and work_id in (select work_id from episodes where estimated = 0)`

// uses programs_work_all
const withBothPrograms = `
  select distinct work_id from programs where estimated = 1
    and work_id in (select work_id from programs where estimated = 0)
    and ${isListed('programs.work_id', 'programs.channel_id')}`

const worthCompacting = 1000
