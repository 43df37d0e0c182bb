import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { messagesIn } from '../../src/messages/languages'
import { moment } from '../../src/pages/moment'
import { defaultPreferences } from '../../src/pages/preferences'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { start } from '../support/instance'
import { createMember } from '../support/visitor'

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

const hour = 3_600_000

/** The times on the sessions page, of a session that began at `start`, for a browser whose clock is hours later. */
async function timesOf(options: BrowserContextOptions, later = 0) {
  const context = await site.browser.newContext(options)
  const name = cookieName('sid', site.baseUrl)
  const value = (await createMember(site.instance, 'mio')).cookies.get(name) ?? ''
  await context.addCookies([{ name, value, url: site.baseUrl }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  if (options.javaScriptEnabled !== false) await page.clock.setFixedTime(start + later)
  const response = await page.goto(`${site.baseUrl}/settings/sessions`)
  const times = await page.locator('main time').allTextContents()
  const title = await page.locator('main time').first().getAttribute('title')
  await context.close()
  const policy = response?.headers()['content-security-policy'] ?? ''
  return { text: times.at(-1), title, complaints, policy }
}

describe.skipIf(!hasChromium)('times are shown in words', () => {
  test.each([
    [{ locale: 'en', timezoneId: 'Asia/Tokyo' }, 0, 'today at 21:00'],
    [{ locale: 'en', timezoneId: 'Asia/Tokyo' }, 4 * hour, 'yesterday at 21:00'],
    [{ locale: 'ja', timezoneId: 'Asia/Tokyo' }, 4 * hour, '昨日 21:00'],
    [{ locale: 'ja', timezoneId: 'Asia/Tokyo' }, 72 * hour, '2026/04/01 21:00'],
    [{ locale: 'en-GB', timezoneId: 'Pacific/Kiritimati' }, -24 * hour, 'tomorrow at 02:00'],
    [{ locale: 'en-GB', timezoneId: 'America/St_Johns' }, 72 * hour, '1 Apr 2026, 09:30'],
    [{ locale: 'en-US', timezoneId: 'America/New_York' }, 24 * hour, 'yesterday at 8:00 AM'],
  ])(
    'in the zone of %j, %d ms later',
    async (options, later, expected) => {
      const { text, title, complaints, policy } = await timesOf(options, later)
      expect([text?.replaceAll('\u202f', ' '), complaints]).toEqual([expected, []])
      expect(title).toContain('2026')
      expect(policy).toContain("script-src 'self';")
    },
    60_000,
  )

  test.each([
    ['en', 'today at 12:00 UTC'],
    ['ja', '今日 12:00 UTC'],
  ])(
    'and without a script in UTC, which is said, in %s',
    async (locale, expected) => {
      const { text, title } = await timesOf({ locale, timezoneId: 'Asia/Tokyo', javaScriptEnabled: false })
      expect([text, title]).toEqual([expected, '2026-04-01 12:00:00 UTC'])
    },
    60_000,
  )
})

test.each([
  ['en', start, 'today at 12:00 UTC'],
  ['en', start - 12 * hour - 1, 'yesterday at 23:59 UTC'],
  ['en', start + 12 * hour, 'tomorrow at 00:00 UTC'],
  ['en', start - 36 * hour - 1, '30 Mar 2026, 23:59 UTC'],
  ['ja', start - 24 * hour, '昨日 12:00 UTC'],
  ['ja', start + 365 * 24 * hour, '2027/04/01 12:00 UTC'],
] as const)('the server says in %s of %d: %s', (language, at, expected) => {
  const reader = { t: messagesIn(language), now: start, preferences: defaultPreferences(language) }
  expect(moment(reader, at).text).toContain(`>${expected}</time>`)
})
