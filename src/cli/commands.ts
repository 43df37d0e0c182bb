import { version } from '../version'
import type { Command } from './command'
import { appCreate, appList, appRevoke } from './commands/app'
import { catalogueExport } from './commands/catalogue-export'
import { catalogueImport } from './commands/catalogue-import'
import { catalogueLoad } from './commands/catalogue-load'
import { catalogueSearch } from './commands/catalogue-search'
import { catalogueStatus } from './commands/catalogue-status'
import { check } from './commands/check'
import { demo } from './commands/demo'
import { doctor } from './commands/doctor'
import { healthcheck } from './commands/healthcheck'
import { inviteCreate, inviteList, inviteWithdraw } from './commands/invite'
import { migrateStatus, migrateUp } from './commands/migrate'
import { serve } from './commands/serve'
import { setupUrl } from './commands/setup-url'
import { tokenCreate, tokenList, tokenRevoke } from './commands/token'
import { userCreate, userList } from './commands/user'
import { userDelete } from './commands/user-delete'
import { userExport } from './commands/user-export'
import { userSocial } from './commands/user-social'
import { userStanding } from './commands/user-standing'
import { userTwoStepOff } from './commands/user-two-step-off'
import { commandsIn, findCommand } from './find-command'
import { helpOn, listOf, overview } from './help'

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
  catalogueLoad,
  catalogueStatus,
  catalogueSearch,
  demo,
  migrateStatus,
  migrateUp,
  check,
  doctor,
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
