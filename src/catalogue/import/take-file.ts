import { inPieces } from '../../db/in-pieces'
import { applyEstimates, type Estimated } from '../estimate/apply-estimates'
import { compactIndex } from '../search/index-row'
import { leadAnnictNumbers } from './annict-numbers'
import type { Spool } from './file/spool'
import { hashOf } from './line-taker'
import { healMerges } from './merge/heal'
import { rekeyWorks } from './rekey'
import type { Tally } from './report'
import { type Run, settle, startRun, type Target } from './run'
import { findAbsent, hideAbsent, tooManyAbsent } from './snapshot-mode'
import { findSource } from './source'
import { fitStandIns } from './stand-in-credits'
import { dropSuperseded, findSuperseded } from './superseded'
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

export interface Taken {
  readonly deferred: readonly number[]
  readonly estimated: Estimated
}

export interface Terms {
  /** Epoch milliseconds. */
  readonly now: number
  /** Set while checking, when problems stop the work. `force`: no limit on the rows that a snapshot hides. */
  readonly judging: { readonly force: boolean } | undefined
  onProgress(lines: number): void
}

/** Idempotent: it can be restarted after any piece with the same outcome. Problems are added to the tally. */
export async function takeFile(
  target: Target,
  spool: Spool,
  plan: Plan,
  { now, judging, onProgress }: Terms,
  tally: Tally,
): Promise<Taken> {
  const source = await target.piece(() => findSource(target.handle, plan.source))
  const run = await startRun(target, { ...plan, source }, tally)
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
  for (const [kind, rows] of run.indexed) {
    if (rows < worthCompacting || !run.isSearched) continue
    await inPieces(piece, () => compactIndex(handle, kind))
  }
  return estimated
}

const worthCompacting = 1000
