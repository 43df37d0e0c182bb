import { version } from '../version'
import { appCreate, appList, appRevoke } from './app'
import { catalogueExport } from './catalogue-export'
import { catalogueImport } from './catalogue-import'
import { catalogueStatus } from './catalogue-status'
import { check } from './check'
import type { Command } from './command'
import { demo } from './demo'
import { commandsIn, findCommand } from './find-command'
import { healthcheck } from './healthcheck'
import { helpOn, listOf, overview } from './help'
import { inviteCreate, inviteList, inviteWithdraw } from './invite'
import { migrateStatus, migrateUp } from './migrate'
import { serve } from './serve'
import { setupUrl } from './setup-url'
import { tokenCreate, tokenList, tokenRevoke } from './token'
import { userCreate, userList } from './user'
import { userDelete } from './user-delete'
import { userExport } from './user-export'
import { userSocial } from './user-social'
import { userStanding } from './user-standing'
import { userTwoStepOff } from './user-two-step-off'

const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version.',
  operands: [],
  options: [],
  examples: ['kiroku version'],
  run: (call) => call.print(`kiroku ${version}`),
}

const help: Command = {
  name: 'help',
  summary: 'Tells what the commands do, or all about one of them.',
  operands: [{ name: 'COMMAND', optional: true, rest: true }],
  options: [],
  examples: ['kiroku help', 'kiroku help token create'],
  run: (call) => call.print(helpFor(call.operands)),
}

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serve,
  setupUrl,
  userCreate,
  userList,
  userDelete,
  userExport,
  userTwoStepOff,
  ...userStanding,
  ...userSocial,
  inviteCreate,
  inviteList,
  inviteWithdraw,
  tokenCreate,
  tokenList,
  tokenRevoke,
  appCreate,
  appList,
  appRevoke,
  catalogueImport,
  catalogueExport,
  catalogueStatus,
  demo,
  migrateStatus,
  migrateUp,
  check,
  healthcheck,
  versionCommand,
  help,
]

function helpFor(words: readonly string[]): string {
  const [first] = words
  if (first === undefined) return overview(commands)
  const group = words.length === 1 ? commandsIn(commands, first) : []
  return group.length > 0 ? listOf(group) : helpOn(findCommand(commands, words).command)
}
