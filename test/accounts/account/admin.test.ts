import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { routes } from '../../../src/app'
import { createInstance, type Instance, withToken } from '../../support/instance'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let admin: Visitor

beforeAll(async () => {
  kiroku = await createInstance()
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  admin = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const pages = routes.filter(({ path }) => /^\/admin\b/.test(path))
const targetOf = (path: string) =>
  path.replace(':id', '4').replace(':name', path.endsWith('/location') ? 'kiroku' : 'annict')
/** The test instance has no invitations, no requests to join, no reports and no runs. */
const isThere = (path: string) =>
  !/^\/admin\/(?:invitations|join_requests|reports|catalogue\/runs)\//.test(path)
/** Submits a button that changes an account: on the confirmation page, if there is one, or on the user's page. */
const press = async (id: number, button: string) => {
  const target = `/admin/users/${id}/${button}`
  if (button === 'enable') return await admin.submit(`/admin/users/${id}`, {}, target)
  const texts = button === 'disable' ? { reason: '宣伝' } : {}
  return id === 1 ? await slip(target, texts) : await admin.submit(target, texts)
}
/** Submits a form that no page shows. */
const slip = async (target: string, texts: Readonly<Record<string, string>> = {}) => {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.open('/admin/users')).text)?.[1] ?? ''
  return await admin.post(target, { csrf, ...texts })
}
const userOf = (id: number) =>
  kiroku.deps.read
    .selectFrom('users')
    .select(['is_admin', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirst()

describe('the pages of administrators', () => {
  test.each(pages.filter(({ method }) => method === 'GET').map(({ path }) => targetOf(path)))(
    '%s is for administrators who proved to be there',
    async (path) => {
      const target = encodeURIComponent(path)
      expect((await createVisitor(kiroku).open(path)).location).toBe(`/sign_in?return_to=${target}`)
      expect((await (await createMember(kiroku, 'azusa')).open(path)).status).toBe(403)
      const late = await createMember(kiroku, 'mio')
      kiroku.clock.now += 15 * 60_000 + 1
      expect((await late.open(path)).location).toBe(`/confirm?return_to=${target}`)
      admin = await createMember(kiroku, 'mio')
      const { status, location } = await admin.open(path)
      if (path === '/admin/catalogue/twins') expect([status, location]).toEqual([303, '/catalogue/twins'])
      else expect(status).toBe(isThere(path) ? 200 : 404)
    },
  )

  test.each(pages.filter(({ method }) => method === 'POST').map(({ path }) => targetOf(path)))(
    'POST %s changes nothing without its proof, nor for a user like others (§2.3)',
    async (target) => {
      // An upload has a file: test/site/mappings.test.ts sends one without its proof.
      const refused = target === '/admin/catalogue/mappings' ? 400 : 403
      expect((await admin.post(target, { csrf: 'x'.repeat(43), uses: '1' })).status).toBe(refused)
      const member = await createMember(kiroku, 'azusa')
      const csrf = /name="csrf" value="([^"]+)"/.exec((await member.open('/')).text)?.[1] ?? ''
      expect((await member.post(target, { csrf, uses: '1' })).status).toBe(403)
      expect(await userOf(4)).toEqual({ is_admin: 0, disabled_at: null })
      expect(await kiroku.deps.read.selectFrom('one_time_links').select('id').execute()).toEqual([])
      expect(await kiroku.deps.read.selectFrom('invitations').select('id').execute()).toEqual([])
    },
  )
})

