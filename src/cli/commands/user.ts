import { passwordCost } from '../../accounts/account/password'
import { createUser } from '../../accounts/account/user'
import { listUsers } from '../../accounts/account/user-rows'
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

export const userCreate: Command = {
  name: 'user create',
  summary: 'Creates a user.',
  operands: [{ name: 'USERNAME' }],
  options: [email, name, admin, passwordStdin],
  examples: [
    'kiroku user create mio --email mio@example.com --admin',
    'kiroku user create ritsu --email ritsu@example.com --name 律 --password-stdin < password.txt',
  ],
  run: async (call) => {
    const [username = ''] = call.operands
    const account = { username, email: call.get(email), name: call.get(name), isAdmin: call.get(admin) }
    const password = await readPassword(call.get(passwordStdin))
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

async function printUsers(call: CliCall, users: Awaited<ReturnType<typeof listUsers>>): Promise<void> {
  const shown = users.map(({ is_admin, disabled_at, created_at, ...user }) => ({
    ...user,
    admin: is_admin === 1,
    disabled: disabled_at !== null,
    created_at: isoTime(created_at),
  }))
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('there are no users yet: see kiroku help user create')
  const rows = shown.map((user) => [user.username, user.name, user.email, standing(user), user.created_at])
  await call.print(table([['USERNAME', 'NAME', 'EMAIL', 'STANDING', 'CREATED'], ...rows]))
}

function standing({ admin, disabled }: { admin: boolean; disabled: boolean }): string {
  if (disabled) return 'disabled'
  return admin ? 'admin' : 'user'
}
