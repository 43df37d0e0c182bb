import type { Option } from './option'

/** An option that also has an environment variable and a key in the configuration file. */
export interface TableOption<T> extends Option<T> {
  /** The commands it is for; empty for all of them. */
  readonly commands: readonly string[]
}

/** The commands that have to know where the server is reached. */
export const reaching = [
  'serve',
  'setup-url',
  'user reset-password',
  'user two-step-off',
  'invite create',
  'healthcheck',
]

/** The commands that send mail. */
export const mailing = ['serve', 'user two-step-off']

/** An option of the table, of the type its parser gives. */
export const tableOption = <const T>(option: TableOption<T> & { defaultValue: NoInfer<T> }): TableOption<T> =>
  option
