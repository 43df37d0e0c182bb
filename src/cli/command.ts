import type { Option, OptionReader } from '../options/option'
import { trueOrFalse } from '../values/text'

/** One command: what help shows, what it accepts and what it does. */
export interface Command {
  /** Its words, such as `user create`. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly summary: string
  readonly operands: readonly Operand[]
  /** Its own options, beside those of the option table that are for it. */
  readonly options: readonly Option<unknown>[]
  /** What to type, without the word `kiroku`. */
  readonly examples: readonly string[]
  /** Throws a `Failure` where the command cannot do what it is for. */
  run(call: Call): Promise<void>
}

/** A value without a name, by its place. */
export interface Operand {
  readonly name: string
  readonly optional?: true
  /** Whether it takes all the words that are left. */
  readonly rest?: true
}

/** One use of a command. */
export interface Call extends OptionReader {
  /** The values without a name: those that are not optional are there. */
  readonly operands: readonly string[]
  /** Writes lines to standard output. */
  print(text: string): Promise<void>
  /** Writes lines to standard error. */
  note(text: string): Promise<void>
  /** The time now, in epoch milliseconds. */
  now(): number
  /** Cryptographically random bytes. */
  random(length: number): Uint8Array<ArrayBuffer>
}

/** An option without a value, off unless it is given. */
export function flag(name: string, sentence: string): Option<boolean> {
  return { name, type: '', sentence, defaultText: '', defaultValue: false, value: trueOrFalse }
}

/** The option of every command whose answer a machine may read. */
export const json = flag('json', 'Prints JSON, with times in ISO 8601.')
