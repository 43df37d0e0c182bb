import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { closeContexts, hasChromium, sharedBrowser } from '../support/chromium'
import { output, startServer } from '../support/kiroku'
import { startOidcProvider } from '../support/oidc-provider'
import { preparedDirectory } from '../support/prepared-directory'

afterAll(async () => {
  if (hasChromium) await closeContexts(await sharedBrowser())
})

const habits = {
  ...{ path: '/realms/home', inIdToken: false },
  claims: { preferred_username: 'azunyan', email: 'azusa@example.com', email_verified: true },
}

/** What the provider's own pages ask for. */
async function signInThere(page: Page, who: string, { agrees = true } = {}): Promise<void> {
  await page.fill('[name="login"]', who)
  await page.fill('[name="password"]', 'anything')
  await page.click('[type="submit"]')
  if (agrees) await page.click('[type="submit"]')
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  await server.stop(true)
  return port
}

test.skipIf(!hasChromium).each([
  ['at the root', '', true],
  ['below a path, without script', '/log', false],
])(
  'a person signs up, connects, confirms and signs out with a provider, %s',
  async (_, path, javaScriptEnabled) => {
    using directory = await preparedDirectory()
    const port = await freePort()
    const baseUrl = `http://127.0.0.1:${port}${path}`
    const home = await startOidcProvider(habits, [`${baseUrl}/sign_in/with/oidc/back`])
    const create = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
    await output(directory, create, { input: 'correct horse battery' })
    const env = {
      ...{
        KIROKU_OIDC_ISSUER: home.issuer,
        KIROKU_OIDC_CLIENT_ID: 'kiroku',
        KIROKU_OIDC_CLIENT_SECRET: 'hush',
      },
      ...{ KIROKU_OIDC_NAME: '家のアカウント', KIROKU_OIDC_SIGN_UP: 'on' },
    }
    await using _server = await startServer(directory, ['--port', String(port), '--base-url', baseUrl], {
      env,
    })
    const browser = await sharedBrowser()
    const open = async () => {
      const context = await browser.newContext({
        javaScriptEnabled,
        locale: 'ja',
        viewport: { width: 390, height: 844 },
      })
      // Pages of the provider's own ask for fonts.
      await context.route(
        ({ hostname }) => hostname !== '127.0.0.1',
        (route) => route.abort(),
      )
      return await context.newPage()
    }
    const shots = process.env.KIROKU_TEST_PICTURES
    const shoot = async (page: Page, name: string) => {
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/${name}${path === '' ? '' : '-path'}.png` })
    }

    const azusa = await open()
    await azusa.goto(`${baseUrl}/sign_in`)
    await shoot(azusa, 'sign-in')
    await azusa.click('[data-act="sign-in-with"]')
    await signInThere(azusa, 'azusa')
    await azusa.waitForURL(`${baseUrl}/welcome`)
    await azusa.goto(`${baseUrl}/settings/providers`)
    expect(await azusa.textContent('main')).toContain('azunyan')
    await shoot(azusa, 'providers')
    // This provider does not say when somebody signed in there, so the first careful act asks.
    await azusa.click('[data-act="disconnect"] button')
    await azusa.waitForSelector('[data-act="confirm-with"]')
    await shoot(azusa, 'confirm-alone')
    await azusa.click('[data-act="confirm-with"] button')
    await signInThere(azusa, 'azusa', { agrees: false })
    await azusa.waitForURL(`${baseUrl}/settings/providers`)
    await azusa.click('[data-act="disconnect"] button')
    await azusa.waitForSelector('.failure')
    expect(await azusa.textContent('main')).toContain('ほかにログイン手段がありません')
    await azusa.goto(`${baseUrl}/settings`)
    await azusa.click('main form[action$="/sign_out"] button')
    await azusa.waitForURL(`${baseUrl}/signed_out?provider=oidc`)
    await shoot(azusa, 'signed-out')
    expect(await azusa.getAttribute('[data-act="sign-out-provider"]', 'href')).toStartWith(home.issuer)

    const mio = await open()
    await mio.goto(`${baseUrl}/sign_in?return_to=%2Fsettings%2Fproviders`)
    await mio.fill('[name="username"]', 'mio')
    await mio.fill('[name="password"]', 'correct horse battery')
    await mio.click('form button.filled')
    await mio.waitForURL(`${baseUrl}/settings/providers`)
    await mio.click('[data-act="connect"] button')
    await signInThere(mio, 'mio_there')
    await mio.waitForURL(`${baseUrl}/settings/providers`)
    expect(await mio.locator('[data-act="disconnect"]').count()).toBe(1)
    await mio.goto(`${baseUrl}/confirm?return_to=%2Fsettings%2Fsessions`)
    await shoot(mio, 'confirm')
    await mio.click('[data-act="confirm-with"] button')
    await signInThere(mio, 'mio_there', { agrees: false })
    await mio.waitForURL(`${baseUrl}/settings/sessions`)
    home.stop()
  },
  240_000,
)
