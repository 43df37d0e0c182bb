import { optionTable, settings } from '../config'
import { exitCodes, exitMeanings } from '../lib/failure'
import { variableOf } from '../options/environment'
import type { Option } from '../options/option'
import { builtOn, version } from '../version'
import type { Command } from './command'
import { formatOption, sentenceWithDefault, usageOf } from './help'

/** The page kiroku(1), as roff with man(7) macros. */
export function manual(commands: readonly Command[]): string {
  return [
    `.TH KIROKU 1 "${builtOn ?? ''}" "kiroku ${version}" "User Commands"`,
    section('NAME', 'kiroku \\- a self\\-hosted viewing log for anime'),
    section(
      'SYNOPSIS',
      `.B kiroku\n${text('COMMAND [OPTIONS] [SETTINGS]')}\n.br\n.B kiroku\n${text('[SETTINGS]')}`,
    ),
    section('DESCRIPTION', description.map(prose).join('\n.PP\n')),
    section('COMMANDS', commands.map(commandEntry).join('\n')),
    section('SETTINGS', [prose(aboutSettings), ...optionTable.map(settingEntry)].join('\n')),
    section('FILES', files.map(([path, meaning]) => entry(path, prose(meaning))).join('\n')),
    section('EXIT STATUS', statuses.map(([code, meaning]) => entry(String(code), prose(meaning))).join('\n')),
  ].join('\n')
}

const description = [
  'kiroku is a viewing log for anime: one executable and one data directory. It serves web pages, and an API in the REST v1 dialect of Annict.',
  'Without a command it runs the server. Every other command works while a server is running, unless it says otherwise.',
]

const aboutSettings =
  'Settings are flags, environment variables, or lines of a TOML file whose keys are the names of the flags. Flags override the environment, and the environment overrides the file. For each variable there is another whose name ends in _FILE and that names a file with the value.'

const files: readonly (readonly [string, string])[] = [
  [
    settings.data.defaultText,
    'The data directory, unless --data names another one. It must be on a local disk.',
  ],
  ['kiroku.toml', 'Settings, read from the data directory; --config names another file.'],
]

const statuses: readonly (readonly [number, string])[] = [
  [0, 'Done.'],
  ...Object.entries(exitMeanings).map(
    ([kind, meaning]) => [exitCodes[kind as keyof typeof exitCodes], meaning] as const,
  ),
]

const section = (title: string, body: string): string => `.SH ${title}\n${body}`

const commandEntry = (command: Command): string =>
  [
    `.SS ${text(command.name)}`,
    prose(command.summary),
    '.PP',
    bold(usageOf(command).replace('Usage: ', '')),
    ...command.options.map((option) => entry(formatOption(option), prose(sentenceWithDefault(option)))),
    ...command.examples.map((example) => `.PP\n.nf\n.RS 4\n${text(example)}\n.RE\n.fi`),
  ].join('\n')

const settingEntry = (option: Option<unknown>): string =>
  entry(`${formatOption(option)}, ${variableOf(option)}`, prose(sentenceWithDefault(option)))

const entry = (term: string, meaning: string): string => `.TP\n${bold(term)}\n${meaning}`

const bold = (words: string): string => `\\fB${text(words)}\\fR`

/** roff fills it, so lines may break at any space; mandoc advises against long lines. */
const prose = (words: string): string => text(words.replaceAll(/(.{60}\S*) /g, '$1\n'))

/** Escaped so that roff shows backslashes, hyphens, dots and quotes as they are. */
const text = (words: string): string =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll(/^[.']/gm, '\\&$&')
