import { GraphQLError } from 'graphql'

export const maxRows = 60_000
export const maxAnswerBytes = 20_000_000
const maxWorkMs = 2000

/** Work without a pause: other requests wait no longer for this one. */
const sliceMs = 25

/** What one request may cost; beyond it the whole request is ended with an error. */
export class Budget {
  readonly #controller = new AbortController()
  #rows = 0
  #characters = 0
  #cells = 0
  #workedMs = 0
  #sliceStart = performance.now()
  #exceeded: string | undefined
  #turns: Promise<void> = Promise.resolve()

  /** Aborts the execution when a limit is passed. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Which limit was passed. */
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

  /** Characters of texts that were read, which an answer shows at least once. */
  takeText(characters: number): void {
    this.#characters += characters
    if (this.#characters > maxAnswerBytes) this.#exceedAnswer()
  }

  /** Fields of the answer; the shortest takes some five bytes. */
  takeCells(count: number): void {
    this.#cells += count
    if (this.#cells * 5 > maxAnswerBytes) this.#exceedAnswer()
  }

  /** Between two pieces of work: ends a request that worked for too long, and lets others go first after each slice. */
  async pause(): Promise<void> {
    const spent = performance.now() - this.#sliceStart
    if (spent >= sliceMs) {
      this.#workedMs += spent
      if (this.#workedMs > maxWorkMs) this.#exceed(`the query takes more than ${maxWorkMs / 1000} s of work`)
      await new Promise((resolve) => setImmediate(resolve))
      this.#sliceStart = performance.now()
    }
    this.signal.throwIfAborted()
  }

  /** Resolves after all earlier turns, with a pause in between. */
  turn(): Promise<void> {
    this.#turns = this.#turns.then(() => this.pause())
    return this.#turns
  }

  #exceedAnswer(): never {
    return this.#exceed(`the answer is larger than ${maxAnswerBytes / 1_000_000} MB; ask for less`)
  }

  #exceed(message: string): never {
    this.#exceeded ??= message
    const error = new GraphQLError(message)
    this.#controller.abort(error)
    throw error
  }
}

const grouped = (count: number) => count.toLocaleString('en')
