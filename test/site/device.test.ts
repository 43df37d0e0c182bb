import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Codes, codesFor, decideOn, poll, registerDevice, typeCode } from '../support/device'
import { createInstance, type Instance } from '../support/instance'
import { type Client, expectError } from '../support/oauth'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor
let tv: Client
let codes: Codes

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  azusa = await createMember(kiroku, 'azusa')
  tv = await registerDevice(kiroku, mio, { name: '<b>TV</b>' })
})
beforeEach(async () => {
  codes = await codesFor(kiroku, tv, { scope: 'read write' })
  await kiroku.deps.write((tx) => tx.deleteFrom('throttles').execute())
})
afterAll(() => kiroku.close())

const unknown = 'This code is wrong, has already been used, or is more than ten minutes old.'

describe('the page for entering a code (RFC 8628 §3.3)', () => {
  test('is for signed-in users; visitors come back to it with the code (§3.3.1)', async () => {
    const visitor = createVisitor(kiroku)
    const page = await visitor.open(`/device?user_code=${codes.user_code}`)
    const target = encodeURIComponent(`/device?user_code=${codes.user_code}`)
    expect([page.status, page.location]).toEqual([303, `/sign_in?return_to=${target}`])
    expect(JSON.stringify(kiroku.lines)).not.toContain(codes.user_code)
  })

  test('does nothing when opened, with the code filled in (§3.3.1)', async () => {
    const page = await azusa.open(`/device?user_code=${codes.user_code}`)
    expect(page.text).toContain(`name="user_code" value="${codes.user_code}"`)
    expect(page.text).not.toContain('name="decision"')
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
    const odd = await azusa.open('/device?user_code=%22%3E%3Cscript%3E&user_code=x')
    expect([odd.status, odd.text.includes('<script>')]).toEqual([200, false])
  })

  test.each(['', 'BCDF-GHJK', 'BCDFGHJ', '記録', `${'B'.repeat(60)}`])(
    'does not take %p for a code',
    async (text) => {
      const page = await typeCode(azusa, text)
      expect([page.status, page.text.includes('name="decision"')]).toEqual([422, false])
    },
  )

  test('accepts a code however it is typed (§6.1)', async () => {
    const [first, second] = codes.user_code.toLowerCase().split('-')
    const wide = [...codes.user_code].map((one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join('')
    for (const text of [`${first}${second}`, ` ${first} ${second} `, `${first}ー${second}`, wide]) {
      const page = await typeCode(azusa, text)
      expect([text, page.status, page.textOf('user_code')]).toEqual([text, 200, codes.user_code])
    }
  })

  test('asks for consent, naming who wants what, and for which device (AZ-24, §5.4)', async () => {
    const page = await typeCode(azusa, codes.user_code)
    const shown = page.text.replaceAll(/\s+/g, ' ')
    expect(shown).toContain('<bdi>&#60;b&#62;TV&#60;/b&#62;</bdi>')
    expect(shown).toContain('Registered by: mio')
    expect(shown).toContain('Signed in as azusa.')
    expect(shown).toContain('See your profile')
    expect(shown).toContain('Create, change and delete records')
    expect(shown).toContain('Access does not expire.')
    expect(shown).toContain('only if a device in front of you shows exactly this code')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
  })

  test('asks in Japanese too (D5)', async () => {
    const visitor = await createMember(kiroku, 'azusa', { language: 'ja' })
    expect((await typeCode(visitor, 'BCDF-GHJK')).text).toContain('コードが違うか、使用済みか')
    expect((await typeCode(visitor, codes.user_code)).text).toContain('目の前の機器に同じコード')
    expect((await decideOn(visitor, codes, 'approve')).text).toContain('機器にアクセスを許可しました')
  })
})

describe('nothing is decided (RFC 8628 §3.3)', () => {
  test('by a form that is not from the page (AZ-20)', async () => {
    const asked = await typeCode(azusa, codes.user_code)
    const inputs = { ...hiddenInputs(asked.text, '/device/decide'), decision: 'approve' }
    const tries = [
      await azusa.post('/device/decide', inputs, { 'sec-fetch-site': 'cross-site' }),
      await azusa.post('/device/decide', { ...inputs, csrf: 'x'.repeat(43) }),
      await azusa.post('/device/decide', { ...inputs, csrf: '' }, { origin: 'null' }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403])
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
  })

  test('by an invalid decision', async () => {
    for (const decision of ['', 'yes', 'APPROVE']) {
      expect((await decideOn(azusa, codes, decision)).status).toBe(400)
    }
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
  })

  test('for a code that has expired in the meantime', async () => {
    const asked = await typeCode(azusa, codes.user_code)
    kiroku.clock.now += 600_000
    const inputs = hiddenInputs(asked.text, '/device/decide')
    const late = await azusa.post('/device/decide', { ...inputs, decision: 'approve' })
    expect([late.status, late.text.includes(unknown)]).toEqual([400, true])
    await expectError(await poll(kiroku, tv, codes), '400 expired_token')
    expect((await typeCode(azusa, codes.user_code)).status).toBe(422)
  })

  test('for an application that has changed in the meantime', async () => {
    const asked = await typeCode(azusa, codes.user_code)
    const home = `/oauth/applications/${tv.id}/edit`
    const values = { name: 'TV', redirect_uri: tv.redirectUri, scopes: 'read write', device_grant: '1' }
    expect((await mio.submit(home, values)).status).toBe(303)
    const inputs = hiddenInputs(asked.text, '/device/decide')
    expect((await azusa.post('/device/decide', { ...inputs, decision: 'approve' })).status).toBe(400)
    await expectError(await poll(kiroku, tv, codes), '400 invalid_grant')
  })

  test('a second time, by the same user or somebody else', async () => {
    expect((await decideOn(azusa, codes, 'deny')).text).toContain('The device was not connected')
    for (const visitor of [azusa, mio]) {
      const page = await typeCode(visitor, codes.user_code)
      expect([page.status, page.text.includes(unknown)]).toEqual([422, true])
      const { csrf = '' } = hiddenInputs(page.text, '/device')
      const { user_code } = codes
      expect((await visitor.post('/device/decide', { csrf, user_code, decision: 'approve' })).status).toBe(
        400,
      )
    }
    await expectError(await poll(kiroku, tv, codes), '400 access_denied')
  })
})

describe('a user who guesses has to wait (RFC 8628 §5.1)', () => {
  const guess = (visitor: Visitor) => typeCode(visitor, 'BCDF-GHJK')

  test('longer with every wrong code, even for the right one, and whatever was typed correctly before', async () => {
    for (let times = 0; times < 4; times += 1) expect((await guess(azusa)).status).toBe(422)
    // The right code is not a guess, but does not clear earlier ones.
    expect((await typeCode(azusa, codes.user_code)).status).toBe(200)
    expect((await guess(azusa)).status).toBe(422)
    const refused = await typeCode(azusa, codes.user_code)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    const { csrf = '' } = hiddenInputs(refused.text, '/device')
    const { user_code } = codes
    const decided = await azusa.post('/device/decide', { csrf, user_code, decision: 'approve' })
    expect([decided.status, decided.headers.get('retry-after')]).toEqual([429, '1'])
    await expectError(await poll(kiroku, tv, codes), '400 authorization_pending')
    kiroku.clock.now += 1000
    expect((await typeCode(azusa, codes.user_code)).status).toBe(200)
  })

  test('by account, in all of its browsers, and nobody else does', async () => {
    for (let times = 0; times < 5; times += 1) await guess(azusa)
    expect((await guess(await createMember(kiroku, 'azusa', { peer: '192.0.2.2' }))).status).toBe(429)
    expect((await guess(mio)).status).toBe(422)
  })

  test('by address, whoever is signed in there', async () => {
    const people = ['mio', 'azusa', 'Ritsu_T']
    const visitors = await Promise.all(people.map((name) => createMember(kiroku, name)))
    const statuses = []
    for (let times = 0; times < 20; times += 1) {
      const visitor = visitors[times % 3] as Visitor
      statuses.push((await guess(visitor)).status)
      await kiroku.deps.write((tx) =>
        tx.deleteFrom('throttles').where('key', 'like', 'device_of:%').execute(),
      )
    }
    expect(statuses).toEqual(Array(20).fill(422))
    expect((await guess(mio)).status).toBe(429)
    expect((await guess(await createMember(kiroku, 'mio', { peer: '192.0.2.2' }))).status).toBe(422)
  })
})
