import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { databasePath } from '../../src/db/open'
import { closeContexts, hasChromium, sharedBrowser } from '../support/chromium'
import { freePort, startServer, temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'
import { buttonOf, withDevice } from '../support/virtual-device'

afterAll(async () => {
  if (hasChromium) await closeContexts(await sharedBrowser())
})

async function signInByPassword(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/sign_in?return_to=%2Fsettings%2Fpasskeys`)
  await page.fill('#username', 'mio')
  await page.fill('#password', 'correct horse')
  await page.locator('form[action$="/sign_in"] button.filled').click()
}

for (const path of ['', '/log'])
  test.skipIf(!hasChromium)(
    `D101: passkeys in Chromium with its virtual authenticator${path === '' ? '' : ', below a path'}`,
    async () => {
      using directory = temporaryDirectory()
      await withUsers(directory, 'mio')
      // With no base URL at the root, the server is at 127.0.0.1, and passkeys work at localhost.
      const port = freePort()
      const at = [
        '--port',
        String(port),
        ...(path === '' ? [] : ['--base-url', `http://localhost:${port}${path}`]),
      ]
      await using server = await startServer(directory, at)
      const base = `http://localhost:${server.port}${path}`
      const context: BrowserContext = await (await sharedBrowser()).newContext()
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      const device = await withDevice(page)
      // What the page tells the device of the passkeys that are left.
      await page.addInitScript(
        'PublicKeyCredential.signalAllAcceptedCredentials = async (all) => { window.told = all }',
      )
      const told = async () => {
        await page.waitForFunction('window.told !== undefined')
        const all = await page.evaluate('window.told')
        return (all as { allAcceptedCredentialIds: string[] }).allAcceptedCredentialIds.length
      }
      await signInByPassword(page, base)
      await page.waitForURL(`${base}/settings/passkeys`)

      await page.locator(buttonOf('add-passkey')).click()
      const row = page.locator('[data-passkey]')
      await row.waitFor()
      expect(await row.locator('b').textContent()).toBe('Chrome on Linux')
      expect(await told()).toBe(1)
      expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])
      // Again: the device has one already, says so, and nothing is sent.
      await page.locator(buttonOf('add-passkey')).click()
      await page.locator('[data-known]').waitFor()
      await row.locator('summary').click()
      await row.locator('input[name="name"]').fill('机の上の鍵')
      await row.getByRole('button', { name: 'Save name' }).click()
      await page.locator('b', { hasText: '机の上の鍵' }).waitFor()
      expect(await told()).toBe(1)

      // From the name field, without a press.
      await context.clearCookies()
      await page.goto(`${base}/sign_in?return_to=%2Fsettings`)
      await page.waitForURL(`${base}/settings`)

      // By the button, in a browser that offers nothing in the field.
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
      await context.clearCookies()
      await page.goto(`${base}/sign_in?return_to=%2Fsettings%2Fsign_ins`)
      await page.locator(buttonOf('sign-in-passkey')).click()
      await page.waitForURL(`${base}/settings/sign_ins`)
      expect(await page.locator('[data-sign-in][data-way="passkey"]').count()).toBe(2)

      const database = new Database(databasePath(directory.file('data')))
      database.run('update sessions set confirmed_at = 0')
      await page.goto(`${base}/settings/sign_ins`)
      await page.locator(buttonOf('confirm-passkey')).click()
      await page.waitForURL(`${base}/settings/sign_ins`)

      await page.goto(`${base}/settings/passkeys`)
      await row.getByRole('link', { name: /Remove/ }).click()
      await page.getByRole('button', { name: 'Remove' }).click()
      await row.waitFor({ state: 'detached' })
      expect(await told()).toBe(0)
      expect(database.query('select count(*) from passkeys').values()).toEqual([[0]])

      // As second step, by a key that verifies nobody.
      await device.remove()
      await withDevice(page, { verifies: false, transport: 'usb' })
      await page.goto(`${base}/settings/two_step`)
      await page.locator(buttonOf('two-step-passkey')).click()
      await page.locator('li code').first().waitFor()
      await page.goto(`${base}/settings/two_step`)
      expect(await told()).toBe(1)
      // The touch beside the password, since this key does not do alone.
      database.run('update sessions set confirmed_at = 0')
      await page.goto(`${base}/settings/two_step`)
      await page.fill('#key_password', 'correct horse')
      await page.locator(buttonOf('confirm-code-passkey')).click()
      await page.waitForURL(`${base}/settings/two_step`)
      await context.clearCookies()
      await signInByPassword(page, base)
      await page.locator(buttonOf('code-passkey')).click()
      await page.waitForURL(`${base}/settings/passkeys`)
      await page.getByText('second step only').waitFor()
      database.close()
      expect(problems.filter((text) => !text.includes('favicon'))).toEqual([])
    },
    120_000,
  )

test.skipIf(!hasChromium)(
  'without script there is no button that does nothing, and the page says why',
  async () => {
    using directory = temporaryDirectory()
    await withUsers(directory, 'mio')
    const port = freePort()
    await using server = await startServer(directory, ['--port', String(port)])
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`http://localhost:${server.port}/sign_in`)
    expect(await page.locator(buttonOf('sign-in-passkey')).isVisible()).toBe(false)
    expect(await page.locator('noscript').first().textContent()).toContain('Passkeys need JavaScript')
    await page.goto(`http://127.0.0.1:${server.port}/sign_in?return_to=%2Fsettings%2Fpasskeys`)
    await page.fill('#username', 'mio')
    await page.fill('#password', 'correct horse')
    await page.locator('form[action$="/sign_in"] button.filled').click()
    await page.locator('[data-passkeys="unavailable"] a').waitFor()
    expect(await page.locator('[data-passkeys="unavailable"] a').getAttribute('href')).toBe(
      `http://localhost:${server.port}/settings/passkeys`,
    )
  },
)
