import { dirname } from 'node:path'
import { storageFault } from '../../db/storage-fault'
import { Failure } from '../../lib/failure'
import { SourceRefused } from '../fetch/refused'
import { type AnySource, ShapeError, TokenRefused } from '../source'
import { AnswerFiles } from './answer-files'
import { askSource } from './ask'
import { beginReplay, type RunOptions, takeUpOrBegin } from './begin'
import { type Ending, endRun } from './end'
import { importLines } from './import-lines'
import type { BegunRun } from './journal'
import { tidyAnswers } from './keep'
import { bytesOfLines } from './line-bytes'
import { findRun, type Outcome, type SourceRun } from './runs'
import { sourceRow } from './settings'
import type { RunTools } from './tools'

export interface EndedRun {
  readonly run: SourceRun
  readonly fault: Fault | undefined
}

/**
 * Requests a source's data and imports it. The caller holds the sources' lock. If stopped, or if the database cannot be
 * written, throws and leaves the run to be resumed by the next one.
 */
export async function runSource(tools: RunTools, source: AnySource, options: RunOptions): Promise<EndedRun> {
  return await carryOut(tools, source, await takeUpOrBegin(tools, source, options), {
    isReplay: false,
    isForced: options.isForced,
  })
}

/** Converts the stored answers of a run again. Throws a `noInput` failure if there are none. */
export async function replayRun(
  tools: RunTools,
  sources: readonly AnySource[],
  run: number,
  options: RunOptions,
): Promise<EndedRun> {
  const { source: name, ...begun } = await beginReplay(tools, filesOf(tools), run, options)
  const source = sources.find((one) => one.name === name)
  if (source === undefined) throw new Error(`there is no source ${name}`)
  return await carryOut(tools, source, begun, { isReplay: true, isForced: options.isForced })
}

interface Terms {
  readonly isReplay: boolean
  readonly isForced: boolean
}

async function carryOut(tools: RunTools, source: AnySource, run: BegunRun, terms: Terms): Promise<EndedRun> {
  const files = filesOf(tools)
  const [ending, fault] = await outcomeOf(() => convert(tools, files, source, run, terms))
  await endRun(tools, source, run, ending, terms)
  await tidyAnswers(tools, files)
  const ended = await findRun(tools.store.read, run.id)
  if (ended === undefined) throw new Error(`run ${run.id} is gone`)
  return { run: ended, fault }
}

async function outcomeOf(work: () => Promise<Ending>): Promise<[Ending, Fault | undefined]> {
  try {
    return [await work(), undefined]
  } catch (cause) {
    const fault = faultOf(cause)
    return [{ outcome: fault.outcome, message: fault.message, report: null }, fault]
  }
}

interface Fault {
  readonly outcome: Outcome
  readonly message: string
  readonly isConfig: boolean
}

/** The fault that ends a run. Throws `cause` again if the run is to be resumed later. */
function faultOf(cause: unknown): Fault {
  if (cause instanceof SourceRefused) {
    const { kind, message } = cause
    return kind === 'not_configured'
      ? { outcome: 'refused', message, isConfig: true }
      : { outcome: kind, message, isConfig: false }
  }
  if (cause instanceof TokenRefused) return { outcome: 'refused', message: cause.message, isConfig: true }
  if (cause instanceof ShapeError)
    return { outcome: 'not_understood', message: cause.message, isConfig: false }
  if (isForLater(cause)) throw cause
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return { outcome: 'failed', message: message.replaceAll(/\s*\n\s*/g, ' '), isConfig: false }
}

/** The process is being stopped, another one is changing the catalogue, or the disk is full. */
const isForLater = (cause: unknown) =>
  cause instanceof Failure ||
  storageFault(cause) !== undefined ||
  (cause instanceof DOMException && cause.name === 'AbortError')

async function convert(
  tools: RunTools,
  files: AnswerFiles,
  source: AnySource,
  run: BegunRun,
  { isReplay, isForced }: Terms,
): Promise<Ending> {
  const { store } = tools
  const known = tools.knownFrom(store.handle)
  const { location, token } = (await sourceRow(store.read, source.name)) ?? {}
  const { id, scope, state } = run
  const settings = { location: location ?? undefined, token: token ?? undefined }
  const asked = await askSource(tools, {
    ...{ run: id, source, files, scope, state, known, isReplay },
    ...settings,
  })
  const unchanged: Ending = { outcome: 'unchanged', message: null, report: null, state: asked.state }
  if (asked.isUnmodified && !isReplay) return unchanged
  const lines = await bytesOfLines(source.lines(asked.answers, known, scope))
  if (lines === undefined) return unchanged
  const usual = await usualLines(store, source.name, run)
  const notes = [...(source.notes?.(asked.answers) ?? [])]
  const terms = { isDryRun: run.isDryRun, isForced, usualLines: usual, notes }
  const ending = await importLines(tools, source, lines, terms)
  return ending.outcome === 'done' ? { ...ending, state: asked.state } : ending
}

const filesOf = ({ store }: RunTools) => new AnswerFiles(dirname(store.handle.filename))

/** The fewest lines of the last three comparable successful runs; undefined if there are none. */
async function usualLines(
  { read }: RunTools['store'],
  source: string,
  run: BegunRun,
): Promise<number | undefined> {
  const rows = await read
    .selectFrom('catalogue_runs')
    .select(['scope', 'state', 'report'])
    .where('source', '=', source)
    .where('outcome', '=', 'done')
    .where('is_dry_run', '=', 0)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  const kind = kindOf(run.scope, run.state)
  const counts = rows
    .filter(({ scope, state }) => kindOf(JSON.parse(scope), JSON.parse(state)) === kind)
    .flatMap(({ report }) => (report === null ? [] : linesIn(JSON.parse(report))))
    .slice(0, 3)
  return counts.length === 0 ? undefined : Math.min(...counts)
}

/** What makes runs comparable. A first run imports more than later ones, which request only changes. */
const kindOf = ({ seasons, since, isFull, limit }: BegunRun['scope'], state: BegunRun['state']) =>
  JSON.stringify([seasons.length, since !== undefined, isFull, limit, Object.keys(state).length === 0])

const linesIn = ({ import: { lines } }: { import: { lines: number } }) => lines
