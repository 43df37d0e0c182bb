import { afterAll, expect, test } from 'bun:test'
import { closeContexts, hasChromium, sharedBrowser } from '../support/chromium'
import { output, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { buttonOf, withDevice } from '../support/virtual-device'

afterAll(async () => {
  if (hasChromium) await closeContexts(await sharedBrowser())
})

test.skipIf(!hasChromium)(
  'D104: whoever lost the password and every passkey comes back by the operator’s link, and begins anew',
  async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio')
    await using server = await startServer(directory)
    const base = `http://localhost:${server.port}`
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const shots = process.env.KIROKU_TEST_PICTURES
    const shoot = async (name: string) => {
      if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
    }
    const lost = await withDevice(page)
    await page.goto(`${base}/sign_in?return_to=%2Fsettings%2Fpasskeys`)
    await page.fill('#username', 'mio')
    await page.fill('#password', 'correct horse')
    await page.locator('form[action$="/sign_in"] button.filled').click()
    await page.locator(buttonOf('add-passkey')).click()
    await page.locator('[data-passkey]').waitFor()

    // The phone is gone, and so is the password.
    await lost.remove()
    await context.clearCookies()
    await withDevice(page)
    await page.goto(`${base}/sign_in`)
    await page.fill('#username', 'mio')
    await page.fill('#password', 'was it this one')
    await page.locator('form[action$="/sign_in"] button.filled').click()
    await page.locator('.problems').waitFor()

    const link = (await output(directory, ['user', 'sign-in-link', 'mio'])).trim()
    await page.goto(link.replace('127.0.0.1', 'localhost'))
    await shoot('link')
    await page.locator('form button.filled').click()
    await page.waitForURL(`${base}/settings`)
    await page.goto(`${base}/settings/passkeys`)
    await page.locator(buttonOf('add-passkey')).click()
    await page.locator('[data-passkey]').nth(1).waitFor()
    await shoot('two-passkeys')
    await page
      .locator('[data-passkey]')
      .first()
      .getByRole('link', { name: /Remove/ })
      .click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL(`${base}/settings/passkeys`)
    expect(await page.locator('[data-passkey]').count()).toBe(1)
    await page.goto(`${base}/settings/password/remove`)
    await page.getByRole('button', { name: 'Remove password' }).click()
    await page.waitForURL(`${base}/settings`)
    await page.goto(`${base}/settings/password`)
    await page.fill('#password', 'another horse battery')
    await page.locator('main form button.filled').click()
    await page.locator('h1', { hasText: 'Your password has been changed' }).waitFor()

    await page.goto(`${base}/settings/sign_ins`)
    expect(await page.locator('[data-way="link"][data-outcome]').count()).toBe(1)
    expect(await page.locator('[data-way="password"][data-outcome="wrong"]').count()).toBe(1)
    await context.clearCookies()
    await page.goto(`${base}/sign_in?return_to=%2Fsettings`)
    await page.waitForURL(`${base}/settings`)
    await context.clearCookies()
    expect((await page.goto(link.replace('127.0.0.1', 'localhost')))?.status()).toBe(404)
    await shoot('link-again')
  },
  120_000,
)
