import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { databasePath } from '../../src/db/open'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { preparedDirectory } from '../support/prepared-directory'
import { startSmtp } from '../support/smtp'
import { hiddenInputs } from '../support/visitor'

const makeUser = (directory: Directory, username: string, ...more: string[]) =>
  output(
    directory,
    ['user', 'create', username, '--email', `${username}@example.com`, '--password-stdin', ...more],
    { input: 'correct horse\n' },
  )
const runSql = (directory: Directory, sql: string) => {
  using database = new Database(databasePath(directory.file('data')))
  database.run(sql)
}
const rowsOf = (directory: Directory, sql: string) => {
  using database = new Database(databasePath(directory.file('data')))
  return database.query(sql).all()
}
const kiroku = async (directory: Directory, line: string) => {
  const { code, stdout, stderr } = await run(directory, line.split(' '))
  return [code, (stdout + stderr).trim()] as const
}
const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status

describe('D51: the set-up URL', () => {
  test('is printed at the first start, replaced by setup-url, and refused once an administrator exists', async () => {
    using directory = temporaryDirectory()
    await using server = await startServer(directory)
    const own = ['--base-url', server.url]
    const first = (await output(directory, ['setup-url', ...own])).trim()
    expect(first).toMatch(new RegExp(`^${server.url}/setup/kir_ln_\\w{49}$`))
    const second = (await output(directory, ['setup-url', ...own])).trim()
    expect([await status(first), await status(second)]).toEqual([404, 200])
    await makeUser(directory, 'mio', '--admin')
    expect(await status(second)).toBe(404)
    expect(await kiroku(directory, 'setup-url')).toEqual([65, expect.stringContaining('user reset-password')])
    const { stdout, stderr } = await server.end('SIGTERM')
    const printed = /setup\/(kir_ln_\w{49})/.exec(stdout)?.[1] ?? 'none'
    expect(printed).not.toBe(first.slice(-56))
    for (const link of [printed, first.slice(-56), second.slice(-56)]) expect(stderr).not.toContain(link)
  })

  test('starts with the configured base URL; none is printed if the port is not known', async () => {
    using directory = await preparedDirectory()
    expect(await kiroku(directory, 'setup-url --port 0')).toEqual([78, expect.stringContaining('--base-url')])
    const [code, url] = await kiroku(directory, 'setup-url --base-url https://kiroku.example/log/')
    expect([code, url]).toEqual([0, expect.stringMatching(/^https:\/\/kiroku\.example\/log\/setup\/kir_ln_/)])
    const [, local] = await kiroku(directory, 'setup-url --host 0.0.0.0 --port 8080')
    expect(local).toStartWith('http://0.0.0.0:8080/setup/')
  })
})

test('the server warns if it is reached by http from other machines, but not over loopback or https (§2.2)', async () => {
  for (const [args, warns] of [
    [['--base-url', 'http://kiroku.example'], true],
    [['--base-url', 'https://kiroku.example'], false],
    [[], false],
  ] as const) {
    using directory = await preparedDirectory()
    await using server = await startServer(directory, args)
    const { stderr } = await server.end('SIGTERM')
    expect([args, stderr.includes('"event":"insecure"')]).toEqual([args, warns])
  }
})

test('an operator creates, lists and withdraws invitations', async () => {
  using directory = await preparedDirectory()
  for (const wrong of ['--uses 0', '--uses 1001', '--uses x', '--expires-in 7', '--expires-in never'])
    expect([wrong, (await kiroku(directory, `invite create ${wrong}`))[0]]).toEqual([wrong, 64])
  const [code, url] = await kiroku(directory, 'invite create --uses 3 --expires-in 1d --note club')
  expect([code, url]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitations\/kir_iv_\w{49}$/),
  ])
  const [invitation] = JSON.parse(await output(directory, ['invite', 'list', '--json']))
  expect(invitation).toMatchObject({ id: 1, note: 'club', uses_left: 3, used_count: 0, created_by: null })
  expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(86_400_000)
  expect(await output(directory, ['invite', 'list'])).not.toContain('kir_iv')
  expect(await kiroku(directory, 'invite withdraw 2')).toEqual([65, 'kiroku: there is no invitation 2'])
  expect((await kiroku(directory, 'invite withdraw one'))[0]).toBe(64)
  expect(await kiroku(directory, 'invite withdraw 1')).toEqual([0, 'withdrew the invitation 1'])
  expect((await kiroku(directory, 'invite list'))[1]).toContain('there are no invitations')
}, 60_000)

