import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashPassword } from '../../../src/accounts/account/password'
import { register } from '../../support/apps'
import { enrol } from '../../support/authenticator'
import { cheapPasswords, createInstance, type Instance } from '../../support/instance'
import { createMember, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor
let application: number
const password = 'correct horse battery'

beforeAll(async () => {
  kiroku = await createInstance()
  const hash = await hashPassword(password, cheapPasswords)
  kiroku.store.handle.run("update users set is_admin = 1, password_hash = ? where username = 'mio'", [hash])
  mio = await createMember(kiroku, 'mio')
  application = (await register(kiroku, mio)).id
  await enrol(kiroku, mio)
})
afterAll(() => kiroku.close())

const token = { description: 'shell', scope: 'read' }
const client = { name: 'Stats', redirect_uri: 'https://client.example/callback', scopes: 'read' }

/** Every form whose result is shown once, and the table it is stored in. */
const makers: [string, () => string, string, Record<string, string>][] = [
  ['a personal access token (PT-01)', () => '/settings/tokens', 'tokens', token],
  ['an application (AP-03)', () => '/oauth/applications/new', 'applications', client],
  [
    'a client secret (AP-04)',
    () => `/oauth/applications/${application}/rotate`,
    'client_secrets',
    { overlap: '7' },
  ],
  ['a calendar’s address (D83)', () => '/settings/calendar', 'feeds', { name: 'Phone' }],
  ['recovery codes', () => '/settings/two_step/codes', 'recovery_codes', { password }],
  ['an invitation', () => '/admin/invitations', 'invitations', { uses: '1' }],
  ['a link for a new password', () => '/admin/users/4/reset_password', 'one_time_links', {}],
]

const rowsOf = (table: string) => kiroku.store.handle.query(`select * from ${table}`).values()
const formAt = async (path: string) => hiddenInputs((await mio.open(path)).text, path)

describe('the page that shows it once', () => {
  test.each(makers)('does not create %s again when it is reloaded', async (_, path, table, values) => {
    const sent = { ...(await formAt(path())), ...values }
    const made = await mio.post(path(), sent)
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('<div class="once">')])
    const rows = rowsOf(table)
    const reloaded = await mio.post(path(), sent)
    expect([reloaded.status, reloaded.text]).toEqual([
      409,
      expect.stringContaining('Nothing new was created'),
    ])
    expect(rowsOf(table)).toEqual(rows)
    // The form on the reloaded page is a new one.
    const again = await mio.post(path(), { ...hiddenInputs(reloaded.text, path()), ...values })
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('<div class="once">')])
    expect(rowsOf(table)).not.toEqual(rows)
  })

  test.each(makers)('creates %s once when its button is pressed twice', async (_, path, _table, values) => {
    const sent = { ...(await formAt(path())), ...values }
    const pages = await Promise.all([mio.post(path(), sent), mio.post(path(), sent)])
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

test('a form with a refused text keeps it, and can be sent again', async () => {
  const path = '/oauth/applications/new'
  const unfit = { ...client, name: 'kiroku' }
  const refused = await mio.post(path, { ...(await formAt(path)), ...unfit })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('value="kiroku"')])
  expect((await mio.post(path, { ...hiddenInputs(refused.text, path), ...client })).status).toBe(200)
})

test('forms opened side by side are all accepted, and so is one with a changed text', async () => {
  const path = '/settings/tokens'
  const [one, other] = [await formAt(path), await formAt(path)]
  for (const sent of [one, other, { ...one, description: 'the other' }])
    expect((await mio.post(path, { ...token, ...sent })).status).toBe(200)
  for (const sent of [other, { ...one, description: 'the other' }, one])
    expect((await mio.post(path, { ...token, ...sent })).status).toBe(409)
})

test('recovery codes and links for new passwords ask for confirmation first', async () => {
  const before = [rowsOf('recovery_codes'), rowsOf('one_time_links')]
  expect((await mio.open('/settings/two_step/codes')).text).toContain(
    '<button class="filled">Create new recovery codes</button>',
  )
  const page = await mio.open('/admin/users/4/reset_password')
  expect(page.text).toContain('azusa')
  expect([rowsOf('recovery_codes'), rowsOf('one_time_links')]).toEqual(before)
})