describe('/admin/users', () => {
  test.each(['0', '99', 'x', '1e1', '4%00'])(
    'the user %s is not there: 404 or 400, and nothing else',
    async (id) => {
      const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.open('/admin/users')).text)?.[1] ?? ''
      for (const action of ['disable', 'enable', 'promote', 'demote', 'reset_password'])
        expect([400, 404]).toContain((await admin.post(`/admin/users/${id}/${action}`, { csrf })).status)
    },
  )

  test('the last administrator cannot be demoted or disabled', async () => {
    for (const button of ['demote', 'disable']) {
      const page = await press(1, button)
      expect([page.status, page.text]).toEqual([409, expect.stringContaining('last administrator')])
    }
    expect(await userOf(1)).toEqual({ is_admin: 1, disabled_at: null })
    await press(4, 'promote')
    const both = await Promise.all([press(4, 'demote'), press(1, 'demote')])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    const left = await kiroku.deps.read.selectFrom('users').select('id').where('is_admin', '=', 1).execute()
    expect(left).toHaveLength(1)
    await kiroku.deps.write(async (tx) => {
      await tx.updateTable('users').set({ is_admin: 0 }).execute()
      await tx.updateTable('users').set({ is_admin: 1 }).where('id', '=', 1).execute()
    })
    admin = await createMember(kiroku, 'mio')
  })

  test('users who are promoted or demoted must sign in again (§2.2)', async () => {
    for (const button of ['promote', 'demote']) {
      const member = await createMember(kiroku, 'azusa')
      expect((await press(4, button)).location).toBe('/admin/users/4')
      expect((await member.open('/settings/password')).status).toBe(303)
      expect(await userOf(4)).toEqual({ is_admin: button === 'promote' ? 1 : 0, disabled_at: null })
    }
  })

  test('an editor is made and ended without a new sign-in (D93)', async () => {
    const member = await createMember(kiroku, 'azusa')
    for (const [button, is_editor] of [
      ['make_editor', 1],
      ['end_editor', 0],
    ] as const) {
      expect((await press(4, button)).location).toBe('/admin/users/4')
      expect((await member.open('/settings/profile')).status).toBe(200)
      const user = await kiroku.deps.read
        .selectFrom('users')
        .select('is_editor')
        .where('id', '=', 4)
        .execute()
      expect(user).toEqual([{ is_editor }])
    }
  })

  test('a disabled user is signed out at once, on the web and by token, and may return when enabled', async () => {
    const member = await createMember(kiroku, 'azusa')
    const token = withToken(await kiroku.tokenOf('azusa', 'read'))
    const asks = async () => (await kiroku.ask('/v1/me', token)).status
    expect([await asks(), (await member.open('/settings/password')).status]).toEqual([200, 200])
    expect((await press(4, 'disable')).location).toBe('/admin/users/4')
    expect([await asks(), (await member.open('/settings/password')).status]).toEqual([401, 303])
    expect((await press(4, 'enable')).location).toBe('/admin/users/4')
    expect([await asks(), (await member.open('/settings/password')).status]).toEqual([200, 303])
  })

  test('a link for a new password is shown once, and logged without the link itself', async () => {
    const page = await admin.submit('/admin/users/4/reset_password')
    const link = page.textOf('link')
    expect(link).toMatch(/^http:\/\/localhost:3000\/reset_password\/kir_ln_\w{49}$/)
    expect((await createVisitor(kiroku).open(new URL(link).pathname)).status).toBe(200)
    expect((await admin.open('/admin/users')).text).not.toContain('kir_ln_')
    expect(JSON.stringify(kiroku.lines)).not.toContain('kir_ln_')
    expect(kiroku.lines.some(({ event, facts }) => event === 'reset_link' && facts.by === 1)).toBe(true)
  })

  test('can be searched by part of the username and shows 50 users per page', async () => {
    await kiroku.deps.write((tx) =>
      tx
        .insertInto('users')
        .values(
          Array.from({ length: 60 }, (_, index) => ({
            username: `extra_${index}`,
            username_key: `extra_${index}`,
            name: '<b>bold</b>',
            email: `${index}@example.com`,
            email_key: null,
            password_hash: 'none',
            created_at: index,
          })),
        )
        .execute(),
    )
    const named = async (target: string) =>
      [...(await admin.open(target)).text.matchAll(/<a href="\/admin\/users\/\d+">([^<]*)</g)].map(
        ([, name]) => name,
      )
    expect(await named('/admin/users')).toHaveLength(50)
    expect(await named('/admin/users?page=2')).toHaveLength(14)
    expect(await named('/admin/users?page=3')).toEqual([])
    expect(await named('/admin/users?q=RITSU')).toEqual(['Ritsu_T'])
    expect(await named('/admin/users?q=extra_1')).toHaveLength(11)
    expect(await named('/admin/users?q=59@EXAMPLE')).toEqual(['extra_59'])
    expect(await named('/admin/users?kind=administrators')).toEqual(['mio'])
    kiroku.store.handle.run("update users set disabled_at = 1 where username = 'extra_7'")
    expect(await named('/admin/users?kind=suspended')).toEqual(['yui', 'extra_7'])
    for (const q of ['%25', '%5Ft%5F', 'x%27', '%3Cscript%3E'])
      expect(await named(`/admin/users?q=${q}`)).toEqual([])
    const odd = ['page=0', 'page=x', 'page=999999999', 'page=9999999999', 'page=1&page=2', 'q=a&q=b', 'q=%00']
    for (const query of odd)
      expect([query, (await admin.open(`/admin/users?${query}`)).status < 500]).toEqual([query, true])
    const next = (await admin.open('/admin/users?q=extra')).text
    expect(next).toContain('/admin/users?q=extra&#38;page=2')
  })
})

describe('/admin/invitations', () => {
  test('refuses invalid invitations', async () => {
    const wrong = [
      { uses: '0' },
      { uses: '1001' },
      { uses: 'x' },
      { expires_in: '2d' },
      { note: 'x'.repeat(101) },
    ]
    for (const values of wrong) {
      const page = await admin.submit('/admin/invitations', { uses: '1', ...values })
      expect([values, page.status]).toEqual([values, 422])
    }
  })

  test('creates a link that is shown once, lists it, and withdraws it', async () => {
    const values = { uses: '2', expires_in: '7d', note: '<b>club</b>' }
    const link = (await admin.submit('/admin/invitations', values)).textOf('link')
    expect(link).toMatch(/^http:\/\/localhost:3000\/invitations\/kir_iv_\w{49}$/)
    const { pathname } = new URL(link)
    expect((await createVisitor(kiroku).open(pathname)).status).toBe(200)
    const list = (await admin.open('/admin/invitations')).text
    expect(list).not.toContain('kir_iv_')
    expect(list).not.toContain('<b>club</b>')
    const id = /\/admin\/invitations\/(\d+)\/withdraw/.exec(list)?.[1]
    expect((await admin.open(`/admin/invitations/${id}/withdraw`)).text).toContain(
      'Withdraw the invitation &#60;b&#62;club',
    )
    expect((await createVisitor(kiroku).open(pathname)).status).toBe(200)
    const gone = await admin.submit(`/admin/invitations/${id}/withdraw`)
    expect(gone.location).toBe('/admin/invitations')
    expect((await createVisitor(kiroku).open(pathname)).status).toBe(404)
    expect((await admin.open('/admin/invitations')).text).not.toContain('withdraw')
  })
})
