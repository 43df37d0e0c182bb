import { settingsOf } from '../config'
import { type Option, shownFlag } from '../options/option'
import { version } from '../version'
import type { Command, Operand } from './command'
import { table } from './table'

export function overview(commands: readonly Command[]): string {
  return [
    `kiroku ${version}: a viewing log for anime`,
    '',
    'Usage: kiroku COMMAND [OPTIONS], or kiroku [OPTIONS] to serve',
    '',
    listOf(commands),
    '',
    'Run kiroku help COMMAND for details.',
  ].join('\n')
}

export const listOf = (commands: readonly Command[]): string =>
  table(commands.map(({ name, summary }) => [`  ${name}`, summary]))

export function helpOn(command: Command): string {
  return [
    command.summary,
    '',
    usageOf(command),
    ...section('Options', command.options.map(describe)),
    ...section(
      'Settings (such as --data; in the environment KIROKU_DATA or KIROKU_DATA_FILE; or in kiroku.toml)',
      settingsOf(command.name).map(describe),
    ),
    ...section(
      'Examples',
      command.examples.map((example) => [`  ${example}`]),
    ),
  ].join('\n')
}

export function usageOf({ name, operands, options }: Command): string {
  const parts = [
    ...operands.map(formatOperand),
    ...options.map((option) => bracket(option.required, formatOption(option))),
  ]
  return ['Usage: kiroku', name, ...parts, '[SETTINGS]'].join(' ')
}

const formatOperand = ({ name, optional, rest }: Operand) => bracket(!optional, rest ? `${name}...` : name)

const bracket = (required: boolean | undefined, text: string) => (required ? text : `[${text}]`)

export const formatOption = (option: Option<unknown>) => {
  const { name, type } = shownFlag(option)
  return [`--${name}`, ...(type === '' ? [] : [option.repeatable ? `${type}...` : type])].join(' ')
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', `${title}:`, table(rows)]
}

const describe = (option: Option<unknown>) => [`  ${formatOption(option)}`, sentenceWithDefault(option)]

export const sentenceWithDefault = (option: Option<unknown>) =>
  option.defaultText === '' ? option.sentence : `${option.sentence} Default: ${option.defaultText}.`
