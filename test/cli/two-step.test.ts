import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { databasePath } from '../../src/db/open'
import { output, run } from '../support/in-process'
import { type Directory, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { startSmtp } from '../support/smtp'

function open(directory: Directory) {
  return new Database(databasePath(directory.file('data')))
}

const usernames = async (directory: Directory) =>
  JSON.parse(await output(directory, ['user', 'list', '--json'])).map(
    ({ username }: { username: string }) => username,
  )

test('kiroku user two-step-off accepts only users who have it on', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const unknown = await run(directory, ['user', 'two-step-off', 'yui'])
  expect([unknown.code, unknown.stderr]).toEqual([65, 'kiroku: there is no user called "yui"\n'])
  const off = await run(directory, ['user', 'two-step-off', 'mio'])
  expect([off.code, off.stderr]).toEqual([65, 'kiroku: two-step verification is not on for mio\n'])
  using database = open(directory)
  database.run('insert into second_factors (user_id, secret, confirmed_at) values (1, zeroblob(20), 1)')
  database.run('insert into recovery_codes (user_id, code_hash) values (1, zeroblob(32))')
  expect(await output(directory, ['user', 'two-step-off', 'mio'])).toBe(
    'turned two-step verification off for mio\n',
  )
  for (const table of ['second_factors', 'recovery_codes'])
    expect(database.query(`select * from ${table}`).all()).toEqual([])
})

describe('kiroku user two-step-off informs the owner by letter (ASVS 6.3.7)', () => {
  /** Turns it on for `mio` and off by the command; returns what that printed. */
  async function turnOff(directory: Directory, env: Record<string, string>, proved = true) {
    await withUsers(directory, 'mio')
    using database = open(directory)
    database.run('insert into second_factors (user_id, secret, confirmed_at) values (1, zeroblob(20), 1)')
    if (!proved) database.run('update users set email_key = null')
    const { code, stdout, stderr } = await run(directory, ['user', 'two-step-off', 'mio'], { env })
    expect([code, stdout]).toEqual([0, 'turned two-step verification off for mio\n'])
    expect(database.query('select * from second_factors').all()).toEqual([])
    return stderr
  }

  test('or says why not: no mail server, an unconfirmed address, or an unreachable server', async () => {
    const mail = { KIROKU_SMTP_URL: 'smtp://127.0.0.1:1' }
    for (const [env, proved, why] of [
      [{}, true, 'no letter was sent to mio: no mail server is set (--smtp-url)\n'],
      [mail, false, 'no letter was sent to mio: the e-mail address is not confirmed\n'],
      [mail, true, expect.stringMatching(/^the letter to mio could not be sent: \S+\n$/)],
    ] as const) {
      using directory = temporaryDirectory()
      expect(await turnOff(directory, env, proved)).toEqual(why)
    }
  }, 60_000)

  test('with the instance’s address', async () => {
    using directory = temporaryDirectory()
    using smtp = startSmtp()
    const env = { KIROKU_SMTP_URL: smtp.url, KIROKU_BASE_URL: 'https://kiroku.example' }
    expect(await turnOff(directory, env)).toBe('a letter tells mio\n')
    expect(smtp.letters.map(({ to }) => to)).toEqual(['mio@example.com'])
    expect(smtp.letters[0]?.head).toContain('kiroku@kiroku.example')
    expect(smtp.letters[0]?.text).toContain('turned off for the account mio at https://kiroku.example.')
  })

  test('and turns nothing off if the instance’s address is not known', async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio')
    using database = open(directory)
    database.run('insert into second_factors (user_id, secret, confirmed_at) values (1, zeroblob(20), 1)')
    const env = { KIROKU_SMTP_URL: 'smtp://127.0.0.1:1', KIROKU_PORT: '0' }
    const { code } = await run(directory, ['user', 'two-step-off', 'mio'], { env })
    expect(code).toBe(78)
    expect(database.query('select * from second_factors').all()).toHaveLength(1)
  })
})

describe('kiroku user delete', () => {
  test('refuses an unknown user and the only administrator: 65', async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio')
    const unknown = await run(directory, ['user', 'delete', 'yui'])
    expect([unknown.code, unknown.stderr]).toEqual([65, 'kiroku: there is no user called "yui"\n'])
    using database = open(directory)
    database.run('update users set is_admin = 1')
    const { code, stderr } = await run(directory, ['user', 'delete', 'mio'])
    const why = 'kiroku: this is the only administrator: make someone else an administrator first\n'
    expect([code, stderr]).toEqual([65, why])
    expect(await usernames(directory)).toEqual(['mio'])
  })

  test('deletes a user, whatever the case of the name, or leaves an account without a name', async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio', 'ritsu')
    expect(await output(directory, ['user', 'delete', 'MIO'])).toBe('deleted the user MIO\n')
    expect(await output(directory, ['user', 'delete', 'ritsu', '--keep-comments'])).toBe(
      'deleted the user ritsu; what they wrote is under deleted_2 now\n',
    )
    expect(await usernames(directory)).toEqual(['deleted_2'])
    expect(await output(directory, ['check'])).not.toContain('problem')
  })

  test('a starting server completes an interrupted deletion', async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio')
    using database = open(directory)
    database.run('insert into deletions (user_id, keeps_comments, begun_at) values (1, 0, 1)')
    await using server = await startServer(directory)
    const left = () => database.query('select id from users').values().length
    while (left() > 0) await fetch(`${server.url}/livez`)
    const { stderr } = await server.end('SIGTERM')
    expect(stderr).toContain('account_deleted')
  })
})
