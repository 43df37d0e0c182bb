import { passwordCost } from '../../accounts/account/password'
import { createUser, findUser } from '../../accounts/account/user'
import { listUsers } from '../../accounts/account/user-rows'
import { listSignIns } from '../../accounts/sign-in/sign-ins'
import { Failure } from '../../lib/failure'
import { isoTime } from '../../lib/time'
import type { Option } from '../../options/option'
import { anyText } from '../../values/text'
import { type CliCall, type Command, flag, json } from '../command'
import { withExistingStore, withStore } from '../open'
import { readPassword } from '../password'
import { table } from '../table'

const email: Option<string> = {
  name: 'email',
  type: 'ADDRESS',
  sentence: 'The user’s e-mail address; it is never shown to others.',
  defaultText: '',
  defaultValue: '',
  required: true,
  value: anyText,
}

const name: Option<string | undefined> = {
  name: 'name',
  type: 'NAME',
  sentence: 'The displayed name.',
  defaultText: 'the username',
  defaultValue: undefined,
  value: anyText,
}

const admin = flag('admin', 'Makes the user an administrator.')
const passwordStdin = flag(
  'password-stdin',
  'Reads the password from standard input instead of asking for it.',
)

const noPassword = flag('no-password', 'Creates the user without a password: see user sign-in-link.')

export const userCreate: Command = {
  name: 'user create',
  summary: 'Creates a user.',
  operands: [{ name: 'USERNAME' }],
  options: [email, name, admin, passwordStdin, noPassword],
  examples: [
    'kiroku user create mio --email mio@example.com --admin',
    'kiroku user create ritsu --email ritsu@example.com --name 律 --password-stdin < password.txt',
    'kiroku user create azusa --email azusa@example.com --no-password',
  ],
  run: async (call) => {
    const [username = ''] = call.operands
    const account = { username, email: call.get(email), name: call.get(name), isAdmin: call.get(admin) }
    if (call.get(noPassword) && call.get(passwordStdin))
      throw new Failure('usage', '--no-password and --password-stdin exclude each other')
    const password = call.get(noPassword) ? undefined : await readPassword(call.get(passwordStdin))
    await withStore(call, async ({ write }) => {
      await createUser({ write, now: call.now, passwordCost }, { ...account, password })
    })
    await call.print(`created the user ${username}`)
  },
}

export const userList: Command = {
  name: 'user list',
  summary: 'Lists the users.',
  operands: [],
  options: [json],
  examples: ['kiroku user list', 'kiroku user list --json'],
  run: (call) =>
    withExistingStore(call, async ({ readBare }) => await printUsers(call, await listUsers(readBare))),
}

export const userSignIns: Command = {
  name: 'user sign-ins',
  summary: 'Lists the sign-ins of a user in the last 90 days, and attempts, newest first.',
  operands: [{ name: 'USERNAME' }],
  options: [json],
  examples: ['kiroku user sign-ins mio', 'kiroku user sign-ins mio --json'],
  run: (call) =>
    withExistingStore(call, async ({ readBare: read }) => {
      const [username = ''] = call.operands
      const all = await listSignIns({ read, now: call.now }, await findUser(read, username))
      await printSignIns(call, all)
    }),
}

async function printSignIns(call: CliCall, all: Awaited<ReturnType<typeof listSignIns>>): Promise<void> {
  const shown = all.map(({ at, way, provider, outcome, address }) => ({
    ...{ at: isoTime(at), way, provider, outcome, address },
  }))
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('none in the last 90 days')
  const rows = shown.map(({ at, way, provider, outcome, address }) => [at, way, provider, outcome, address])
  await call.print(table([['AT', 'WAY', 'PROVIDER', 'OUTCOME', 'ADDRESS'], ...rows]))
}

async function printUsers(call: CliCall, users: Awaited<ReturnType<typeof listUsers>>): Promise<void> {
  const shown = users.map(({ is_admin, is_editor, disabled_at, created_at, ways, ...user }) => ({
    ...user,
    sign_in: ways.split(' ').filter((way) => way !== ''),
    admin: is_admin === 1,
    editor: is_editor === 1,
    disabled: disabled_at !== null,
    created_at: isoTime(created_at),
  }))
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('there are no users yet: see kiroku help user create')
  const rows = shown.map((user) => [user.username, user.name, user.email, standing(user), user.created_at])
  await call.print(table([['USERNAME', 'NAME', 'EMAIL', 'STANDING', 'CREATED'], ...rows]))
}

function standing({
  admin,
  editor,
  disabled,
}: Readonly<Record<'admin' | 'editor' | 'disabled', boolean>>): string {
  if (disabled) return 'disabled'
  if (admin) return 'admin'
  return editor ? 'editor' : 'user'
}
