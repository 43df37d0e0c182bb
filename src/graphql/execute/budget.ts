import { GraphQLError } from 'graphql'
import type { ApiError } from '../../http/errors'
import { addWork } from '../../lib/current-request'
import { ownTurn, pauseIfLong, threadMs } from '../../lib/turns'
import { type LargeTurn, largeTurnOf } from './large-requests'

const maxRows = 60_000
const maxCells = 600_000
const maxSentIds = 100_000
export const maxAnswerBytes = 20_000_000
const maxWorkMs = 2000

/** Fields of the answer that are completed in one turn of the event loop. */
const cellsAtOnce = 5000

/** What an ordinary request stays below; above, requests take turns, so that only one at a time fills the memory. */
const large = { rows: 3000, cells: 30_000, characters: 1_000_000 }

interface Group {
  readonly cells: number
  readonly release: () => void
}

/**
 * Limits the cost of a request; exceeding a limit ends the whole request with an error. What costs time runs here piece
 * by piece, with pauses in which other requests are answered.
 */
export class Budget {
  readonly #controller = new AbortController()
  #rows = 0
  #characters = 0
  #cells = 0
  #sentIds = 0
  #workedMs = 0
  #startedAt: number | undefined
  #failure: Error | undefined
  #last: Promise<unknown> = Promise.resolve()
  #reads: (() => Promise<void>)[] = []
  #groups: Group[] = []
  #isRunning = false
  #cellsLeft = cellsAtOnce
  #largeTurn: LargeTurn | undefined

  constructor(private readonly user: number) {}

  /** Aborts the execution when a limit is passed. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why the request was ended: the limit that was passed, or service_unavailable. */
  get failure(): Error | undefined {
    return this.#failure
  }

  get rowsLeft(): number {
    return maxRows - this.#rows
  }

  get isLarge(): boolean {
    return this.#rows > large.rows || this.#cells > large.cells || this.#characters > large.characters
  }

  /** Counts rows each time that the answer contains them. */
  takeRows(count: number): void {
    this.#rows += count
    if (this.#rows > maxRows)
      this.#exceed(`the query asks for more than ${grouped(maxRows)} rows; ask for fewer with first`)
  }

  /** Counts characters of texts that were read, each of which appears in the answer at least once. */
  takeText(characters: number): void {
    this.#characters += characters
    if (this.#characters > maxAnswerBytes)
      this.#exceed(`the answer is larger than ${maxAnswerBytes / 1_000_000} MB; ask for less`)
  }

  /** Counts fields of the answer, before they are completed. */
  takeCells(count: number): void {
    this.#cells += count
    if (this.#cells > maxCells)
      this.#exceed(
        `the answer would have more than ${grouped(maxCells)} fields; ask for fewer rows or fields`,
      )
  }

  /** Counts ids and texts in lists of arguments, once for each field that has them. */
  takeSent(count: number): void {
    this.#sentIds += count
    if (this.#sentIds > maxSentIds)
      this.#exceed(`the lists in arguments have more than ${grouped(maxSentIds)} values; send fewer`)
  }

  /** Runs a piece of reading in a later turn of the event loop, when all fields that want it have asked for it. */
  read(task: () => Promise<void>): void {
    this.#reads.push(task)
    if (!this.#isRunning) void this.#run()
  }

  /** Runs a piece of reading after those that run already. */
  readNow<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      await this.pause()
      this.#startClock()
      const found = await task()
      this.#stopClock()
      return found
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Undefined if fields may be completed in this turn of the event loop; else resolves in theirs. */
  turnFor(cells: number): Promise<void> | undefined {
    this.#cellsLeft -= cells
    if (this.#cellsLeft >= 0) return undefined
    return new Promise((release) => {
      this.#groups.push({ cells, release })
      if (!this.#isRunning) void this.#run()
    })
  }

  /** The most rows of a list whose fields, `cells` each, are completed at once. */
  rowsAtOnce(cells: number): number {
    return Math.max(1, Math.floor(cellsAtOnce / cells))
  }

  /** Call between pieces of work: ends a request that has worked too long, and lets others run. */
  async pause(): Promise<void> {
    const isCounted = this.#startedAt !== undefined
    this.#stopClock()
    this.signal.throwIfAborted()
    if (this.isLarge && this.#largeTurn === undefined) await this.#waitForLargeTurn()
    await pauseIfLong()
    this.signal.throwIfAborted()
    if (isCounted) this.#startClock()
  }

  /** The request has been answered; what still runs for it ends at its next pause. */
  end(): void {
    this.#controller.abort()
    this.#largeTurn?.end()
    this.#reads = []
    this.#groups = []
  }

  /** Rows are read before more fields are completed: a large answer then fills the memory only once. */
  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#failure === undefined) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      this.#cellsLeft = cellsAtOnce
      const reads = this.#reads
      this.#reads = []
      // A failure ends the whole request, so it is nothing to handle here.
      if (reads.length > 0) for (const task of reads) await this.readNow(task).catch(() => {})
      else if (this.#groups.length > 0) await this.#releaseGroups().catch(() => {})
      else break
    }
    this.#isRunning = false
  }

  async #releaseGroups(): Promise<void> {
    await this.pause()
    await ownTurn()
    while (this.#cellsLeft > 0) {
      const next = this.#groups.shift()
      if (next === undefined) return
      this.#cellsLeft -= next.cells
      next.release()
    }
  }

  async #waitForLargeTurn(): Promise<void> {
    try {
      this.#largeTurn = largeTurnOf(this.user)
    } catch (cause) {
      this.#fail(cause as ApiError)
    }
    await this.#largeTurn?.begun
  }

  #startClock(): void {
    this.#startedAt = threadMs()
  }

  #stopClock(): void {
    if (this.#startedAt === undefined) return
    const worked = threadMs() - this.#startedAt
    this.#startedAt = undefined
    this.#workedMs += worked
    addWork(worked)
    if (this.#workedMs > maxWorkMs)
      this.#exceed(`the query takes more than ${maxWorkMs / 1000} s of CPU time; ask for less`)
  }

  #exceed(message: string): never {
    return this.#fail(this.#failure ?? new GraphQLError(message))
  }

  #fail(cause: Error): never {
    this.#failure ??= cause
    this.#reads = []
    this.#groups = []
    this.#controller.abort(cause)
    throw cause
  }
}

const grouped = (count: number) => count.toLocaleString('en')
