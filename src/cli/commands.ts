import type { Command } from './command'
import { appCreate, appList, appRevoke } from './commands/app'
import { backupCreate } from './commands/backup/create'
import { backupList } from './commands/backup/list'
import { backupPrune } from './commands/backup/prune'
import { backupRestore } from './commands/backup/restore'
import { backupSend } from './commands/backup/send'
import { backupVerify } from './commands/backup/verify'
import { catalogueExport } from './commands/catalogue/export'
import { catalogueImport } from './commands/catalogue/import'
import { catalogueLoad } from './commands/catalogue/load'
import { catalogueSearch } from './commands/catalogue/search'
import { catalogueSourcesDisable, catalogueSourcesEnable } from './commands/catalogue/source-setting'
import { catalogueSources } from './commands/catalogue/sources'
import { catalogueStatus } from './commands/catalogue/status'
import { catalogueUpdate } from './commands/catalogue/update'
import { check } from './commands/check'
import { completionCommand } from './commands/completion'
import { configShow } from './commands/config-show'
import { configValidate } from './commands/config-validate'
import { demo } from './commands/demo'
import { healthcheck } from './commands/healthcheck'
import { userImport } from './commands/import/user-import'
import { userImports } from './commands/import/user-imports'
import { userUndoImport } from './commands/import/user-undo-import'
import { inviteCreate, inviteList, inviteWithdraw } from './commands/invite'
import { manCommand } from './commands/man'
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
import { versionCommand } from './commands/version'
import { doctor } from './doctor/doctor'
import { commandsIn, findCommand } from './find-command'
import { helpOn, listOf, overview } from './help'

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
  userImport,
  userImports,
  userUndoImport,
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
  catalogueUpdate,
  catalogueSourcesEnable,
  catalogueSourcesDisable,
  catalogueSources,
  demo,
  backupCreate,
  backupList,
  backupVerify,
  backupPrune,
  backupRestore,
  backupSend,
  migrateStatus,
  migrateUp,
  check,
  doctor,
  healthcheck,
  completionCommand(() => commands),
  manCommand(() => commands),
  configShow,
  configValidate,
  versionCommand,
  help,
]

function helpFor(words: readonly string[]): string {
  const [first] = words
  if (first === undefined) return overview(commands)
  const group = words.length === 1 ? commandsIn(commands, first) : []
  return group.length > 0 ? listOf(group) : helpOn(findCommand(commands, words).command)
}
