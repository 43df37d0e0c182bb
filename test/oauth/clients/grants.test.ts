import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { grant, register } from '../../support/apps'
import { createInstance, type Instance, withToken } from '../../support/instance'
import { codeFor, errorOf, exchange, postAs } from '../../support/oauth'
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

const page = '/settings/applications'
const [mioId, azusaId] = [1, 4]
const status = async (token: string) => (await kiroku.ask('/v1/me', withToken(token))).status

describe('the applications to which a user gave access (AP-06)', () => {
  test('are visible only to that user', async () => {
    const opened = await createVisitor(kiroku).open(page)
    expect([opened.status, opened.location]).toEqual([303, '/sign_in?return_to=%2Fsettings%2Fapplications'])
    const { id } = await register(kiroku, mio, { name: 'Seen by one' })
    await grant(kiroku, id, azusaId)
    expect((await mio.open(page)).text).not.toContain('Seen by one')
    expect((await azusa.open(page)).text).toContain('Seen by one')
  })

  test('are listed with the scopes of all their tokens, since when, and when last used', async () => {
    const { id } = await register(kiroku, mio, { name: 'Two devices' })
    const since = new Date(kiroku.clock.now).toISOString()
    await grant(kiroku, id, azusaId, { scope: 'write' })
    kiroku.clock.now += 3_600_000
    const token = await grant(kiroku, id, azusaId, { scope: 'read' })
    expect(await status(token)).toBe(200)
    // The use is noted after the response, but before a later write.
    await kiroku.deps.write(async () => {})
    const row =
      /<tr [^>]*>\s*<th [^>]*scope="row">Two devices[\s\S]*?<\/tr>/.exec(
        (await azusa.open(page)).text,
      )?.[0] ?? ''
    expect(row).toMatch(/<td [^>]*>mio<\/td>/)
    expect(row).toContain('<code>read write</code>')
    const times = [...row.matchAll(/datetime="([^"]*)"/g)].map(([, time]) => time)
    expect(times).toEqual([since, new Date(kiroku.clock.now).toISOString()])
  })

  test('disappear from the list when their tokens expire, and exclude personal tokens', async () => {
    const { id } = await register(kiroku, mio, { name: 'For a moment' })
    await grant(kiroku, id, azusaId, { expiresIn: 1000 })
    expect((await azusa.open(page)).text).toContain('For a moment')
    kiroku.clock.now += 1000
    expect((await azusa.open(page)).text).not.toContain('For a moment')
    await kiroku.tokenOf('mio', 'read')
    expect((await mio.open(page)).text).toContain('No application is connected to your account.')
    expect((await mio.open('/settings/tokens')).text).not.toContain('For a moment')
  })

  test('cannot be revoked for somebody else', async () => {
    const { id } = await register(kiroku, mio)
    const token = await grant(kiroku, id, azusaId)
    const { csrf = '' } = hiddenInputs((await mio.open(page)).text, '/sign_out')
    for (const tried of [id, 999_999, '0', 'x']) {
      expect((await mio.post(`${page}/${tried}/revoke`, { csrf })).status).toBe(404)
    }
    expect(await status(token)).toBe(200)
  })

  test('lose all tokens and codes of that user at once when revoked, and nothing else', async () => {
    const application = await register(kiroku, mio, { name: 'Unwanted' })
    const { id, uid } = application
    const tokens = [await grant(kiroku, id, azusaId), await grant(kiroku, id, azusaId)]
    const other = await grant(kiroku, id, mioId)
    const code = await codeFor(kiroku, application, { visitor: azusa })
    const othersCode = await codeFor(kiroku, application, { visitor: mio })
    expect((await azusa.open(`${page}/${id}/revoke`)).text).toContain('Revoke the access of Unwanted?')
    const revoked = await azusa.submit(`${page}/${id}/revoke`)
    expect([revoked.status, revoked.location]).toEqual([303, page])
    expect(await Promise.all([...tokens, other].map(status))).toEqual([401, 401, 200])
    const late = await postAs(kiroku, '/oauth/token', exchange(application, code))
    expect(await errorOf(late)).toBe('400 invalid_grant')
    expect((await postAs(kiroku, '/oauth/token', exchange(application, othersCode))).status).toBe(200)
    expect((await azusa.open(page)).text).not.toContain('Unwanted')
    expect((await mio.open(`/oauth/applications/${id}`)).textOf('client_id')).toBe(uid)
  })
})

test('an application’s token is not a personal one: their page neither lists nor revokes it', async () => {
  const { id } = await register(kiroku, mio)
  const token = await grant(kiroku, id, azusaId)
  const row = await kiroku.deps.read
    .selectFrom('tokens')
    .select('id')
    .where('application_id', '=', id)
    .executeTakeFirstOrThrow()
  const { csrf = '' } = hiddenInputs((await azusa.open('/settings/tokens')).text, '/sign_out')
  expect((await azusa.post(`/settings/tokens/${row.id}/revoke`, { csrf })).status).toBe(404)
  expect(await status(token)).toBe(200)
})
