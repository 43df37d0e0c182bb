import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { redirectUri, register } from '../../support/apps'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  azusa = await createMember(kiroku, 'azusa')
})
afterAll(() => kiroku.close())

const home = '/oauth/applications'
const form = `${home}/new`
const fit = { name: 'Stats', redirect_uri: redirectUri, scopes: 'read', confidential: '1' }
const rows = () => kiroku.deps.read.selectFrom('applications').selectAll().orderBy('id').execute()
const rowOf = async (id: number) => (await rows()).find((row) => row.id === id)

describe('applications belong to their owners alone (AP-01)', () => {
  test('visitors see none, and no form for one', async () => {
    for (const path of [home, form, `${home}/1`, `${home}/1/edit`, `${home}/1/rotate`, `${home}/1/delete`]) {
      const page = await createVisitor(kiroku).open(path)
      expect([path, page.status, page.location]).toEqual([
        path,
        303,
        `/sign_in?return_to=${encodeURIComponent(path)}`,
      ])
    }
  })

  test('somebody else’s is 404, like an unknown one and an invalid id', async () => {
    const { id, uid } = await register(kiroku, mio, { name: 'Private' })
    const { csrf = '' } = hiddenInputs((await azusa.open(home)).text, '/sign_out')
    const before = await rows()
    for (const tried of [id, 999_999, 0, -1, '1e1', '01', 'x', '9'.repeat(40), uid]) {
      for (const below of ['', '/edit', '/rotate', '/delete']) {
        const opened = await azusa.open(`${home}/${tried}${below}`)
        expect([tried, below, opened.status]).toEqual([tried, below, 404])
        expect(opened.text).not.toContain('Private')
      }
      for (const below of ['/edit', '/rotate', '/delete', '/revoke_tokens']) {
        for (const values of [{}, { ...fit, overlap: '0' }]) {
          const sent = await azusa.post(`${home}/${tried}${below}`, { csrf, ...values })
          expect([tried, below, sent.status]).toEqual([tried, below, 404])
        }
      }
    }
    expect(await rows()).toEqual(before)
    expect((await azusa.open(home)).text).not.toContain('Private')
    expect((await mio.open(home)).text).toContain('Private')
  })

  test('without a CSRF token nothing is registered (§2.3)', async () => {
    const before = await rows()
    expect((await mio.post(form, { ...fit, csrf: 'x'.repeat(43) })).status).toBe(403)
    const { csrf = '' } = hiddenInputs((await mio.open(form)).text, form)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await mio.post(form, { ...fit, csrf }, foreign)).status).toBe(403)
    expect(await rows()).toEqual(before)
  })
})