test('an operator promotes, demotes, disables and enables users, never the last administrator', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio', 'ritsu')
  runSql(directory, "update users set is_admin = 1 where username = 'mio'")
  const last = [65, 'kiroku: mio is the last administrator: promote another user first']
  expect(await kiroku(directory, 'user disable nobody')).toEqual([
    65,
    expect.stringContaining('no user called'),
  ])
  expect(await kiroku(directory, 'user demote mio')).toEqual(last as never)
  expect(await kiroku(directory, 'user disable mio')).toEqual(last as never)
  expect(await kiroku(directory, 'user promote RITSU')).toEqual([0, 'RITSU is an administrator'])
  expect(await kiroku(directory, 'user promote ritsu')).toEqual([0, 'ritsu is an administrator already'])
  expect(await kiroku(directory, 'user demote mio')).toEqual([0, 'mio is no administrator'])
  expect(await kiroku(directory, 'user editor mio')).toEqual([0, 'mio is an editor'])
  expect(rowsOf(directory, 'select username from users where is_editor = 1')).toEqual([{ username: 'mio' }])
  expect(await kiroku(directory, 'user editor mio --off')).toEqual([0, 'mio is no editor'])
  const token = (await output(directory, ['token', 'create', 'mio', '--description', 'x'])).trim()
  await using server = await startServer(directory)
  const asks = async () =>
    (await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await asks()).toBe(200)
  expect(await kiroku(directory, 'user disable mio')).toEqual([0, 'mio is disabled'])
  expect(await asks()).toBe(401)
  expect(await kiroku(directory, 'user enable mio')).toEqual([0, 'mio is enabled'])
  expect(await asks()).toBe(200)
  // As administrators do it, for the same log.
  expect(await kiroku(directory, 'user disable mio --hide --reason Advertising')).toEqual([
    0,
    'mio is disabled',
  ])
  const logged = 'select kind, moderator_id, privacy, reason, undone_by from moderations'
  expect(rowsOf(directory, logged)).toEqual([
    { kind: 'suspend', moderator_id: 0, privacy: null, reason: '', undone_by: 0 },
    { kind: 'suspend', moderator_id: 0, privacy: 'members', reason: 'Advertising', undone_by: null },
  ])
  expect(rowsOf(directory, "select privacy, all_hidden_by from users where username = 'mio'")).toEqual([
    { privacy: 'private', all_hidden_by: 0 },
  ])
  expect(await kiroku(directory, 'user enable mio')).toEqual([0, 'mio is enabled'])
  expect(rowsOf(directory, "select privacy, all_hidden_by from users where username = 'mio'")).toEqual([
    { privacy: 'members', all_hidden_by: null },
  ])
  expect(rowsOf(directory, 'select * from privacy_moves')).toEqual([])
  const [code, url] = await kiroku(directory, `user reset-password mio --base-url ${server.url}`)
  expect([code, await status(url)]).toEqual([0, 200])
  expect(await status(url.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')))).toBe(404)
}, 60_000)

test('a password costs 64 MiB and two passes, whether given to a command or on a page (§2.1)', async () => {
  using directory = await preparedDirectory()
  const create = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
  await output(directory, create, { input: 'correct horse\n', costlyPasswords: true })
  using database = new Database(databasePath(directory.file('data')), { readonly: true })
  const hash = () => String(database.query('select password_hash from users').values()[0]?.[0])
  const made = hash()
  await using server = await startServer(directory)
  const url = (await output(directory, ['user', 'reset-password', 'mio', '--base-url', server.url])).trim()
  const form = await fetch(url)
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const hidden = hiddenInputs(await form.text(), new URL(url).pathname)
  const body = new URLSearchParams({ ...hidden, password: 'another horse battery' })
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  expect(hash()).not.toBe(made)
  for (const one of [made, hash()]) expect(one).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
})

test('mail is sent, and tried once more when the server stops', async () => {
  using directory = temporaryDirectory()
  using smtp = startSmtp({ refuse: [451] })
  await withUsers(directory, 'mio')
  await using server = await startServer(directory, [], { env: { KIROKU_SMTP_URL: smtp.url } })
  const target = `${server.url}/reset_password`
  const form = await fetch(target)
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const body = new URLSearchParams({ ...hiddenInputs(await form.text(), '/reset_password'), name: 'mio' })
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  expect((await fetch(target, { method: 'POST', body, headers })).status).toBe(200)
  await smtp.refused
  expect((await server.end('SIGTERM')).code).toBe(0)
  const [letter] = smtp.letters
  expect([letter?.to, letter?.text]).toEqual([
    'mio@example.com',
    expect.stringContaining(`${target}/kir_ln_`),
  ])
})

describe('D104: an account without a password', () => {
  test('is created without one, and its owner comes in by a link that is printed', async () => {
    using directory = await preparedDirectory()
    const made = ['user', 'create', 'yui', '--email', 'yui@example.com', '--no-password']
    expect(await output(directory, made)).toBe('created the user yui\n')
    const [user] = JSON.parse(await output(directory, ['user', 'list', '--json']))
    expect(user).toMatchObject({ username: 'yui', sign_in: [] })
    const [code, url] = await kiroku(directory, 'user sign-in-link yui --base-url https://kiroku.example/log')
    expect([code, url]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/kiroku\.example\/log\/sign_in\/link\/kir_ln_\w{49}$/),
    ])
    expect(await kiroku(directory, 'user sign-ins yui --json')).toEqual([0, '[]'])
    runSql(
      directory,
      "insert into sign_ins (user_id, at, way, outcome, user_agent, address) values (1, unixepoch() * 1000, 'link', 'ok', 'x', '192.0.2.1')",
    )
    const [, listed] = await kiroku(directory, 'user sign-ins yui --json')
    expect(JSON.parse(String(listed))).toEqual([
      { at: expect.any(String), way: 'link', provider: '', outcome: 'ok', address: '192.0.2.1' },
    ])
    const both = await run(directory, [...made, '--password-stdin'])
    expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('exclude each other')])
    await kiroku(directory, 'user disable yui')
    expect((await kiroku(directory, 'user sign-in-link yui'))[0]).toBe(65)
  })
})

test('D104: --password-sign-in off without a provider does not start (78)', async () => {
  using directory = await preparedDirectory()
  const { code, stderr } = await run(directory, ['serve', '--password-sign-in', 'off'])
  expect([code, stderr]).toEqual([78, expect.stringContaining('needs a provider')])
})

test('D100: the start warns of accounts with no way left to sign in', async () => {
  using directory = temporaryDirectory()
  await output(directory, ['user', 'create', 'yui', '--email', 'yui@example.com', '--no-password'])
  await using server = await startServer(directory, ['--no-catalogue'])
  const { stderr } = await server.end('SIGTERM')
  expect(stderr).toContain('"event":"without_way_in"')
})
