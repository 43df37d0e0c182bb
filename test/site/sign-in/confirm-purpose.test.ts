import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { routes } from '../../../src/app'
import { createInstance } from '../../support/instance'
import { registerClient } from '../../support/oauth'
import { createMember, createVisitor, type Page, type Visitor } from '../../support/visitor'

const kiroku = await createInstance()
const { deps, clock } = kiroku
afterAll(kiroku.close)

let late: Visitor
let application = 0
beforeAll(async () => {
  const change = { is_admin: 1, password_hash: await Bun.password.hash('correct horse', 'argon2id') }
  await deps.write((tx) => tx.updateTable('users').set(change).where('username', '=', 'azusa').execute())
  application = (await registerClient(kiroku)).id
  late = await createMember(kiroku, 'azusa')
  clock.now += 16 * 60_000
})

/** Where a page redirects somebody who signed in a while ago; '' if it does not. */
async function askedAt(path: string, method: string): Promise<string> {
  const target = path
    .replace('/oauth/applications/:id', `/oauth/applications/${application}`)
    .replace(':id', '1')
  const csrf = /name="csrf" value="([^"]+)"/.exec((await late.open('/settings')).text)?.[1] ?? ''
  const valid = { csrf, description: 'x', scope: 'read' }
  const page = await (method === 'GET' ? late.open(target) : late.post(target, valid))
  return page.location.startsWith('/confirm?') ? page.location : ''
}

const reason = ({ text }: Page) => /<p>\s*(Confirm it’s you to [^.]*)\./.exec(text)?.[1]

describe('users who are asked for the password again are told why', () => {
  test.each([
    ['/settings/email', 'Confirm it’s you to change your e-mail address'],
    ['/settings/sessions', 'Confirm it’s you to see where you are signed in'],
    ['/settings/tokens', 'Confirm it’s you to create a personal access token'],
    ['/admin/users/3/disable', 'Confirm it’s you to manage users'],
  ])('on the way to %s', async (target, expected) => {
    const page = await late.open(`/confirm?return_to=${encodeURIComponent(target)}`)
    expect(reason(page)).toBe(expected)
    expect(page.text).toContain('<h1>Confirm it’s you</h1>')
  })

  test('in Japanese too', async () => {
    const member = await createMember(kiroku, 'azusa', { language: 'ja' })
    const { text } = await member.open('/confirm?return_to=%2Fsettings%2Femail')
    expect(text).toContain('メールアドレスを変更するには、本人確認が必要です。')
  })

  test('also after a wrong password', async () => {
    const target = '/confirm?return_to=%2Fsettings%2Femail'
    const page = await late.submit(target, { password: 'wrong' })
    expect([page.status, reason(page)]).toEqual([422, 'Confirm it’s you to change your e-mail address'])
  })

  test('by every page and form that asks for it', async () => {
    const asking: string[] = []
    const silent: string[] = []
    for (const { method, path } of routes) {
      if (path === '/sign_out' || path.startsWith('/confirm')) continue
      const location = await askedAt(path, method)
      if (location === '') continue
      asking.push(path)
      if (reason(await late.open(location)) === 'Confirm it’s you to continue') silent.push(path)
    }
    expect(asking.length).toBeGreaterThan(20)
    expect(silent).toEqual([])
  })

  test('and a link cannot choose those words', async () => {
    for (const target of ['https://evil.example/', '//evil.example', '/nothing', '/settings%2Femail', ''])
      expect(reason(await late.open(`/confirm?return_to=${encodeURIComponent(target)}`))).toBe(
        'Confirm it’s you to continue',
      )
    expect((await createVisitor(kiroku).open('/confirm')).status).toBe(303)
  })
})
