import { expect, test } from 'bun:test'
import { createIdentityProvider } from '../support/identity-provider'
import { freePort, startServer } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

test('D102: who is at the provider while the server is restarted comes back and is signed in, once', async () => {
  using directory = await preparedDirectory()
  const home = await createIdentityProvider()
  home.person = { sub: 'sub-1', preferred_username: 'azunyan' }
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const env = {
    ...{ KIROKU_OIDC_ISSUER: home.issuer, KIROKU_OIDC_CLIENT_ID: 'kiroku', KIROKU_OIDC_SIGN_UP: 'on' },
  }
  const start = () => startServer(directory, ['--port', String(port)], { env })
  const open = (path: string, cookies: readonly string[] = []) =>
    fetch(`${baseUrl}${path}`, { redirect: 'manual', headers: { cookie: cookies.join('; ') } })
  const cookiesOf = (response: Response) =>
    response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')

  const before = await start()
  const left = await open('/sign_in/with/oidc?return_to=%2Fsettings')
  const back = new URL(home.visit(left.headers.get('location') ?? ''))
  // Without a chance to write anything down.
  await before.end('SIGKILL')
  await using _ = await start()
  const arrived = await open(back.pathname + back.search, cookiesOf(left))
  expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/welcome'])
  expect(await (await open('/settings', cookiesOf(arrived))).text()).toContain('azunyan')
  expect((await open(back.pathname + back.search, cookiesOf(left))).status).toBe(400)
  await home.stop()
})