describe('an application is not registered', () => {
  const control = 'The name must not contain control characters.'
  const unseen = 'The name must not contain invisible characters.'
  const unfit: [string, Record<string, string>, string][] = [
    ['without a name', { name: '' }, 'Name</a>: This field is required.'],
    [
      'with a name of 51 characters',
      { name: 'あ'.repeat(51) },
      'The name must not be longer than 50 characters.',
    ],
    ['with a control character in its name', { name: 'a\u0007b' }, control],
    ['with a line end in its name', { name: 'a\nb' }, control],
    ['with a name that turns the direction of writing', { name: 'a\u202eb' }, 'must not contain control'],
    ['with a zero-width space in its name', { name: 'Twi\u200btter' }, unseen],
    ['with a Hangul filler in its name', { name: 'a\u3164b' }, unseen],
    ['with a zero-width joiner in its name', { name: 'a\u200db' }, unseen],
    ['with a soft hyphen in its name', { name: 'a\u00adb' }, unseen],
    ['with a Hangul filler as its name', { name: '\u3164' }, 'The name must not be blank.'],
    ['with a variation selector in its name', { name: 'a\ufe0fb' }, unseen],
    ['with the name of the instance', { name: 'kiroku' }, 'The name must not be the name of this site.'],
    ['with it in other letters', { name: ' ＫＩroku ' }, 'The name must not be the name of this site.'],
    ['without a redirect URI', { redirect_uri: ' \r\n ' }, 'Redirect URIs</a>: This field is required.'],
    ['with a fragment', { redirect_uri: `${redirectUri}#x` }, 'Redirect URI 1 must not have a fragment (#).'],
    [
      'with one that runs a script, on its third line',
      { redirect_uri: `${redirectUri}\r\n\r\njavascript:alert(1)` },
      'Redirect URI 2 must start with https:',
    ],
    [
      'with two that are wrong: both are named',
      { redirect_uri: `/callback\n${redirectUri}\nhttps://a@b.example` },
      'Redirect URI 1 must be a complete URI that starts with a lower-case scheme, such as https://example.com/callback. Redirect URI 3 must not contain a user name or password.',
    ],
    [
      'with too many of them',
      { redirect_uri: Array.from({ length: 21 }, (_, n) => `${redirectUri}/${n}`).join('\n') },
      'Enter at most 20 redirect URIs.',
    ],
    ['with a scope that does not exist', { scopes: 'admin' }, 'Choose one of the options.'],
  ]
  test.each(unfit)('%s (AP-07, AZ-07)', async (_, values, problem) => {
    const before = await rows()
    const page = await mio.submit(form, { ...fit, ...values })
    expect([page.status, page.textOf('client_id')]).toEqual([422, ''])
    expect(page.text).toContain(problem)
    expect(await rows()).toEqual(before)
  })

  test('with an unencrypted address, if the instance uses https (D57)', async () => {
    const secure = await createInstance({ config: { baseUrl: 'https://kiroku.example' } })
    const visitor = await createMember(secure, 'mio')
    const { csrf = '' } = hiddenInputs((await visitor.open(form)).text, form)
    const send = (redirect_uri: string) => visitor.post(form, { ...fit, csrf, redirect_uri })
    const refused = await send('http://client.example/callback')
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('must start with https:')])
    const taken = await send('http://127.0.0.1/callback')
    expect(taken.textOf('client_secret')).toStartWith('kir_cs_')
    await secure.close()
  })
})

