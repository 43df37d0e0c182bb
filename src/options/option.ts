import type { Value } from '../values/value'

/** One thing that can be set by name: on the command line and, when it is in the option table, elsewhere too. */
export interface Option<T> {
  /** As on the command line, without the dashes. */
  readonly name: string
  /** What its value is, in one word or as the choices there are; empty for a switch, which is on or off. */
  readonly type: string
  /** What it does, in one sentence. */
  readonly sentence: string
  /** The default as people read it; empty when there is none. */
  readonly defaultText: string
  /** The value when it is given nowhere. */
  readonly defaultValue: T
  /** Whether a command cannot do without it. */
  readonly required?: true
  /** Whether it may be given again: its texts are then read as lines of one. */
  readonly repeatable?: true
  /** Whether a text holds, or may hold, what others must not see: such a one is not repeated in messages. */
  isSecret?(text: string): boolean
  /** Whether a secret is refused on the command line, where others on the machine see it, and belongs in a file. */
  readonly isReadFromFile?: true
  /** What its texts stand for. */
  readonly value: Value<T>
}

/** Reads options, from wherever they are given. */
export interface Given {
  /** Throws a `usage` or `config` failure that names the option, its source and the rule its text breaks. */
  get<T>(option: Option<T>): T
}
