import { GraphQLError } from 'graphql'
import { takeLargeTurn } from './turns'

const maxRows = 60_000
export const maxAnswerBytes = 20_000_000
const maxWorkMs = 2000

/** The longest stretch of work without a pause, during which other requests wait. */
const sliceMs = 15

/** Rows and fields of an operation above which it waits until no other large one is running. */
const large = { rows: 2000, cells: 20_000 }

/** Limits the cost of a request; exceeding it ends the whole request with an error. */
export class Budget {
  readonly #controller = new AbortController()
  #rows = 0
  #characters = 0
  #cells = 0
  #workedMs = 0
  #sliceStart = performance.now()
  #countedUntil = this.#sliceStart
  #exceeded: string | undefined
  readonly #waiting: (() => void)[] = []
  #largeTurn: Promise<() => void> | undefined

  /** Aborts the execution when a limit is passed. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** A description of the limit that was passed. */
  get exceeded(): string | undefined {
    return this.#exceeded
  }

  get rowsLeft(): number {
    return maxRows - this.#rows
  }

  takeRows(count: number): void {
    this.#rows += count
    if (this.#rows > maxRows)
      this.#exceed(`the query asks for more than ${grouped(maxRows)} rows; ask for fewer with first`)
  }

  /** Counts characters of texts that were read, each of which appears in the answer at least once. */
  takeText(characters: number): void {
    this.#characters += characters
    if (this.#characters > maxAnswerBytes) this.#exceedAnswer()
  }

  /** Counts fields of the answer; the shortest takes about five bytes. */
  takeCells(count: number): void {
    this.#cells += count
    if (this.#cells * 5 > maxAnswerBytes) this.#exceedAnswer()
  }

  /** Call between pieces of work: ends a request that has worked too long, and lets others run after each slice. */
  async pause(): Promise<void> {
    if (performance.now() - this.#sliceStart >= sliceMs) await this.turn()
    this.signal.throwIfAborted()
  }

  /** Resolves in an event loop turn of its own, after all that are waiting; never, once a limit is passed. */
  async turn(): Promise<void> {
    this.#countWork()
    if (this.#rows > large.rows || this.#cells > large.cells) {
      this.#largeTurn ??= takeLargeTurn()
      await this.#largeTurn
    }
    return await new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#nextTurn()
    })
  }

  /** Call once the operation has ended, however it did. */
  end(): void {
    void this.#largeTurn?.then((end) => end())
  }

  #nextTurn(): void {
    setImmediate(() => {
      this.#sliceStart = performance.now()
      this.#countedUntil = this.#sliceStart
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#nextTurn()
    })
  }

  #countWork(): void {
    const now = performance.now()
    this.#workedMs += now - this.#countedUntil
    this.#countedUntil = now
    if (this.#workedMs > maxWorkMs) this.#exceed(`the query takes more than ${maxWorkMs / 1000} s of work`)
  }

  #exceedAnswer(): never {
    return this.#exceed(`the answer is larger than ${maxAnswerBytes / 1_000_000} MB; ask for less`)
  }

  #exceed(message: string): never {
    this.#exceeded ??= message
    this.#waiting.length = 0
    const error = new GraphQLError(message)
    this.#controller.abort(error)
    throw error
  }
}

const grouped = (count: number) => count.toLocaleString('en')
