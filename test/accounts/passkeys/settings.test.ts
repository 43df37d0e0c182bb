import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import type { Config } from '../../../src/config'
import { createInstance, type Instance } from '../../support/instance'
import { addDevice, createDevice, signInBy } from '../../support/passkey-device'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let id = 0
let nodoka: Visitor
const password = 'correct horse battery'

async function start(config: Partial<Config> = {}): Promise<void> {
  kiroku = await createInstance({ config })
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  id = await createUser(kiroku.deps, asked)
  nodoka = await createMember(kiroku, 'nodoka')
}
beforeEach(() => start())
afterEach(() => kiroku.close())

const values = (sql: string, ...of: (string | number)[]) => kiroku.store.handle.query(sql).values(...of)
const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)

describe('/settings/passkeys', () => {
  test('a passkey is renamed and removed by its owner alone; letters and the log tell', async () => {
    const device = createDevice()
    await addDevice(nodoka, device)
    const azusa = await createMember(kiroku, 'azusa')
    const { csrf = '' } = hiddenInputs((await azusa.open('/settings')).text, '/sign_out')
    for (const act of ['rename', 'remove'])
      expect((await azusa.post(`/settings/passkeys/1/${act}`, { csrf, name: 'x' })).status).toBe(404)
    expect((await azusa.open('/settings/passkeys/1/remove')).status).toBe(404)
    const rename = '/settings/passkeys/1/rename'
    for (const name of ['', ' ', 'x'.repeat(51), 'a\u0007'])
      expect([name, (await nodoka.submit('/settings/passkeys', { name }, rename)).status]).toEqual([
        name,
        422,
      ])
    expect((await nodoka.submit('/settings/passkeys', { name: '青い鍵' }, rename)).status).toBe(303)
    expect((await nodoka.open('/settings/passkeys')).text).toContain('<b>青い鍵</b>')
    expect((await nodoka.submit('/settings/passkeys/1/remove')).location).toBe('/settings/passkeys')
    expect(values('select count(*) from passkeys')).toEqual([[0]])
    expect(events('passkey_removed')).toMatchObject([{ user: id, passkey: 1 }])
    expect((await signInBy(createVisitor(kiroku), device)).status).toBe(422)
  })

  test('removing one ends the other sessions that began with it, and no others', async () => {
    const [one, two] = [createDevice(), createDevice()]
    await addDevice(nodoka, one)
    await addDevice(nodoka, two)
    const [byOne, byTwo] = [createVisitor(kiroku), createVisitor(kiroku)]
    await signInBy(byOne, one)
    await signInBy(byTwo, two)
    await nodoka.submit('/settings/passkeys/1/remove')
    const statuses = [nodoka, byOne, byTwo].map(async (visitor) => (await visitor.open('/settings')).status)
    expect(await Promise.all(statuses)).toEqual([200, 303, 200])
  })

  test('of several last ways that are removed at once, one stays (D100)', async () => {
    await addDevice(nodoka, createDevice())
    await addDevice(nodoka, createDevice())
    const paths = ['/settings/passkeys/1/remove', '/settings/passkeys/2/remove', '/settings/password/remove']
    const pages = await Promise.all(paths.map((path) => nodoka.submit(path)))
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 303, 422])
    const left =
      "select (select count(*) from passkeys) + (select count(*) from users where id = ? and password_hash <> '')"
    expect(values(left, id)).toEqual([[1]])
  })

  test('a passkey of another host is shown as such, is no way in, and can be removed', async () => {
    await addDevice(nodoka, createDevice())
    kiroku.store.handle.run("update passkeys set rp_id = 'old.example'")
    expect((await nodoka.open('/settings/passkeys')).text).toContain('made for old.example')
    expect((await nodoka.submit('/settings/passkeys/1/remove')).status).toBe(303)
  })

  test('the page says how the other ways stand, and when the password may go', async () => {
    const other = async () => {
      const { text } = await nodoka.open('/settings/passkeys')
      const values = [...text.matchAll(/<li><a href="\/settings\/(\w+)"><b>[^<]*<\/b>([\s\S]*?)<svg/g)]
      const words = values.map(([, name, value = '']) => [name, value.replace(/<[^>]*>/g, ' ').trim()])
      return { ways: Object.fromEntries(words), less: text.includes('id="less"') }
    }
    await createVisitor(kiroku).signIn('nodoka', password)
    expect(await other()).toEqual({
      ways: { password: 'since April 2026', two_step: 'Off', sign_ins: expect.stringContaining('last') },
      less: false,
    })
    await addDevice(nodoka, createDevice({ isVerified: false }))
    expect((await other()).less).toBe(false)
    await addDevice(nodoka, createDevice())
    expect((await other()).less).toBe(true)
    kiroku.clock.now += 40 * 86_400_000
    nodoka = await createMember(kiroku, 'nodoka')
    const chosen = { current_password: password, password: 'another horse battery' }
    await nodoka.submit('/settings/password', chosen)
    expect((await other()).ways.password).toBe('since May 2026')
    // Set before the time was noted.
    kiroku.store.handle.run('update users set password_set_at = null')
    expect((await other()).ways.password).toBe('')
    await nodoka.submit('/settings/password/remove')
    expect(await other()).toMatchObject({ ways: { password: 'None' }, less: false })
    expect(values('select password_set_at from users where id = ?', id)).toEqual([[null]])
  })

  test('needs a name over https; says so, and offers nothing else', async () => {
    for (const baseUrl of ['http://kiroku.lan', 'https://192.0.2.7', 'https://[2001:db8::7]']) {
      await kiroku.close()
      await start({ baseUrl })
      const { text } = await nodoka.open('/settings/passkeys')
      expect([baseUrl, text.includes('data-passkeys="unavailable"')]).toEqual([baseUrl, true])
      expect([text.includes('add-passkey'), text.includes('https://kiroku.example')]).toEqual([false, true])
      expect((await createVisitor(kiroku).open('/sign_in')).text).not.toContain('sign-in-passkey')
    }
  })

  test('at this machine’s address it leads to its name, where passkeys work', async () => {
    for (const path of ['', '/log']) {
      await kiroku.close()
      await start({ baseUrl: `http://127.0.0.1:3000${path}` })
      const cookie = [...nodoka.cookies].map((pair) => pair.join('=')).join('; ')
      const at = async (page: string) => {
        const headers = { host: '127.0.0.1:3000', cookie }
        const response = await kiroku.handle(new Request(`http://127.0.0.1:3000${path}${page}`, { headers }))
        return await response.text()
      }
      expect(await at('/settings/passkeys')).toContain(
        `href="http://localhost:3000${path}/settings/passkeys"`,
      )
      expect(await at('/settings/passkeys')).not.toContain('add-passkey')
      expect(await at('/sign_in')).not.toContain('sign-in-passkey')
    }
    await kiroku.close()
    await start({ baseUrl: 'http://127.0.0.1:3000' })
    const device = createDevice()
    expect((await addDevice(nodoka, device)).status).toBe(303)
    expect((await signInBy(createVisitor(kiroku), device)).status).toBe(303)
  })

  test('/.well-known/passkey-endpoints leads there', async () => {
    const page = 'http://localhost:3000/settings/passkeys'
    const response = await kiroku.ask('/.well-known/passkey-endpoints')
    expect([response.status, await response.json()]).toEqual([200, { enroll: page, manage: page }])
  })
})
