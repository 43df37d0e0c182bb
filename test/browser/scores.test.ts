import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { person, site, useLateSite } from '../support/late-site'

useLateSite()

const records = () => rowsOf(site.instance.store.handle, 'records')
const open = async (display: string, path = '/record/new?episode=10106') => {
  site.instance.store.handle.run('update users set rating_display = ?', [display])
  await person.page.goto(`${site.baseUrl}${path}`)
}
const chosen = () =>
  person.page
    .locator('[name=score]:checked')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
const record = async () => {
  await person.page.click('form[data-act=record] .filled')
  await person.told(/Recorded/)
}

describe.skipIf(!hasChromium)('numbers in the sheet (D87)', () => {
  test.each(['stars', 'ten', 'hundred'])(
    'are chosen by the keys 1 to 9 and 0, and taken back: %s',
    async (display) => {
      await open(display)
      const { page } = person
      for (const [key, score] of [
        ['1', '10'],
        ['9', '90'],
        ['0', '100'],
      ] as const) {
        await page.keyboard.press(key)
        expect(await chosen()).toEqual([score])
      }
      await page.keyboard.press('0')
      expect(await chosen()).toEqual([''])
      await page.keyboard.press('8')
      expect(await page.locator('.meant').filter({ visible: true }).allInnerTexts()).toEqual([
        display === 'stars' ? '4 of 5\nGood' : 'Good',
      ])
      await record()
      expect(records()).toMatchObject([{ score: 80, rating_state: 'good' }])
    },
  )

  test('of one that is chosen and one that is typed, the later one counts', async () => {
    await open('ten')
    const { page } = person
    await page.keyboard.press('8')
    await page.fill('[name=score_exact]', '8,5')
    expect(await page.locator('.meant').filter({ visible: true }).count()).toBe(0)
    await page.locator('label.number').nth(6).click()
    expect([await chosen(), await page.inputValue('[name=score_exact]')]).toEqual([['70'], ''])
    await page.fill('[name=score_exact]', '9.1')
    await record()
    expect(records()).toMatchObject([{ score: 91, rating_state: 'great' }])
  })

  test('fit on a phone of 360 pixels, each at least 44 high', async () => {
    await person.page.setViewportSize({ width: 360, height: 740 })
    for (const display of ['stars', 'ten', 'hundred']) {
      await open(display)
      const heights = await person.page
        .locator('label.number')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
      expect(await person.page.locator('html').evaluate((page) => page.scrollWidth)).toBe(360)
    }
  })
})

describe.skipIf(!hasChromium)('a number on the page of a work (D87)', () => {
  const rated = () => rowsOf(site.instance.store.handle, 'reviews').map(({ score }) => score)

  test('is given by a key', async () => {
    await open('hundred', '/works/101')
    await person.page.keyboard.press('7')
    await person.page.locator('summary[data-focus=rating-101]', { hasText: '70' }).waitFor()
    expect(rated()).toEqual([70])
  })

  test('is given exactly by the field', async () => {
    await open('hundred', '/works/101')
    const { page } = person
    await page.locator('summary[data-focus=rating-101]').click()
    await page.fill('.entries [name=score_exact]', '73')
    await page.keyboard.press('Enter')
    await page.locator('summary[data-focus=rating-101]', { hasText: '73' }).waitFor()
    expect(rated()).toEqual([73])
  })
})
