import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { databasePath } from '../../src/db/open'
import { output, run } from '../support/in-process'
import { preparedDirectory } from '../support/prepared-directory'

const env = { KIROKU_OIDC_ISSUER: 'https://id.example/', KIROKU_OIDC_CLIENT_ID: 'kiroku' }

test('D102: the operator connects a user with a person at a provider, and disconnects them', async () => {
  using directory = await preparedDirectory()
  for (const name of ['mio', 'ritsu'])
    await output(directory, ['user', 'create', name, '--email', `${name}@example.com`, '--no-password'])
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(directory, ['user', ...args], { env })
    return [code, (stdout + stderr).trim()]
  }
  const rows = () => {
    using handle = new Database(databasePath(directory.file('data')), { readonly: true })
    return handle
      .query('select username, issuer, subject from identities join users on users.id = user_id')
      .values()
  }
  const link = (name: string, sub: string, provider = 'oidc') =>
    call('link', name, '--provider', provider, '--subject', sub)
  expect(await link('mio', 'sub-1')).toEqual([0, 'mio is connected with https://id.example'])
  expect(await link('mio', 'sub-1')).toEqual([0, 'mio was connected already with https://id.example'])
  expect(await link('ritsu', 'sub-1')).toEqual([65, expect.stringContaining('connected with another user')])
  expect(await link('mio', 'sub-2')).toEqual([65, expect.stringContaining('another person there')])
  expect(await link('ritsu', 'sub-3', 'home')).toEqual([
    65,
    'kiroku: there is no provider called "home"; configured: oidc',
  ])
  expect(await link('azusa', 'sub-3')).toEqual([65, expect.stringContaining('no user called "azusa"')])
  expect((await link('mio', ''))[0]).toBe(64)
  expect((await call('link', 'mio', '--provider', 'oidc'))[0]).toBe(64)
  expect(rows()).toEqual([['mio', 'https://id.example', 'sub-1']])
  const listed = JSON.parse(await output(directory, ['user', 'list', '--json'], { env }))
  expect(
    listed.map(({ username, sign_in }: { username: string; sign_in: string[] }) => [username, sign_in]),
  ).toEqual([
    ['mio', ['provider']],
    ['ritsu', []],
  ])
  expect(await call('unlink', 'ritsu', '--provider', 'oidc')).toEqual([
    65,
    expect.stringContaining('is not connected'),
  ])
  expect((await call('unlink', 'mio', '--provider', 'oidc', '--subject', 'sub-9'))[0]).toBe(65)
  expect(await call('unlink', 'mio', '--provider', 'https://id.example')).toEqual([
    ...[0, 'mio is no longer connected with https://id.example'],
  ])
  expect(rows()).toEqual([])
})
