import { describe, expect, test } from 'bun:test'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { allCommands, commands as listedCommands } from '../../src/cli/commands'
import { checkSecret } from '../../src/lib/secret'
import { version } from '../../src/version'
import { output, run } from '../support/in-process'
import { type Directory, spawn, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { preparedDirectory } from '../support/prepared-directory'

const commands = await allCommands()

const password = { input: 'correct horse\n' }
const makeUser = (directory: Directory, username: string, ...more: string[]) =>
  output(
    directory,
    ['user', 'create', username, '--email', `${username}@example.com`, '--password-stdin', ...more],
    password,
  )
const makeToken = (directory: Directory, username: string, ...more: string[]) =>
  output(directory, ['token', 'create', username, '--description', 'shell', ...more])
const listed = async (directory: Directory, ...args: string[]) =>
  JSON.parse(await output(directory, [...args, '--json']))

describe('64 and one line for arguments that cannot be understood:', () => {
  const wrong: [string, string][] = [
    ['frobnicate', 'unknown command "frobnicate"; see kiroku help'],
    [
      'user',
      'user needs one of create, list, delete, export, import, imports, undo-import, two-step-off, promote, demote, editor, disable, enable, reset-password, link, unlink, sign-in-link, sign-ins, follow, unfollow, mute, unmute; see kiroku help user',
    ],
    ['token frob', 'token needs one of create, list, revoke, not "frob"; see kiroku help token'],
    ['--frob', 'unknown option --frob; see kiroku help serve'],
    ['serve extra', 'unexpected argument "extra"; see kiroku help serve'],
    ['serve --port', '--port needs a value'],
    ['serve --port nought', '--port must be a whole number from 0 to 65535, not "nought"'],
    ['serve --no-catalogue=1', '--no-catalogue does not take an argument; see kiroku help serve'],
    ['serve --json', 'unknown option --json; see kiroku help serve'],
    ['user list --port 3000', 'unknown option --port; see kiroku help user list'],
    ['user create', 'USERNAME is missing; see kiroku help user create'],
    ['user create mio --password-stdin', '--email is missing; see kiroku help user create'],
    ['user create mio --email mio@example.com', '--password-stdin is missing'],
    ['user create mio --email mio --password-stdin', 'the e-mail address must look like'],
    ['user create m.io --email mio@example.com --password-stdin', 'the username must be'],
    ['token create mio', '--description is missing; see kiroku help token create'],
    ['token create mio --description', '--description needs a value'],
    ['token create mio --description=', '--description must not be empty'],
    ['token create mio --description x --scope admin', '--scope must be read, write or read write'],
    ['token create mio --description x --expires-in 30', '--expires-in must be a time such as'],
    ['token create mio --description x --expires-in 99999d', '--expires-in must be a time such as'],
    ['token revoke mio', 'ID must be the number'],
    ['version 2', 'unexpected argument "2"; see kiroku help version'],
    ['help frob', 'unknown command "frob"; see kiroku help'],
  ]
  test.each(wrong)('kiroku %s', async (line, words) => {
    using directory = temporaryDirectory()
    const { code, stdout, stderr } = await run(directory, line.split(' '), password)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toStartWith(`kiroku: ${words}`)
    expect(stderr).toEndWith('\n')
    expect(stderr.trimEnd()).not.toContain('\n')
  })
})

test('a password that is not text or too short is 64', async () => {
  using directory = await preparedDirectory()
  for (const input of ['', 'short\n', 'two\nlines of it\n']) {
    const ended = await run(directory, ['user', 'create', 'mio', '--email', 'a@b.jp', '--password-stdin'], {
      input,
    })
    expect([input, ended.code, ended.stderr]).toEqual([
      input,
      64,
      expect.stringContaining('the password must'),
    ])
  }
})

test('78 for an invalid configuration', async () => {
  using directory = temporaryDirectory()
  writeFileSync(directory.file('file'), '')
  writeFileSync(directory.file('bad.toml'), 'prot = 1')
  const wrong: [string[], Record<string, string>, string][] = [
    [['serve'], { KIROKU_PORT: 'x' }, 'KIROKU_PORT must be'],
    [['user', 'list', '--config', directory.file('bad.toml')], {}, 'unknown key prot'],
    [['setup-url', '--data', directory.file('file')], {}, 'cannot use the data directory'],
    [['setup-url', '--data', '/proc/none'], {}, 'cannot use the data directory'],
    [
      ['serve', '--port', '0', '--host', '192.0.2.1', '--no-catalogue'],
      {},
      'cannot listen on port 0 of 192.0.2.1',
    ],
  ]
  for (const [args, env, words] of wrong) {
    const { code, stderr } = await run(directory, args, { env })
    expect([args, code, stderr]).toEqual([args, 78, expect.stringContaining(words)])
    expect(stderr.trimEnd()).not.toContain('\n')
  }
})

test('a stack trace is shown only with --verbose', async () => {
  using directory = await preparedDirectory()
  const { code, stderr } = await run(directory, ['token', 'list', 'nobody', '--verbose'])
  expect([code, stderr]).toEqual([
    65,
    expect.stringMatching(/^kiroku: there is no user called "nobody"\n.*\n +at /),
  ])
})

test('a command is loaded by its name', () => {
  expect(commands.map(({ name }) => name)).toEqual(listedCommands.map(({ name }) => name))
})

test('help knows every command, its options and its usage', async () => {
  using directory = temporaryDirectory()
  const all = await output(directory, ['help'])
  for (const { name, summary } of commands)
    expect(all).toMatch(new RegExp(`^  ${name} +${RegExp.escape(summary)}$`, 'm'))
  expect(await output(directory, ['--help'])).toBe(all)
  expect(await output(directory, ['help', 'token'])).toContain('token revoke')
  expect(await output(directory, ['user', '--help'])).toBe(await output(directory, ['help', 'user']))
})

test.each(commands.map(({ name }) => name))('kiroku %s --help is kiroku help with its name', async (name) => {
  using directory = temporaryDirectory()
  const command = commands.find((candidate) => candidate.name === name)
  const text = await output(directory, ['help', ...name.split(' ')])
  for (const option of command?.options ?? []) expect(text).toContain(`--${option.name}`)
  for (const operand of command?.operands ?? []) expect(text).toContain(operand.name)
  for (const example of command?.examples ?? []) expect(text).toContain(example)
  expect(text).toContain(`Usage: kiroku ${name}`)
  expect(await output(directory, [...name.split(' '), '--help'])).toBe(text)
})

test('options that every command accepts may come before the command', async () => {
  using directory = temporaryDirectory()
  const other = directory.file('other')
  await output(directory, ['--data', other, 'migrate', 'up'])
  for (const options of [['--data', other], [`--data=${other}`], ['--verbose', '--data', other]])
    expect(await output(directory, [...options, 'user', 'list', '--json'])).toBe('[]\n')
  expect(existsSync(directory.file('data'))).toBe(false)
})

test('version prints the commit it was built from, if known', async () => {
  using directory = temporaryDirectory()
  const shown = await output(directory, ['version'])
  const told = JSON.parse(await output(directory, ['version', '--json']))
  expect(told).toMatchObject({ version, bun: Bun.version, platform: `${process.platform}-${process.arch}` })
  expect(shown).toBe(`kiroku ${version}${told.commit === null ? '' : ` (${told.commit})`}\n`)
  expect(await output(directory, ['--version'])).toBe(shown)
})

test('new files and directories are readable only by their owner', async () => {
  using directory = temporaryDirectory()
  await makeUser(directory, 'mio')
  expect(statSync(directory.file('data')).mode & 0o777).toBe(0o700)
  for (const name of ['kiroku.db', 'kiroku.lock']) {
    expect(statSync(directory.file(`data/${name}`)).mode & 0o777).toBe(0o600)
  }
})

test('users are created, listed, and not created twice', async () => {
  using directory = await preparedDirectory()
  expect(await makeUser(directory, 'mio', '--name', '澪', '--admin')).toBe('created the user mio\n')
  await makeUser(directory, 'ritsu')
  const users = await listed(directory, 'user', 'list')
  expect(users).toEqual([
    {
      id: 1,
      username: 'mio',
      name: '澪',
      email: 'mio@example.com',
      ...{ sign_in: ['password'], admin: true, editor: false, disabled: false },
      created_at: time,
    },
    {
      id: 2,
      username: 'ritsu',
      name: 'ritsu',
      email: 'ritsu@example.com',
      ...{ sign_in: ['password'], admin: false, editor: false, disabled: false },
      created_at: time,
    },
  ])
  expect((await output(directory, ['user', 'list'])).split('\n')[1]).toMatch(
    /^mio +澪 +mio@example\.com +admin +\d{4}-/,
  )
  const again = await run(
    directory,
    ['user', 'create', 'MIO', '--email', 'x@y.z', '--password-stdin'],
    password,
  )
  expect(again).toEqual({ code: 65, stdout: '', stderr: 'kiroku: the username MIO is already taken\n' })
})

test('D69: a token created without --scope may only read', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  await makeToken(directory, 'mio')
  expect(await listed(directory, 'token', 'list', 'mio')).toMatchObject([{ scope: 'read' }])
  expect(await output(directory, ['help', 'token', 'create'])).toContain('Default: read.')
})

