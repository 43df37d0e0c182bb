import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs } from '../../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

const action = '/settings/profile'
const referer = `http://localhost:3000${action}`
const sent = { 'sec-fetch-site': 'same-origin', referer }

test('a form sent after signing out in another tab leads to sign-in, and back to its page', async () => {
  const mio = await createMember(kiroku, 'mio')
  const values = { ...hiddenInputs((await mio.open(action)).text, action), name: 'Mio Akiyama' }
  expect((await mio.submit('/settings', {}, '/sign_out')).status).toBe(303)
  expect([...mio.cookies.keys()].filter((name) => name.startsWith('sid'))).toEqual([])
  const back = `/sign_in?return_to=${encodeURIComponent(action)}`
  expect((await mio.post(action, values, sent)).location).toBe(back)
  // That page sets the cookie for visitors.
  await mio.open('/sign_in')
  expect((await mio.post(action, values, sent)).location).toBe(back)
})

test('a form from another site is refused before that, and signing in needs its cookie', async () => {
  const visitor = createVisitor(kiroku)
  const elsewhere = await visitor.post(action, { name: 'x' }, { 'sec-fetch-site': 'cross-site' })
  expect([elsewhere.status, elsewhere.location]).toEqual([403, ''])
  const blocked = await visitor.post('/sign_in', { username: 'mio', password: 'x', csrf: 'x' }, sent)
  expect([blocked.status, blocked.text]).toEqual([403, expect.stringContaining('cookie')])
})
