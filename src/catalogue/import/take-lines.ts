import type { YieldingWork } from '../../db/in-pieces'
import type { Spool } from './file/spool'
import { LineTaker, type Taken } from './line-taker'
import type { Unresolved } from './rows/resolve'
import { WaitingLines } from './rows/waiting-lines'
import { type Run, settle } from './run'

/** Returns waiting lines in processing order; given as `deferred`, they make a restarted import deterministic. */
export const takeLines =
  (
    run: Run,
    spool: Spool,
    deferred: readonly number[] | undefined,
    onProgress: (lines: number) => void,
  ): YieldingWork<readonly number[]> =>
  (isOver) =>
    new LineOrder(run, spool, isOver, onProgress).take(deferred)

class LineOrder {
  readonly #run: Run
  readonly #spool: Spool
  readonly #isOver: () => boolean
  readonly #onProgress: (lines: number) => void
  readonly #taker: LineTaker

  constructor(run: Run, spool: Spool, isOver: () => boolean, onProgress: (lines: number) => void) {
    this.#run = run
    this.#spool = spool
    this.#isOver = isOver
    this.#onProgress = onProgress
    this.#taker = new LineTaker(run)
  }

  *take(deferred: readonly number[] | undefined): Generator<void, readonly number[]> {
    const waiting = yield* this.#takeAll(new Set(deferred))
    return yield* this.#takeWaiting(deferred ?? waiting)
  }

  *#takeAll(deferred: ReadonlySet<number>): Generator<void, number[]> {
    const waiting: number[] = []
    for (const { firstLine, lines } of this.#spool.blocks()) {
      for (const [at, line] of lines.entries()) {
        const number = firstLine + at
        if (number === 1 || isBlank(line) || deferred.has(number)) continue
        if ((yield* this.#takeOne(number, line, false)) !== 'done') waiting.push(number)
        if (this.#run.tally.isHopeless) return []
      }
      this.#onProgress(firstLine + lines.length - 1)
    }
    return waiting
  }

  /** Retries each waiting line when the row it misses is known. */
  *#takeWaiting(numbers: readonly number[]): Generator<void, readonly number[]> {
    const waiting = new WaitingLines(numbers)
    this.#run.keys.onNamed = (kind, key, by) => waiting.wake(kind, key, by)
    const taken: number[] = []
    for (let number = waiting.next(); number !== undefined; number = waiting.next()) {
      const outcome = yield* this.#takeOne(number, this.#line(number), true)
      if (isUnresolved(outcome)) waiting.add(number, outcome)
      else taken.push(number)
      if (this.#run.tally.isHopeless) break
    }
    this.#run.keys.onNamed = undefined
    for (const [number, missing] of waiting.left()) {
      if (this.#run.tally.isHopeless) break
      this.#taker.giveUp(number, this.#line(number), missing)
    }
    return taken
  }

  /** Pauses after a line, or within a merge, when the time slice is over. */
  *#takeOne(number: number, line: Uint8Array, atEnd: boolean): Generator<void, Taken> {
    const steps = this.#taker.take(number, line, atEnd)
    for (;;) {
      const step = steps.next()
      if (this.#isOver()) {
        settle(this.#run)
        yield
      }
      if (step.done === true) return step.value
    }
  }

  #line(number: number): Uint8Array {
    const line = this.#spool.line(number)
    if (line === undefined) throw new Error(`line ${number} is gone`)
    return line
  }
}

const isUnresolved = (taken: Taken): taken is Unresolved => typeof taken !== 'string'

const isBlank = (line: Uint8Array) => line.length === 0
