import type { Option } from './option'

export interface TableOption<T> extends Option<T> {
  /** Empty means all commands. */
  readonly commands: readonly string[]
}

/** Commands that need the base URL. */
export const addressCommands = [
  'serve',
  'setup-url',
  'user reset-password',
  'user sign-in-link',
  'user two-step-off',
  'feed create',
  'invite create',
  'healthcheck',
]

export const mailCommands = ['serve', 'user two-step-off']

export const backupCommands = [
  'backup create',
  'backup list',
  'backup verify',
  'backup prune',
  'backup restore',
  'backup send',
]

export const tableOption = <const T>(option: TableOption<T> & { defaultValue: NoInfer<T> }): TableOption<T> =>
  option
