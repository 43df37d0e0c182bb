import { dirname } from 'node:path'
import type { AnySource } from '../source'
import { AnswerFiles } from './answer-files'
import { askSource } from './ask'
import { beginReplay, type RunOptions, takeUpOrBegin } from './begin'
import { type Ending, endRun } from './end'
import { type Fault, faultOf } from './faults'
import { importLines } from './import-lines'
import type { BegunRun } from './journal'
import { tidyAnswers } from './keep'
import { bytesOfLines } from './line-bytes'
import { findRun, type Run } from './runs'
import { sourceRow } from './settings'
import type { RunTools } from './tools'
import { usualLines } from './usual-lines'

export interface EndedRun {
  readonly run: Run
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
  const asked = await askSource(tools, files, source, { run: id, scope, state, known, isReplay, ...settings })
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
