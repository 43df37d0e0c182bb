import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { request } from 'node:https'
import { hundredWorks } from '../support/catalogue-store'
import type { Body } from '../support/instance'
import { type Directory, output } from '../support/kiroku'
import { picture, send, withText } from '../support/pictures'
import { preparedDirectory } from '../support/prepared-directory'
import { createVisitor, type Visitor } from '../support/visitor'
import { installedExamples } from './examples'
import { type ProxiedSite, startProxied } from './proxy'

const password = 'correct horse battery'

const examples = installedExamples()

/** The data each instance starts with: a catalogue, an administrator and a token. */
let made: Directory
let token = ''
beforeAll(async () => {
  made = await preparedDirectory()
  if (examples.length === 0) return
  await output(made, ['catalogue', 'import', '-'], { input: hundredWorks() })
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--admin', '--password-stdin']
  await output(made, user, { input: password })
  const args = ['token', 'create', 'mio', '--description', 'proxy', '--scope', 'read write']
  token = (await output(made, args)).trim()
}, 60_000)
afterAll(() => made?.[Symbol.dispose]())

for (const example of examples) {
  describe(`behind the proxy of ${example.name}`, () => {
    const at = (target: string) => example.path + target
    let site: ProxiedSite
    let mio: Visitor
    beforeAll(async () => {
      site = await startProxied(example, made)
      mio = createVisitor(site)
    }, 60_000)
    afterAll(() => site?.[Symbol.asyncDispose]())

    const withToken = (target: string, init: RequestInit = {}) =>
      site.ask(at(target), { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
    const json = async (response: Promise<Response>) => (await (await response).json()) as Body

    test('a visitor is redirected to sign in, signs in, and gets a cookie only for this path', async () => {
      expect((await mio.open(at('/settings'))).location).toStartWith(at('/sign_in'))
      const entered = await mio.submit(at('/sign_in'), { username: 'mio', password })
      expect([entered.status, entered.location]).toEqual([303, at('/')])
      const [cookie] = entered.headers.getSetCookie().filter((line) => line.includes('kir_se_'))
      expect(cookie).toStartWith('__Host-sid')
      expect(cookie).toContain(`${encodeURIComponent(example.path)}=kir_se_`)
      expect((await mio.open(at('/settings'))).status).toBe(200)
    })

    test('an API client finds the path in every link and in the OAuth metadata', async () => {
      const { works } = await json(withToken('/v1/works?per_page=1&fields=id,images'))
      expect(works[0].images.cover_url).toStartWith(`${site.baseUrl}/covers/`)
      const metadata = `/.well-known/oauth-authorization-server${example.path}`
      const { issuer } = await json(site.ask(metadata))
      expect(issuer).toBe(site.baseUrl)
    })

    test('a picture of 3 MB is accepted; a larger body is refused with 413', async () => {
      const large = withText(await picture(200, 300, 'png'), 'x'.repeat(3_000_000))
      const [{ id }] = (await json(withToken('/v1/works?per_page=1&fields=id'))).works
      const sent = await send(mio, at(`/works/${id}/cover`), large)
      expect([sent.status, sent.location]).toEqual([303, at(`/works/${id}/cover`)])
      const body = `comment=${'x'.repeat(400_000)}`
      const refused = await withToken('/v1/me/records', { method: 'POST', body })
      expect(refused.status).toBe(413)
      expect(await refused.text()).toContain('"payload_too_large"')
    })

    test.each(['/', '/v1/works?per_page=50', '/docs'])('%s is compressed once', async (target) => {
      const init = { headers: { 'accept-encoding': 'gzip' }, decompress: false }
      const response = await withToken(target, init)
      expect(response.headers.get('content-encoding')).toBe('gzip')
      const text = new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()))
      expect(text).toMatch(/^(?:<!doctype html>|\{"works":)/i)
    })

    test("the log has the client's address, whatever it claims", async () => {
      const asked = `${site.baseUrl}/docs?from=elsewhere`
      expect(await statusFrom('127.0.0.2', asked, { 'x-forwarded-for': '203.0.113.9' })).toBe(200)
      const { stderr } = await site.kiroku.end('SIGTERM')
      const [line = '{}'] = stderr.split('\n').filter((logged) => logged.includes('from=elsewhere'))
      expect(JSON.parse(line)).toMatchObject({ event: 'request', peer: '127.0.0.2' })
    })
  })
}

/** The status of a GET sent from one of this machine's addresses. */
function statusFrom(localAddress: string, url: string, headers: Record<string, string>) {
  return new Promise<number | undefined>((resolve, reject) => {
    const options = { localAddress, headers, rejectUnauthorized: false, family: 4 }
    request(url, options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
