import type { Value } from '../values/value'

export interface Option<T> {
  readonly name: string
  /** A placeholder for the value, or the choices; empty for a switch. */
  readonly type: string
  readonly sentence: string
  readonly defaultText: string
  readonly defaultValue: T
  readonly required?: true
  /** Repeated texts are joined by line feeds. */
  readonly repeatable?: true
  /** Secret texts are never repeated in messages. */
  isSecret?(text: string): boolean
  /** Secrets are refused on the command line, where other users of the machine could see them. */
  readonly isReadFromFile?: true
  readonly value: Value<T>
}

/** Secret whatever its value: the command line accepts only the name of a file that holds it. */
const isAlwaysSecret = ({ isReadFromFile, isSecret }: Option<unknown>): boolean =>
  isReadFromFile === true && isSecret?.('') === true

/** How the command line names it: for secrets, `--NAME-file FILE`. */
export const shownFlag = (option: Option<unknown>): Pick<Option<unknown>, 'name' | 'type'> =>
  isAlwaysSecret(option) ? { name: `${option.name}-file`, type: 'FILE' } : option

export interface OptionReader {
  /** Throws a `usage` or `config` failure that names the option, its source and the broken rule. */
  get<T>(option: Option<T>): T
}
