import { afterEach, describe, expect, test } from 'bun:test'
import type { Config } from '../../../src/config'
import { codeOf, enrol } from '../../support/authenticator'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs } from '../../support/visitor'

let kiroku: Instance
afterEach(() => kiroku.close())

async function requiring(requireTwoStep: Config['requireTwoStep']) {
  kiroku = await createInstance({ config: { requireTwoStep } })
  kiroku.store.handle.run("update users set is_admin = 1 where username = 'mio'")
  const admin = await createMember(kiroku, 'mio')
  const other = await createMember(kiroku, 'azusa')
  return { admin, other }
}

const pages = [
  '/',
  '/about',
  '/settings',
  '/settings/profile',
  '/settings/sessions',
  '/sign_in',
  '/docs/errors',
]

const comingBackTo = (page: string) => `/settings/two_step?return_to=${encodeURIComponent(page)}`

describe('--require-two-step everyone', () => {
  test('redirects everybody who has not set it up to do so, from every page', async () => {
    const { admin, other } = await requiring('everyone')
    for (const visitor of [admin, other]) {
      for (const page of pages)
        expect([page, (await visitor.open(page)).location]).toEqual([page, comingBackTo(page)])
    }
    const { csrf = '' } = hiddenInputs((await other.open('/settings/two_step')).text, '/sign_out')
    const sent = await other.post('/settings/profile', { csrf, name: 'x' })
    expect(sent.location).toBe(comingBackTo('/settings/profile'))
  })

  test('redirects to no other site after the setup (§2.5)', async () => {
    const { other } = await requiring('everyone')
    const { page } = await enrol(kiroku, other, '?return_to=%2F%2Fevil.example')
    expect(page.text).toContain('<a href="/">Done</a>')
    expect(page.text).not.toContain('evil.example')
  })

  test('returns to the requested page after the setup', async () => {
    const { other } = await requiring('everyone')
    const asked = await other.open('/settings/sessions?x=1&y=%2F')
    expect(asked.location).toBe(comingBackTo('/settings/sessions?x=1&y=%2F'))
    const { page } = await enrol(kiroku, other, new URL(asked.location, 'http://localhost').search)
    expect(page.text).toContain('<a href="/settings/sessions?x=1&#38;y=%2F">Done</a>')
  })

  test('asks for the password first if that was long ago, and still remembers the page', async () => {
    const { other } = await requiring('everyone')
    kiroku.clock.now += 15 * 60_000 + 1
    const asked = await other.open('/settings/profile')
    const { location } = await other.open(asked.location)
    expect(location).toBe(`/confirm?return_to=${encodeURIComponent(comingBackTo('/settings/profile'))}`)
  })

  test('shows everything to visitors, and serves tokens', async () => {
    await requiring('everyone')
    expect((await createVisitor(kiroku).open('/')).status).toBe(200)
    expect((await kiroku.get('/v1/me')).status).toBe(200)
  })

  test('lets users sign out, change the language and set it up; then every page opens', async () => {
    const { other } = await requiring('everyone')
    expect((await other.open('/language')).status).toBe(200)
    expect((await other.open('/settings/two_step')).text).toContain(
      'This site requires two-step verification',
    )
    const out = await createMember(kiroku, 'azusa')
    expect((await out.submit('/settings/two_step', {}, '/sign_out')).location).toBe('/')
    expect((await out.open('/')).status).toBe(200)
    await enrol(kiroku, other)
    for (const page of pages) expect([page, (await other.open(page)).status]).toEqual([page, 200])
  })

  test('does not let users turn it off again', async () => {
    const { other } = await requiring('everyone')
    const { key } = await enrol(kiroku, other)
    kiroku.clock.now += 30_000
    const page = await other.submit('/settings/two_step/off', { code: codeOf(key, kiroku.clock.now) })
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('This site requires')])
    expect((await other.open('/')).status).toBe(200)
  })
})

test('--require-two-step administrators affects only administrators', async () => {
  const { admin, other } = await requiring('administrators')
  expect((await admin.open('/')).location).toBe(comingBackTo('/'))
  expect((await other.open('/')).status).toBe(200)
})

test('--require-two-step off affects nobody', async () => {
  const { admin } = await requiring('off')
  expect((await admin.open('/')).status).toBe(200)
})
