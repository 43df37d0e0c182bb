import { expect, test } from 'bun:test'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { providerAt } from '../../support/identity-provider'
import { opened, useHouseholds } from '../../support/provider-visits'
import { createVisitor, hiddenInputs } from '../../support/visitor'

useHouseholds()

const passwordSignIn = false

test('D104: without passwords, one provider is the way in: straight there, unless the page is asked for', async () => {
  const { visitor } = await opened({}, {}, { passwordSignIn })
  const straight = await visitor.open('/sign_in?return_to=%2Fsettings%3Fa%3D1')
  expect([straight.status, straight.location]).toEqual([
    303,
    '/sign_in/with/home?return_to=%2Fsettings%3Fa%3D1',
  ])
  const asked = await visitor.open('/settings')
  expect(asked.location).toBe('/sign_in?return_to=%2Fsettings')
  const page = await visitor.open('/sign_in?stay=1')
  expect([
    page.status,
    page.text.includes('type="password"'),
    page.text.includes('data-act="sign-in-with"'),
  ]).toEqual([...[200, false, true]])
})

test('D104: with two providers, or with passwords, the page is shown', async () => {
  const { kiroku, home } = await opened({}, {})
  expect((await createVisitor(kiroku).open('/sign_in')).status).toBe(200)
  const second = { ...providerAt(home), id: 'work', issuer: 'https://work.example', name: 'Work' }
  const two = await opened({}, {}, { passwordSignIn, providers: [providerAt(home), second] })
  const page = await two.visitor.open('/sign_in')
  expect([page.status, page.text.match(/data-act="sign-in-with"/g)?.length]).toEqual([200, 2])
})

test('D104: signing up and invitations lead to providers alone, and take no password', async () => {
  const { kiroku } = await opened({}, {}, { passwordSignIn, registration: 'open' })
  const { id: createdBy } = await kiroku.deps.read.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { code } = await createInvitation(kiroku.deps, { createdBy, uses: 1, expiresIn: undefined, note: '' })
  const before = await kiroku.deps.read.selectFrom('users').select('id').execute()
  for (const path of ['/sign_up', `/invitations/${code}`]) {
    const visitor = createVisitor(kiroku)
    const { text } = await visitor.open(path)
    expect([path, /type="(?:password|email)"/.test(text)]).toEqual([path, false])
    expect(text).toContain('/sign_in/with/home')
    // A form that was open when passwords were switched off.
    const { csrf = '' } = hiddenInputs((await visitor.open('/sign_in?stay=1')).text, '/sign_in/passkey')
    const [username, email] = ['ritsu', 'ritsu@example.com']
    const sent = await visitor.post(path, { csrf, username, email, password: 'correct horse battery' })
    expect([path, sent.status, sent.text]).toEqual([path, 403, expect.stringContaining('switched off')])
  }
  expect(await kiroku.deps.read.selectFrom('users').select('id').execute()).toEqual(before)
})
