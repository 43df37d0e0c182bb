import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSite, hasChromium, type Site, sharedBrowser } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { addRecords } from '../support/watched-rows'

let site: Site
let person: Person
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  const [at, episode_id] = [site.instance.clock.now - 3_600_000, works.complete * 100 + 1]
  const rows = [0, 1, 2].map((day) => ({
    user_id: 1,
    work_id: works.complete,
    episode_id,
    watched_at: at - day * 86_400_000,
  }))
  await addRecords(site.instance, [...rows, ...rows.slice(0, 1)])
  site.instance.store.handle.run('update records set private = 1 where id = (select max(id) from records)')
  person = await personAt(site, 'mio', {
    viewport: { width: 390, height: 844 },
    locale: 'ja',
    timezoneId: 'Asia/Tokyo',
  })
}, 60_000)
afterAll(async () => {
  await person?.context.close()
  await site?.close()
})

const rows = () =>
  site.instance.store.handle
    .query<{ picture_hash: string | null; audience: string; figures: string }, []>(
      'select picture_hash, audience, figures from shares',
    )
    .all()

describe.skipIf(!hasChromium)('sharing a year (D91, D92)', () => {
  test('shows in a dialog what others will see, and sends the picture that the page drew of it', async () => {
    const { page } = person
    const year = new Date(site.instance.clock.now).getUTCFullYear()
    const address = `${site.baseUrl}/@mio/${year}`
    await page.goto(address)
    expect(await page.locator('[data-figure="episodes"]').getAttribute('value')).toBe('4')
    await page.locator('.year-sharing a').click()
    const dialog = page.locator('dialog[open]')
    await dialog.locator('.year-preview > img').waitFor()
    expect(await dialog.locator('[data-figure="episodes"]').getAttribute('value')).toBe('3')
    const drawn = await page.evaluate(`(async (image) => {
      await image.decode()
      return image.naturalWidth
    })(document.querySelector('.year-preview > img'))`)
    expect(drawn).toBe(1200)
    await dialog.locator('input[value="public"]').check()
    await dialog.locator('button.filled').click()
    await page.locator('.year-sharing form[data-act="year_unshare"]').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(page.url()).toBe(address)
    const [share] = rows()
    expect(share).toMatchObject({ audience: 'public', picture_hash: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const visitor = await (await sharedBrowser()).newPage()
    await visitor.goto(address)
    const picture = await visitor.locator('meta[property="og:image"]').getAttribute('content')
    const file = await (await fetch(site.baseUrl + new URL(picture ?? '').pathname)).bytes()
    await visitor.close()
    // The ground of the drawing, not an empty canvas.
    expect(await new Bun.Image(file).metadata()).toEqual({ width: 1200, height: 630, format: 'png' })
    expect(file.length).toBeGreaterThan(5000)
  })

  test('without script it is a page of its own, and shares without a picture', async () => {
    const { context } = person
    const year = new Date(site.instance.clock.now).getUTCFullYear()
    const other = await (await sharedBrowser()).newContext({
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    })
    const page = await other.newPage()
    await page.goto(`${site.baseUrl}/@mio/${year}`)
    await page.locator('.year-sharing a').click()
    expect(page.url()).toEndWith(`/@mio/${year}/share`)
    await page.locator('form[data-act="year_share"] button').click()
    expect(page.url()).toEndWith(`/@mio/${year}`)
    expect(rows()).toMatchObject([{ picture_hash: null }])
    await other.close()
  })
})
