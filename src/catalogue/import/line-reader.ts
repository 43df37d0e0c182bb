import type { Database } from 'bun:sqlite'
import type { FileLine } from './file-lines'
import { type Header, readHeader } from './header'
import { importLine } from './import-line'
import type { ImportOptions } from './import-options'
import { parseJson } from './json'
import { type Line, readLine } from './line'
import type { Tally } from './report'
import { type Run, startRun } from './run'

/** A line that names rows of later lines, or may be about the row of a later line. */
interface Waiting {
  readonly number: number
  readonly hash: number
  readonly text: string
}

/** Takes the lines of one file, the header first. */
export class LineReader {
  readonly #handle: Database
  readonly #tally: Tally
  readonly #options: ImportOptions
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #header: Header | undefined
  #run: Run | undefined
  #lines = 0
  #waiting: Waiting[] = []
  #waitingLength = 0

  constructor(handle: Database, tally: Tally, options: ImportOptions) {
    this.#handle = handle
    this.#tally = tally
    this.#options = options
  }

  /** How many lines were read. */
  get lines(): number {
    return this.#lines
  }

  get isSnapshot(): boolean {
    return this.#header?.mode === 'snapshot'
  }

  get about() {
    return { source: this.#options.source ?? this.#header?.name ?? '', mode: this.#header?.mode ?? 'upsert' }
  }

  read(line: FileLine): void {
    this.#lines++
    if (this.#lines === 1) this.#readHeader(line)
    else if (this.#run !== undefined && line?.length !== 0) this.#readRow(this.#run, line)
  }

  /** Takes the lines that waited for later ones. The import, unless there was no header to begin it with. */
  end(): Run | undefined {
    const run = this.#run
    if (this.#lines === 0) this.#tally.problem(1, 'the file is empty')
    if (run === undefined) return undefined
    // One waiting line may be what another one waits for.
    for (let before = 0; this.#waiting.length !== before; ) {
      const waiting = this.#waiting
      before = waiting.length
      this.#waiting = []
      this.#waitingLength = 0
      for (const line of waiting) this.#import(run, line, true)
    }
    for (const line of this.#waiting) this.#giveUp(run, line)
    return run
  }

  #readHeader(line: FileLine): void {
    const text = this.#decode(line)
    if (text === undefined) return
    const header = readHeader(parseJson(text), (sentence) => this.#tally.warn(sentence))
    if (typeof header === 'string') {
      this.#tally.problem(1, header)
      return
    }
    this.#header = header
    this.#run = startRun(this.#handle, header, this.#tally, this.#options)
  }

  #readRow(run: Run, line: FileLine): void {
    // A line that was read before, word for word, has nothing new to say: it is not even parsed.
    const hash = line === undefined ? 0 : hashOf(line)
    const claim = run.claims.unchanged(hash)
    if (claim !== undefined) {
      this.#tally.count(claim.kind, 'unchanged')
      return
    }
    const text = this.#decode(line)
    if (text !== undefined) this.#import(run, { number: this.#lines, hash, text }, false)
  }

  #decode(line: FileLine): string | undefined {
    if (line === undefined) {
      this.#tally.problem(this.#lines, 'the line is longer than 1 MB')
      return undefined
    }
    try {
      return this.#decoder.decode(line)
    } catch {
      this.#tally.problem(this.#lines, 'the line is not valid UTF-8')
      return undefined
    }
  }

  #import(run: Run, waiting: Waiting, atEnd: boolean): void {
    const line = this.#parse(waiting)
    if (line === undefined) return
    const outcome = importLine(run, line, waiting.hash, atEnd)
    if (outcome === 'later' || typeof outcome !== 'string') this.#wait(waiting)
    else if (outcome !== 'done') this.#tally.problem(waiting.number, `${nameOf(line)}: ${outcome}`)
  }

  #parse({ text, number }: Waiting): Line | undefined {
    const value = parseJson(text)
    if (value === undefined) this.#tally.problem(number, 'the line is not valid JSON')
    if (value === undefined) return undefined
    const line = readLine(value, (sentence) => this.#tally.warn(sentence))
    if (typeof line !== 'string') return line
    this.#tally.problem(number, line)
    return undefined
  }

  #wait(line: Waiting): void {
    this.#waitingLength += line.text.length
    if (this.#waitingLength <= mostWaiting) this.#waiting.push(line)
    else this.#tally.problem(line.number, 'too many lines name rows that only come later in the file')
  }

  #giveUp(run: Run, waiting: Waiting): void {
    const line = this.#parse(waiting)
    if (line === undefined) return
    const outcome = importLine(run, line, waiting.hash, true)
    if (typeof outcome === 'string') return
    this.#tally.count(line.kind.name, 'unresolved')
    this.#tally.problem(
      waiting.number,
      `${nameOf(line)}: ${outcome.kind} ${JSON.stringify(outcome.key)} is unknown`,
    )
  }
}

const nameOf = ({ kind, key }: Line) =>
  key === undefined ? kind.name : `${kind.name} ${JSON.stringify(key)}`

/** What a JavaScript number holds of the line's xxHash64. */
const hashOf = (line: Uint8Array) => Number(Bun.hash.xxHash64(line) & 0x1fffffffffffffn)

const mostWaiting = 64 * 1024 * 1024
