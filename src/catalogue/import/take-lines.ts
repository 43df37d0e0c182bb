import type { YieldingWork } from '../../db/in-pieces'
import type { Spool } from './file/spool'
import { giveUpLine, type LineFate, takeLine } from './line-taker'
import type { Unresolved } from './rows/resolve'
import { WaitingLines } from './rows/waiting-lines'
import { type Run, settle } from './run'

interface Taking {
  readonly run: Run
  readonly spool: Spool
  isOver(): boolean
  onProgress(lines: number): void
}

/** Returns waiting lines in processing order; passing them as `deferred` makes a restarted import deterministic. */
export const takeLines = (
  run: Run,
  spool: Spool,
  deferred: readonly number[] | undefined,
  onProgress: Taking['onProgress'],
): YieldingWork<readonly number[]> =>
  function* (isOver) {
    const taking = { run, spool, isOver, onProgress }
    const waiting = yield* takeAll(taking, new Set(deferred))
    return yield* takeWaiting(taking, deferred ?? waiting)
  }

function* takeAll(taking: Taking, deferred: ReadonlySet<number>): Generator<void, number[]> {
  const waiting: number[] = []
  for (const { firstLine, lines } of taking.spool.blocks()) {
    for (const [at, line] of lines.entries()) {
      const number = firstLine + at
      if (number === 1 || line.length === 0 || deferred.has(number)) continue
      if ((yield* takeOne(taking, number, line, false)) !== 'done') waiting.push(number)
      if (taking.run.tally.isHopeless) return []
    }
    taking.onProgress(firstLine + lines.length - 1)
  }
  return waiting
}

/** Retries each waiting line once the row it lacks is known. */
function* takeWaiting(taking: Taking, numbers: readonly number[]): Generator<void, readonly number[]> {
  const { run, spool } = taking
  const waiting = new WaitingLines(numbers)
  run.keys.onNamed = (kind, key, by) => waiting.wake(kind, key, by)
  const taken: number[] = []
  for (let number = waiting.next(); number !== undefined; number = waiting.next()) {
    const outcome = yield* takeOne(taking, number, lineOf(spool, number), true)
    if (isUnresolved(outcome)) waiting.add(number, outcome)
    else taken.push(number)
    if (run.tally.isHopeless) break
  }
  run.keys.onNamed = undefined
  for (const [number, missing] of waiting.left()) {
    if (run.tally.isHopeless) break
    giveUpLine(run, number, lineOf(spool, number), missing)
  }
  return taken
}

/** Pauses after a line, or within a merge, when the time slice is used up. */
function* takeOne(
  { run, isOver }: Taking,
  number: number,
  line: Uint8Array,
  atEnd: boolean,
): Generator<void, LineFate> {
  const steps = takeLine(run, number, line, atEnd)
  for (;;) {
    const step = steps.next()
    if (isOver()) {
      settle(run)
      yield
    }
    if (step.done === true) return step.value
  }
}

function lineOf(spool: Spool, number: number): Uint8Array {
  const line = spool.line(number)
  if (line === undefined) throw new Error(`line ${number} is gone`)
  return line
}

const isUnresolved = (taken: LineFate): taken is Unresolved => typeof taken !== 'string'