describe('an application is registered', () => {
  test.each(['x', 'あ'.repeat(50), 'Kiroku stats', '<b>"Tom" & ‘Jerry’</b>', '記録帳 📺'])(
    'as %p (AP-07)',
    async (name) => {
      const { id, page } = await register(kiroku, mio, { name })
      expect((await rowOf(id))?.name).toBe(name)
      const shown = await mio.open(`${home}/${id}`)
      expect([shown.status, shown.text.includes('<b>"Tom"'), page.text.includes('<b>"Tom"')]).toEqual([
        200,
        false,
        false,
      ])
    },
  )

  test('with its secret shown once, and stored nowhere (AP-03)', async () => {
    const { id, uid, secret } = await register(kiroku, mio)
    expect(secret).toMatch(/^kir_cs_[0-9A-Za-z]{49}$/)
    for (const path of [home, `${home}/${id}`, `${home}/${id}/edit`, `${home}/${id}/rotate`]) {
      const page = await mio.open(path)
      expect([path, page.status, page.text.includes('kir_cs_')]).toEqual([path, 200, false])
    }
    expect((await mio.open(`${home}/${id}`)).textOf('client_id')).toBe(uid)
    expect(JSON.stringify(kiroku.lines)).not.toContain('kir_cs_')
    expect(
      JSON.stringify(await kiroku.deps.read.selectFrom('client_secrets').selectAll().execute()),
    ).not.toContain(secret.slice(7))
    const { facts } = kiroku.lines.findLast(({ event }) => event === 'application_registered') ?? {}
    expect(facts?.application).toBe(uid)
  })

  test('without a secret if it cannot keep one', async () => {
    const { id, secret, page } = await register(kiroku, mio, { confidential: '' })
    expect([secret, page.text.includes('client_secret')]).toEqual(['', false])
    expect((await rowOf(id))?.is_confidential).toBe(0)
    const shown = await mio.open(`${home}/${id}`)
    expect(shown.text).not.toContain(`${home}/${id}/rotate`)
    expect(shown.text).toContain('code_challenge')
    expect((await mio.open(`${home}/${id}/rotate`)).status).toBe(404)
  })

  test('with the fields of its form, whatever else is sent (AP-02)', async () => {
    const more = { owner_id: '4', uid: 'mine', secret: 'mine', id: '77', created_at: '0', updated_at: '0' }
    const { id } = await register(kiroku, mio, { ...more, name: 'Many words' })
    expect(await rowOf(id)).toEqual({
      id,
      owner_id: 1,
      uid: expect.stringMatching(/^[0-9a-f]{32}$/) as never,
      name: 'Many words',
      redirect_uris: redirectUri,
      scope: 'read write',
      is_confidential: 1,
      has_device_grant: 0,
      sends_iss: 0,
      created_at: kiroku.clock.now,
      updated_at: kiroku.clock.now,
    })
  })

  test('with each redirect URI once, and shown with a link that starts at the base URL (D2)', async () => {
    const redirect_uri = `${redirectUri}?app=1\r\n\r\nhttp://127.0.0.1/cb\r\n${redirectUri}?app=1`
    const { id, uid } = await register(kiroku, mio, { redirect_uri, scopes: 'read', device_grant: '1' })
    expect(await rowOf(id)).toMatchObject({
      redirect_uris: `${redirectUri}?app=1\nhttp://127.0.0.1/cb`,
      scope: 'read',
      has_device_grant: 1,
    })
    const { text } = await mio.open(`${home}/${id}`)
    const link = `http://localhost:3000/oauth/authorize?client_id=${uid}&response_type=code&redirect_uri=https%3A%2F%2Fclient.example%2Fcallback%3Fapp%3D1&scope=read`
    expect(text).toContain(`href="${link.replaceAll('&', '&#38;')}"`)
  })

  test('with an unencrypted address if the instance has no https, with a warning to its owner (D57)', async () => {
    const redirect_uri = `http://client.example/cb\nhttp://localhost/cb`
    const { id } = await register(kiroku, mio, { redirect_uri })
    expect((await mio.open(`${home}/${id}`)).text).toMatch(
      /can read the codes: <code>http:\/\/client.example\/cb<\/code> <\/p>/,
    )
    const other = await register(kiroku, mio, { redirect_uri: 'http://localhost/cb' })
    expect((await mio.open(`${home}/${other.id}`)).text).not.toContain('can read the codes')
  })

  test('and shown in Japanese to those who read it (D5)', async () => {
    const visitor = await createMember(kiroku, 'mio', { language: 'ja' })
    const refused = await visitor.submit(form, { ...fit, name: 'kiroku' })
    expect(refused.text).toContain('<a href="#name">このサイトの名前は使えません。</a>')
    const { id, page } = await register(kiroku, visitor, { name: '統計' })
    expect(page.text).toContain('クライアントシークレットを今コピーしてください。')
    expect((await visitor.open(`${home}/${id}`)).text).toContain('クライアントシークレットを更新')
  })
})

describe('its owner changes an application', () => {
  test('but not into one that could not be registered', async () => {
    const { id } = await register(kiroku, mio)
    const before = await rowOf(id)
    for (const values of [{ name: 'KIROKU' }, { redirect_uri: 'myapp://callback' }, { scopes: 'x' }]) {
      const page = await mio.submit(`${home}/${id}/edit`, { ...fit, ...values })
      expect([page.status, Object.values(values)[0]]).toEqual([422, expect.anything()])
    }
    expect(await rowOf(id)).toEqual(before)
  })

  test('in the fields of its form, and in nothing else (AP-02)', async () => {
    const { id, uid } = await register(kiroku, mio)
    kiroku.clock.now += 1000
    const before = await rowOf(id)
    const switches = { device_grant: '1', send_iss: '1' }
    const values = { name: 'Other', redirect_uri: 'com.example.app:/cb', scopes: 'read', ...switches }
    const more = { owner_id: '4', uid: 'mine', secret: 'mine', confidential: '', created_at: '0' }
    const page = await mio.submit(`${home}/${id}/edit`, { ...values, ...more })
    expect([page.status, page.location]).toEqual([303, `${home}/${id}`])
    expect(await rowOf(id)).toEqual({
      ...before,
      uid,
      ...{ name: 'Other', redirect_uris: 'com.example.app:/cb', scope: 'read' },
      ...{ has_device_grant: 1, sends_iss: 1 },
      updated_at: kiroku.clock.now,
    } as never)
  })
})
