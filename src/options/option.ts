import type { Value } from '../values/value'

export interface Option<T> {
  readonly name: string
  /** A word for the value, or the choices; empty for a switch. */
  readonly type: string
  readonly sentence: string
  readonly defaultText: string
  readonly defaultValue: T
  readonly required?: true
  /** Texts are joined by line feeds. */
  readonly repeatable?: true
  /** Secret texts are not repeated in messages. */
  isSecret?(text: string): boolean
  /** Secrets are refused on the command line, where other users of the machine see them. */
  readonly isReadFromFile?: true
  readonly value: Value<T>
}

/** A secret whatever it is: only the name of a file that holds it can be a word of the command line. */
const isAlwaysSecret = ({ isReadFromFile, isSecret }: Option<unknown>): boolean =>
  isReadFromFile === true && isSecret?.('') === true

/** What is shown of it on the command line: for secrets, `--NAME-file FILE`. */
export const shownFlag = (option: Option<unknown>): Pick<Option<unknown>, 'name' | 'type'> =>
  isAlwaysSecret(option) ? { name: `${option.name}-file`, type: 'FILE' } : option

export interface OptionReader {
  /** Throws a `usage` or `config` failure that names the option, its source and the rule. */
  get<T>(option: Option<T>): T
}
