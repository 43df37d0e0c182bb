import { afterAll, describe, expect, test } from 'bun:test'
import { createUser } from '../../src/accounts/account/user'
import type { Store } from '../../src/db/open'
import { cheapPasswords, createInstance, start } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

const kiroku = await createInstance()
const { ask } = kiroku
afterAll(kiroku.close)

describe('next steps', () => {
  const user = (username: string) => ({
    ...{ username, email: `${username}@example.com` },
    ...{ password: 'correct horse battery', isAdmin: username === 'mio' },
  })
  const stepsAt = async (visitor: Visitor) =>
    [...(await visitor.open('/')).text.matchAll(/<li><a href="([^"]*)">/g)].map(([, target]) => target)

  test('are shown to an administrator who is the only user: all links work, and they disappear when others join', async () => {
    const seed = async (store: Store) => {
      await createUser({ ...store, now: () => start, passwordCost: cheapPasswords }, user('mio'))
    }
    const instance = await createInstance({ seed })
    const mio = await createMember(instance, 'mio')
    expect(await stepsAt(createVisitor(instance))).toEqual([])
    const steps = await stepsAt(mio)
    expect(steps).toEqual(['/seasons/now', '/admin/invitations', '/settings'])
    // The current season is known under its own address.
    for (const step of steps) expect([200, 303]).toContain((await mio.open(step ?? '')).status)
    await createUser(instance.deps, user('nodoka'))
    expect(await stepsAt(mio)).toEqual([])
    await instance.close()
  })
})

describe('a browser that requests a missing page', () => {
  const there = [
    { target: '/nothing', status: 404, said: 'このアドレスのページはありません。' },
    { target: '/sign_out', status: 405, said: 'このアドレスは、この方法では開けません。' },
  ]
  test.each(there)(
    '$target is told so in its language, with a link back',
    async ({ target, status, said }) => {
      const page = await ask(target, { headers: { accept: 'text/html,*/*', 'accept-language': 'ja' } })
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(page.headers.has('allow')).toBe(status === 405)
      const [main = ''] = /<main[\s\S]*<\/main>/.exec(await page.text()) ?? []
      expect(main).toContain(said)
      expect(main).toContain('href="/">トップページへ</a>')
      expect(main).not.toMatch(/endpoint|This path/)
    },
  )
})

test('a form that asks only for a password has the username for password managers, and ignores it', async () => {
  const mio = await createMember(kiroku, 'mio')
  const inputs = async (target: string) =>
    (await mio.open(target)).text.match(/<input [^>]*autocomplete="username"[^>]*>/g) ?? []
  for (const target of ['/settings/password', '/confirm', '/settings/delete_account']) {
    const [input, ...others] = await inputs(target)
    expect([target, others]).toEqual([target, []])
    expect(input).toMatch(/name="username" value="mio" .* hidden /)
  }
  expect((await inputs('/sign_in')).filter((input) => input.includes('hidden'))).toEqual([])
  expect(await inputs('/settings/profile')).toEqual([])
  const page = await mio.submit('/confirm', { username: 'azusa', password: 'wrong password' })
  expect([page.status, page.textOf('username-problem')]).toEqual([422, ''])
  expect(page.textOf('password-problem')).not.toBe('')
})
