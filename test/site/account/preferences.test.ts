import { afterAll, describe, expect, test } from 'bun:test'
import { cookieName } from '../../../src/web/cookies'
import { createInstance } from '../../support/instance'
import { createMember } from '../../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

const [times, display] = ['/settings/language_and_time', '/settings/display']
const chosen = {
  language: 'en',
  title_language: 'romaji',
  time_zone: 'Europe/Berlin',
  week_start: 'saturday',
  long_nights: 'long',
  rating_display: 'ten',
}

/** The values shown in the rows of the settings. */
const valuesOf = (html: string) =>
  [...html.matchAll(/<b>([^<]*)<\/b>\s*<span class="value">([^<]*)</g)].map(
    ([, name, value]) => `${name}: ${value}`,
  )

describe('a preference', () => {
  test("has the language's default until it is chosen", async () => {
    const en = await createMember(kiroku, 'Ritsu_T', { language: 'en' })
    expect(valuesOf((await en.open('/settings')).text)).toEqual(
      expect.arrayContaining([
        'Titles: English',
        'Time and week: UTC · Monday · 0:00–23:59',
        'Keyboard shortcuts: On',
      ]),
    )
    const ja = await createMember(kiroku, 'Ritsu_T', { language: 'ja' })
    expect(valuesOf((await ja.open('/settings')).text)).toEqual(
      expect.arrayContaining(['題名: 原題', '時刻と週: UTC · 日曜 · 24:00–29:59', 'テーマ: 端末に合わせる']),
    )
  })

  test('is stored with the account, for every browser', async () => {
    const member = await createMember(kiroku, 'mio')
    const saved = await member.submit(times, chosen)
    expect([saved.status, saved.location]).toEqual([303, '/settings'])
    expect((await member.open('/settings')).text).toContain('Settings saved')
    expect((await member.open('/settings')).text).not.toContain('Settings saved')
    const other = await createMember(kiroku, 'mio', { language: 'ja' })

    expect(valuesOf((await other.open('/settings')).text)).toEqual(
      expect.arrayContaining([
        'Language: English',
        'Titles: Romaji',
        'Time and week: Berlin · Saturday · 24:00–29:59',
        'Ratings: Out of 10',
      ]),
    )
    const form = (await other.open(times)).text
    for (const value of ['romaji', 'saturday', 'long', 'ten'])
      expect(form).toMatch(new RegExp(`value="${value}"[^>]* checked`))
    expect(form).toContain('<option value="Europe/Berlin" selected>Berlin (UTC+2)</option>')
  })

  test('accepts no zone, language or day that does not exist', async () => {
    const mio = await createMember(kiroku, 'mio')
    for (const wrong of [
      { time_zone: 'Mars/Base' },
      { title_language: 'klingon' },
      { week_start: '1' },
      { rating_display: '', time_zone: `A${'a'.repeat(100)}` },
    ]) {
      const page = await mio.submit(times, { ...chosen, ...wrong })
      expect([wrong, page.status]).toEqual([wrong, 422])
      expect(page.text).toContain('Choose one of the options.')
    }
  })

  test('of theme or keys takes effect on the page at once', async () => {
    const mio = await createMember(kiroku, 'mio')
    await mio.submit(display, { theme: 'dark', guards_spoilers: '1' })
    const { text } = await mio.open('/about')
    expect(text).toContain('<html lang="en" class="dark"')
    expect(valuesOf((await mio.open('/settings')).text)).toEqual(
      expect.arrayContaining(['Theme: Dark', 'Keyboard shortcuts: Off', 'Spoiler guard: On']),
    )
    await mio.submit(display, { theme: 'auto', has_keys: '1' })
    expect((await mio.open('/about')).text).toContain('class="auto has-keys"')
    expect(valuesOf((await mio.open('/settings')).text)).toContain('Spoiler guard: Off')
  })
})

describe("the browser's time zone", () => {
  const zone = cookieName('zone', kiroku.deps.config.baseUrl)
  const zoneFor = async (cookie: string, username = 'azusa') => {
    const visitor = await createMember(kiroku, username)
    visitor.cookies.set(zone, cookie)
    return /data-zone="([^"]*)"( data-zone-cookie="[^"]*")( data-own-zone)?/.exec(
      (await visitor.open('/settings')).text,
    )
  }

  test('comes from its cookie, which a script maintains', async () => {
    expect(await zoneFor('Asia/Tokyo')).toMatchObject({ 1: 'Asia/Tokyo', 2: ` data-zone-cookie="${zone}"` })
  })

  test("is replaced by the account's if one was chosen", async () => {
    expect(await zoneFor('Asia/Tokyo', 'mio')).toMatchObject({ 1: 'Europe/Berlin', 3: ' data-own-zone' })
  })

  test('is unknown if a cookie does not name one, whatever it contains', async () => {
    for (const cookie of ['', 'Mars/Base', '"><script>', 'a'.repeat(4000), '%00', '+09:00'])
      expect([cookie, (await zoneFor(cookie))?.[1]]).toEqual([cookie, 'UTC'])
  })
})
