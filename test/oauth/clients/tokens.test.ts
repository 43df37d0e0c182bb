import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createInstance, type Instance, withToken } from '../../support/instance'
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

const page = '/settings/tokens'
const make = (values: Record<string, string> = {}) =>
  mio.submit(page, { description: 'shell', scope: 'read', ...values })
const rows = () => kiroku.deps.read.selectFrom('tokens').selectAll().orderBy('id').execute()
const whoIs = async (token: string) => (await kiroku.ask('/v1/me', withToken(token))).status

describe('creating a personal access token', () => {
  test('is for members: visitors sign in first, and come back (PT-01)', async () => {
    const opened = await createVisitor(kiroku).open(page)
    expect([opened.status, opened.location]).toEqual([303, '/sign_in?return_to=%2Fsettings%2Ftokens'])
  })

  const unfit: [string, Record<string, string>, string][] = [
    ['no description', { description: ' ' }, 'Description</a>: This field is required.'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'Enter at most 500 characters.'],
    [
      'one with a control character',
      { description: 'a\u0007b' },
      'The description must not contain control characters.',
    ],
    ['one that turns the direction of writing', { description: 'a\u202eb' }, 'must not contain control'],
    ['a scope that does not exist', { scope: 'admin' }, 'Scope</a>: Choose one of the options.'],
    ['a time that is not offered', { expires_in: '99999d' }, 'Valid for</a>: Choose one of the options.'],
  ]
  test.each(unfit)('%s is refused, and nothing is created (PT-01)', async (_, values, problem) => {
    const before = await rows()
    const refused = await make(values)
    expect([refused.status, refused.textOf('access_token')]).toEqual([422, ''])
    expect(refused.text).toContain(problem)
    expect(await rows()).toEqual(before)
  })

  test('requires confirmation if the user signed in long ago (PT-01)', async () => {
    const hidden = hiddenInputs((await mio.open(page)).text, page)
    const before = await rows()
    kiroku.clock.now += 15 * 60_000 + 1
    const opened = await mio.open(page)
    expect(opened.text).toContain('href="/confirm?return_to=%2Fsettings%2Ftokens"')
    expect(opened.text).not.toContain('name="description"')
    const sent = await mio.post(page, { ...hidden, description: 'shell', scope: 'read' })
    expect([sent.status, sent.location]).toEqual([303, '/confirm?return_to=%2Fsettings%2Ftokens'])
    expect(await rows()).toEqual(before)
    mio = await createMember(kiroku, 'mio')
  })

  test.each(['read', 'write', 'read write'])(
    'a token of the scope %s is shown once (PT-01)',
    async (scope) => {
      const made = await make({ description: `to ${scope}`, scope })
      const token = made.textOf('access_token')
      expect([made.status, token]).toEqual([200, expect.stringMatching(/^kir_pat_[0-9A-Za-z]{49}$/)])
      expect(await whoIs(token)).toBe(scope === 'write' ? 403 : 200)
      const listed = await mio.open(page)
      expect(listed.text).toContain(`to ${scope}`)
      expect(listed.text).not.toContain(token)
      expect(JSON.stringify(kiroku.lines)).not.toContain(token)
      const [row] = (await rows()).slice(-1)
      expect(JSON.stringify(row)).not.toContain(token)
    },
  )

  test('a token ends when its time is over, and the list says so (PT-01)', async () => {
    const made = await make({ description: 'for a week', expires_in: '7d' })
    const token = made.textOf('access_token')
    kiroku.clock.now += 7 * 86_400_000 - 1
    expect(await whoIs(token)).toBe(200)
    kiroku.clock.now += 1
    expect(await whoIs(token)).toBe(401)
    expect((await mio.open(page)).text).toContain('(expired)')
    mio = await createMember(kiroku, 'mio')
  })

  test('in Japanese the page says the same (D5)', async () => {
    const visitor = await createMember(kiroku, 'mio', { language: 'ja' })
    const refused = await visitor.submit(page, { description: '', scope: 'read' })
    expect(refused.text).toContain('<html lang="ja"')
    expect(refused.text).toContain('用途</a>：入力してください。')
    const made = await visitor.submit(page, { description: '日本語', scope: 'read' })
    expect(made.text).toContain('今コピーしてください。')
  })
})

describe('existing tokens', () => {
  test('a token’s scope cannot be changed later (PT-02)', async () => {
    const token = (await make({ description: 'to stay as it is' })).textOf('access_token')
    const { id, scope } = (await rows()).at(-1) ?? { id: 0, scope: '' }
    const { csrf = '' } = hiddenInputs((await mio.open(page)).text, page)
    for (const path of [`${page}/${id}`, `${page}/${id}/edit`, `${page}/${id}/revoke`]) {
      const asked = path.endsWith('revoke') ? { csrf: '' } : { csrf }
      expect((await mio.post(path, { ...asked, scope: 'read write' })).status).toBeGreaterThan(400)
    }
    // An id in the form still creates a new token.
    await make({ description: 'another', scope: 'read write', id: String(id) })
    expect((await rows()).find((row) => row.id === id)?.scope).toBe(scope)
    const written = await kiroku.ask('/v1/me/statuses', withToken(token, { method: 'POST' }))
    expect(written.status).toBe(403)
  })

  test('nobody revokes somebody else’s token, or an invalid one', async () => {
    const token = (await make()).textOf('access_token')
    const { id } = (await rows()).at(-1) ?? { id: 0 }
    const { csrf = '' } = hiddenInputs((await azusa.open(page)).text, '/sign_out')
    for (const tried of [id, 999_999, '0', 'x', '1e3', '9'.repeat(30)]) {
      expect((await azusa.post(`${page}/${tried}/revoke`, { csrf })).status).toBe(404)
    }
    expect(await whoIs(token)).toBe(200)
    expect((await azusa.open(page)).text).not.toContain('to stay as it is')
  })

  test('its owner revokes a token, which is invalid at once', async () => {
    const token = (await make({ description: 'not for long' })).textOf('access_token')
    const { id } = (await rows()).at(-1) ?? { id: 0 }
    expect(await whoIs(token)).toBe(200)
    expect((await mio.open(`${page}/${id}/revoke`)).text).toContain('Revoke the token “not for long”?')
    expect(await whoIs(token)).toBe(200)
    const revoked = await mio.submit(`${page}/${id}/revoke`)
    expect([revoked.status, revoked.location]).toEqual([303, page])
    expect(await whoIs(token)).toBe(401)
    expect((await mio.open(page)).text).not.toContain('not for long')
    const { event, facts } = kiroku.lines.findLast(({ event }) => event === 'token_revoked') ?? {}
    expect([event, facts?.token]).toEqual(['token_revoked', id])
  })
})
