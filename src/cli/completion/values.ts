import { settingsOf } from '../../config'
import type { Option } from '../../options/option'
import type { Command } from '../command'

/** What a value can be: a path, or one of some words; empty if only the user knows. */
export type Values = 'files' | 'directories' | readonly string[]

/** Derived from the notation in help: `FILE|-|URL`, `DIR`, `off|N`. Lower-case words stand for themselves. */
export function valuesOf(written: string): Values {
  const parts = written.split('|')
  if (parts.includes('FILE')) return 'files'
  if (parts.includes('DIR')) return 'directories'
  return parts.filter((part) => /^[a-z][a-z-]*$/.test(part))
}

export interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: readonly Option<unknown>[]
  readonly operands: Values
}

export function completedOf({ name, summary, options, operands }: Command): Completed {
  const kinds = operands.map((operand) => valuesOf(operand.name))
  const known = kinds.find((values) => values.length > 0) ?? []
  return { name, summary, options: [...options, ...settingsOf(name)], operands: known }
}

/** Each option that takes a value, once: a name means the same in every command. */
export function valuedOptions(commands: readonly Completed[]): readonly Option<unknown>[] {
  const valued = commands.flatMap(({ options }) => options.filter(({ type }) => type !== ''))
  return [...new Map(valued.map((option) => [option.name, option])).values()]
}

export interface NextWord {
  readonly word: string
  readonly meaning: string
}

/** The words that may follow a group: all commands and groups after '', what can be done with users after `user`. */
export function nextWords(commands: readonly Completed[], group: string): readonly NextWord[] {
  const start = group === '' ? '' : `${group} `
  const found = new Map<string, string>()
  for (const { name, summary } of commands.filter((command) => command.name.startsWith(start))) {
    const [word = '', ...more] = name.slice(start.length).split(' ')
    const before = found.get(word)
    const listed = before === undefined ? more.join(' ') : `${before}, ${more.join(' ')}`
    found.set(word, more.length === 0 ? summary : listed)
  }
  return [...found].map(([word, meaning]) => ({ word, meaning }))
}

/** The first words of two-word commands, such as `user`, and '' for the start of the line. */
export const groupsOf = (commands: readonly Completed[]): readonly string[] => [
  '',
  ...new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.replace(/ .*/, '')] : []))),
]
