import type { Option, OptionReader } from '../options/option'
import { trueOrFalse } from '../values/text'
import type { Survey } from './settings/survey'

export interface Command {
  /** The words to type, for example `user create`. */
  readonly name: string
  readonly summary: string
  readonly operands: readonly Operand[]
  readonly options: readonly Option<unknown>[]
  /** Without the word `kiroku`. */
  readonly examples: readonly string[]
  /** Throws a `Failure`. */
  run(call: CliCall): Promise<void>
}

export interface Operand {
  readonly name: string
  readonly optional?: true
  readonly rest?: true
}

export interface CliCall extends OptionReader {
  /** Required ones are always present. */
  readonly operands: readonly string[]
  /** All settings with their origins and problems. */
  survey(): Survey
  /** Writes lines, or bytes unchanged, to standard output. */
  print(output: string | Uint8Array): Promise<void>
  note(text: string): Promise<void>
  /** In epoch milliseconds. */
  now(): number
  /** Cryptographically random bytes. */
  random(length: number): Uint8Array<ArrayBuffer>
}

export function flag(name: string, sentence: string): Option<boolean> {
  return { name, type: '', sentence, defaultText: '', defaultValue: false, value: trueOrFalse }
}

export const json = flag('json', 'Prints JSON, with times in ISO 8601.')