test('D49: a token is printed alone, listed without its text, and revoked by its id', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const token = await makeToken(directory, 'MIO', '--scope', 'read write', '--expires-in', '30d')
  expect(token).toMatch(/^kir_pat_[0-9A-Za-z]{49}\n$/)
  expect(checkSecret('pat', token.trim())).toBe(true)
  await makeToken(directory, 'mio')
  const [first, second] = await listed(directory, 'token', 'list', 'mio')
  expect(first).toEqual({
    id: 1,
    description: 'shell',
    scope: 'read write',
    created_at: time,
    expires_at: new Date(Date.parse(first.created_at) + 30 * 86_400_000).toISOString(),
    last_used_at: null,
  })
  expect(second).toMatchObject({ id: 2, scope: 'read', expires_at: null })
  expect(await output(directory, ['token', 'revoke', '1'])).toBe('revoked the token 1\n')
  expect(await listed(directory, 'token', 'list', 'mio')).toEqual([second])
  expect(await run(directory, ['token', 'revoke', '1'])).toEqual({
    code: 65,
    stdout: '',
    stderr: 'kiroku: there is no token 1\n',
  })
  expect((await run(directory, ['token', 'create', 'yui', '--description', 'x'])).code).toBe(65)
})

test('the configuration file of the data directory and KIROKU_DATA are used', async () => {
  using directory = temporaryDirectory()
  await makeUser(directory, 'mio', '--data', directory.file('elsewhere'))
  const env = { KIROKU_DATA: directory.file('elsewhere') }
  expect(JSON.parse(await output(directory, ['user', 'list', '--json'], { env }))).toHaveLength(1)
  writeFileSync(directory.file('elsewhere/kiroku.toml'), 'frob = true')
  expect((await run(directory, ['user', 'list'], { env })).code).toBe(78)
})

test('a reader that stops early is not a failure', async () => {
  using directory = temporaryDirectory()
  const child = spawn(directory, ['help'])
  await child.stdout.cancel()
  expect(await child.exited).toBe(0)
  expect(await child.stderr.text()).toBe('')
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
