import type { Command } from './command'
import { serve } from './commands/serve'
import { commandsIn, findCommand } from './find-command'
import { helpOn, listOf, overview } from './help'

/** A command by name; the rest of it is loaded only when it is used, since loading them all takes 40 ms. */
export interface Listed {
  readonly name: string
  load(): Promise<Command>
}

const help: Command = {
  name: 'help',
  summary: 'Lists the commands, or describes one of them.',
  operands: [{ name: 'COMMAND', optional: true, rest: true }],
  options: [],
  examples: ['kiroku help', 'kiroku help token create'],
  run: async (call) => call.print(helpFor(await allCommands(), call.operands)),
}

const loaders: Readonly<Record<string, Listed['load']>> = {
  serve: async () => serve,
  'setup-url': async () => (await import('./commands/setup-url')).setupUrl,
  'user create': async () => (await import('./commands/user')).userCreate,
  'user list': async () => (await import('./commands/user')).userList,
  'user delete': async () => (await import('./commands/user-delete')).userDelete,
  'user export': async () => (await import('./commands/user-export')).userExport,
  'user import': async () => (await import('./commands/import/user-import')).userImport,
  'user imports': async () => (await import('./commands/import/user-imports')).userImports,
  'user undo-import': async () => (await import('./commands/import/user-undo-import')).userUndoImport,
  'user two-step-off': async () => (await import('./commands/user-two-step-off')).userTwoStepOff,
  'user promote': async () => (await import('./commands/user-standing')).userPromote,
  'user demote': async () => (await import('./commands/user-standing')).userDemote,
  'user editor': async () => (await import('./commands/user-standing')).userEditor,
  'user disable': async () => (await import('./commands/user-standing')).userDisable,
  'user enable': async () => (await import('./commands/user-standing')).userEnable,
  'user reset-password': async () => (await import('./commands/user-standing')).userResetPassword,
  'user link': async () => (await import('./commands/user-link')).userLink,
  'user unlink': async () => (await import('./commands/user-link')).userUnlink,
  'user sign-in-link': async () => (await import('./commands/user-standing')).userSignInLink,
  'user sign-ins': async () => (await import('./commands/user')).userSignIns,
  'user follow': async () => (await import('./commands/user-social')).userFollow,
  'user unfollow': async () => (await import('./commands/user-social')).userUnfollow,
  'user mute': async () => (await import('./commands/user-social')).userMute,
  'user unmute': async () => (await import('./commands/user-social')).userUnmute,
  'invite create': async () => (await import('./commands/invite')).inviteCreate,
  'invite list': async () => (await import('./commands/invite')).inviteList,
  'invite withdraw': async () => (await import('./commands/invite')).inviteWithdraw,
  'token create': async () => (await import('./commands/token')).tokenCreate,
  'token list': async () => (await import('./commands/token')).tokenList,
  'token revoke': async () => (await import('./commands/token')).tokenRevoke,
  'feed create': async () => (await import('./commands/feed')).feedCreate,
  'feed list': async () => (await import('./commands/feed')).feedList,
  'feed revoke': async () => (await import('./commands/feed')).feedRevoke,
  'hook create': async () => (await import('./commands/hook')).hookCreate,
  'hook list': async () => (await import('./commands/hook')).hookList,
  'hook revoke': async () => (await import('./commands/hook')).hookRevoke,
  'hook test': async () => (await import('./commands/hook')).hookTest,
  'mapping import': async () => (await import('./commands/mapping')).mappingImport,
  'mapping status': async () => (await import('./commands/mapping')).mappingStatus,
  'mapping remove': async () => (await import('./commands/mapping')).mappingRemove,
  'app create': async () => (await import('./commands/app')).appCreate,
  'app list': async () => (await import('./commands/app')).appList,
  'app revoke': async () => (await import('./commands/app')).appRevoke,
  'catalogue import': async () => (await import('./commands/catalogue/import')).catalogueImport,
  'catalogue corrections': async () =>
    (await import('./commands/catalogue/corrections')).catalogueCorrections,
  'catalogue export': async () => (await import('./commands/catalogue/export')).catalogueExport,
  'catalogue load': async () => (await import('./commands/catalogue/load')).catalogueLoad,
  'catalogue status': async () => (await import('./commands/catalogue/status')).catalogueStatus,
  'catalogue search': async () => (await import('./commands/catalogue/search')).catalogueSearch,
  'catalogue update': async () => (await import('./commands/catalogue/update')).catalogueUpdate,
  'catalogue sources enable': async () =>
    (await import('./commands/catalogue/source-setting')).catalogueSourcesEnable,
  'catalogue sources disable': async () =>
    (await import('./commands/catalogue/source-setting')).catalogueSourcesDisable,
  'catalogue sources': async () => (await import('./commands/catalogue/sources')).catalogueSources,
  demo: async () => (await import('./commands/demo')).demo,
  'backup create': async () => (await import('./commands/backup/create')).backupCreate,
  'backup list': async () => (await import('./commands/backup/list')).backupList,
  'backup verify': async () => (await import('./commands/backup/verify')).backupVerify,
  'backup prune': async () => (await import('./commands/backup/prune')).backupPrune,
  'backup restore': async () => (await import('./commands/backup/restore')).backupRestore,
  'backup send': async () => (await import('./commands/backup/send')).backupSend,
  'migrate status': async () => (await import('./commands/migrate')).migrateStatus,
  'migrate up': async () => (await import('./commands/migrate')).migrateUp,
  check: async () => (await import('./commands/check')).check,
  doctor: async () => (await import('./doctor/doctor')).doctor,
  healthcheck: async () => (await import('./commands/healthcheck')).healthcheck,
  completion: async () => (await import('./commands/completion')).completionCommand(allCommands),
  man: async () => (await import('./commands/man')).manCommand(allCommands),
  'config show': async () => (await import('./commands/config-show')).configShow,
  'config validate': async () => (await import('./commands/config-validate')).configValidate,
  version: async () => (await import('./commands/version')).versionCommand,
  help: async () => help,
}

/** In the order of `kiroku help`. */
export const commands: readonly Listed[] = Object.entries(loaders).map(([name, load]) => ({ name, load }))

export const allCommands = async (): Promise<readonly Command[]> =>
  await Promise.all(commands.map(({ load }) => load()))

function helpFor(all: readonly Command[], words: readonly string[]): string {
  const [first] = words
  if (first === undefined) return overview(all)
  const group = words.length === 1 ? commandsIn(all, first) : []
  return group.length > 0 ? listOf(group) : helpOn(findCommand(all, words).command)
}
