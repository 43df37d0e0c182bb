import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { person, site, useLateSite } from '../support/late-site'

useLateSite()

const press = async (...keys: readonly string[]) => {
  for (const key of keys) await person.page.keyboard.press(key)
}
const records = () => rowsOf(site.instance.store.handle, 'records')

describe.skipIf(!hasChromium)('a rating by a key', () => {
  test('leaves the focus on it: Tab goes on to the comment, where letters are text', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/record/new?episode=10106`)
    await press('2', 'Tab')
    await page.keyboard.type('rz')
    expect(await page.locator('[name=comment]').inputValue()).toBe('rz')
    expect(records()).toEqual([])
  })
})

describe.skipIf(!hasChromium)('a face that is chosen', () => {
  const face = () => person.page.locator('label.face.good')
  const isChosen = () => person.page.locator('[name=rating_state][value=good]').isChecked()
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'its key': () => press('2'),
    Space: () => press('Space'),
    'the pointer': () => face().click(),
  }

  test.each(Object.entries(ways))('is taken back when it is pressed again, by %s', async (_, pressAgain) => {
    const { page } = person
    await page.goto(`${site.baseUrl}/record/new?episode=10105`)
    await press('2')
    expect(await isChosen()).toBe(true)
    await pressAgain()
    expect(await isChosen()).toBe(false)
    await pressAgain()
    expect(await isChosen()).toBe(true)
    await pressAgain()
    await page.click('form[data-act=record] .filled')
    await person.told(/Recorded/)
    expect(records()).toMatchObject([{ episode_id: 10_105, rating_state: null }])
  })

  test('and taken back is none in the draft, too, where the record has one', async () => {
    const { page } = person
    site.instance.store.handle.run(
      "insert into records (id, user_id, work_id, episode_id, rating_state, watched_at, created_at) values (9, 1, 101, 10105, 'good', 1, 1)",
    )
    await page.goto(`${site.baseUrl}/records/9/edit`)
    await page.fill('[name=comment]', 'だれかの声')
    await face().click()
    expect(await page.locator('[name=rating_state][value=""]').isChecked()).toBe(true)
    await page.reload()
    await page.locator('.draft').waitFor()
    expect([await isChosen(), await page.locator('[name=comment]').inputValue()]).toEqual([
      false,
      'だれかの声',
    ])
    await page.click('main form .filled')
    await person.told(/Changed the record/)
    expect(records()).toMatchObject([{ rating_state: null, comment: 'だれかの声' }])
  })
})
