import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { grant, isClient, register } from '../../support/apps'
import { createInstance, type Instance, withToken } from '../../support/instance'
import { codeFor, errorOf, exchange, postAs } from '../../support/oauth'
import { createMember, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const day = 86_400_000
const home = '/oauth/applications'
const rotate = async (id: number, overlap: string) =>
  (await mio.submit(`${home}/${id}/rotate`, { overlap })).textOf('client_secret')
const status = async (token: string) => (await kiroku.ask('/v1/me', withToken(token))).status
/** Moving the clock may end a session's recent confirmation. */
const pass = async (milliseconds: number) => {
  kiroku.clock.now += milliseconds
  mio = await createMember(kiroku, 'mio')
}

describe('replacing a client secret (AP-04)', () => {
  test('requires a recent confirmation (§2.2)', async () => {
    const { id, uid, secret } = await register(kiroku, mio)
    const path = `${home}/${id}/rotate`
    const hidden = hiddenInputs((await mio.open(path)).text, path)
    kiroku.clock.now += 15 * 60_000 + 1
    for (const page of [await mio.open(path), await mio.post(path, { ...hidden, overlap: '0' })]) {
      expect([page.status, page.location]).toEqual([303, `/confirm?return_to=${encodeURIComponent(path)}`])
    }
    expect(await isClient(kiroku, uid, secret)).toBe(true)
    await pass(0)
  })

  test.each(['8', '-1', '1.5', 'x', '1e0'])('has no overlap of %p days', async (overlap) => {
    const { id, uid, secret } = await register(kiroku, mio)
    expect(await rotate(id, overlap)).toBe('')
    expect(await isClient(kiroku, uid, secret)).toBe(true)
  })

  test('ends the former secret at once if no overlap is requested', async () => {
    const { id, uid, secret } = await register(kiroku, mio)
    const next = await rotate(id, '0')
    expect(next).toMatch(/^kir_cs_[0-9A-Za-z]{49}$/)
    expect([await isClient(kiroku, uid, secret), await isClient(kiroku, uid, next)]).toEqual([false, true])
    expect((await mio.open(`${home}/${id}`)).text).not.toContain('kir_cs_')
    expect(JSON.stringify(kiroku.lines)).not.toContain('kir_cs_')
  })

  test('keeps both valid for the overlap, to the millisecond, and then only the new one', async () => {
    const { id, uid, secret } = await register(kiroku, mio)
    const next = await rotate(id, '7')
    expect((await mio.open(`${home}/${id}`)).text).toContain('The old client secret expires:')
    await pass(7 * day - 1)
    expect([await isClient(kiroku, uid, secret), await isClient(kiroku, uid, next)]).toEqual([true, true])
    await pass(1)
    expect([await isClient(kiroku, uid, secret), await isClient(kiroku, uid, next)]).toEqual([false, true])
    expect((await mio.open(`${home}/${id}`)).text).not.toContain('The former client secret')
  })

  test('keeps at most two: a third ends the first', async () => {
    const { id, uid, secret } = await register(kiroku, mio)
    const second = await rotate(id, '7')
    const third = await rotate(id, '1')
    const good = []
    for (const one of [secret, second, third]) good.push(await isClient(kiroku, uid, one))
    expect(good).toEqual([false, true, true])
  })

  test('affects only this application', async () => {
    const [one, other] = [await register(kiroku, mio), await register(kiroku, mio)]
    await rotate(one.id, '0')
    expect(await isClient(kiroku, other.uid, other.secret)).toBe(true)
    expect(await isClient(kiroku, one.uid, other.secret)).toBe(false)
  })

  test('keeps tokens: revoking them is another button', async () => {
    const application = await register(kiroku, mio)
    const { id, uid, secret } = application
    const other = await register(kiroku, mio)
    const [token, kept] = [await grant(kiroku, id, 4), await grant(kiroku, other.id, 4)]
    const code = await codeFor(kiroku, application)
    const next = await rotate(id, '0')
    expect(await status(token)).toBe(200)
    const page = await mio.submit(`${home}/${id}/revoke_tokens`)
    expect([page.status, page.location]).toEqual([303, `${home}/${id}`])
    expect([await status(token), await status(kept)]).toEqual([401, 200])
    const late = await postAs(kiroku, '/oauth/token', exchange({ ...application, secret: next }, code))
    expect(await errorOf(late)).toBe('400 invalid_grant')
    expect([await isClient(kiroku, uid, secret), await isClient(kiroku, uid, next)]).toEqual([false, true])
  })
})

describe('deleting an application (AP-05)', () => {
  test('asks for confirmation first', async () => {
    const { id } = await register(kiroku, mio, { name: 'Old one' })
    const page = await mio.open(`${home}/${id}/delete`)
    expect(page.text).toContain('Delete Old one?')
    expect((await mio.open(`${home}/${id}`)).status).toBe(200)
  })

  test('ends its secret, codes and tokens at once', async () => {
    const application = await register(kiroku, mio)
    const { id, uid, secret } = application
    const token = await grant(kiroku, id, 4)
    const code = await codeFor(kiroku, application)
    expect(await status(token)).toBe(200)
    const page = await mio.submit(`${home}/${id}/delete`)
    expect([page.status, page.location]).toEqual([303, home])
    expect(await status(token)).toBe(401)
    const late = await postAs(kiroku, '/oauth/token', exchange(application, code))
    expect(await errorOf(late)).toBe('401 invalid_client')
    expect(await isClient(kiroku, uid, secret)).toBe(false)
    expect((await mio.open(`${home}/${id}`)).status).toBe(404)
  })
})

test('its owner sees how many users an application has, and when it was last used (AP-06)', async () => {
  const { id } = await register(kiroku, mio)
  const figures = async () => (await mio.open(`${home}/${id}`)).text.replaceAll(/\s+/g, ' ')
  expect(await figures()).toMatch(/Users<\/dt> <dd>0<\/dd> <dt>Last used<\/dt> <dd>Never<\/dd>/)
  const token = await grant(kiroku, id, 4)
  await grant(kiroku, id, 4)
  await grant(kiroku, id, 1)
  await grant(kiroku, id, 2, { expiresIn: 1 })
  await pass(60_000)
  expect(await status(token)).toBe(200)
  // The use is noted after the response, but before a later write.
  await kiroku.deps.write(async () => {})
  const time = new Date(kiroku.clock.now).toISOString()
  expect(await figures()).toContain(`Users</dt> <dd>2</dd> <dt>Last used</dt> <dd><time datetime="${time}" `)
})
