import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createSite, hasChromium, type Site, ways } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, layoutProblems, rulesOfLooks } from '../support/findings'
import { type Person, personAt } from '../support/flows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  site.instance.store.handle.run('delete from records; delete from reviews; delete from statuses')
  await Bun.write(join(site.instance.deps.config.data, 'animelist.xml'), list)
}, 60_000)
afterAll(() => site?.close())

const anime = (id: number, title: string, facts: string) =>
  `<anime><series_animedb_id>${id}</series_animedb_id><series_title><![CDATA[${title}]]></series_title>${facts}</anime>`
const list = `<?xml version="1.0" encoding="UTF-8" ?><myanimelist>
  <myinfo><user_export_type>1</user_export_type></myinfo>
  ${anime(900_001, '100%の恋', '<my_watched_episodes>0</my_watched_episodes><my_status>Completed</my_status><my_score>4</my_score>')}
  ${anime(900_002, 'Nobody knows this', '<my_watched_episodes>1</my_watched_episodes><my_status>Watching</my_status><my_score>5</my_score>')}
</myanimelist>`

describe.skipIf(!hasChromium).each(ways)('a list moves in, $way', ({ way, ...options }) => {
  let person: Person
  beforeAll(async () => {
    site.instance.store.handle.run('delete from list_choices; delete from list_imports')
    person = await personAt(site, 'mio', options)
  })
  afterAll(() => person.context.close())

  // All apply to the phone, which is in English; the desktop has the same elements.
  const rules = options.locale === 'en' ? undefined : rulesOfLooks
  const statuses = () =>
    rowsOf(site.instance.store.handle, 'statuses').map(({ work_id, kind }) => [work_id, kind])
  const check = async () =>
    options.javaScriptEnabled &&
    expect([...(await findings(person.page, rules)), ...(await layoutProblems(person.page))]).toEqual([])

  test('it is read, its questions are answered, and it is applied and undone', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/@mio`)
    await page.click('.totals .links a[href$="/settings/import"]')
    await page.waitForURL(/\/settings\/import$/)
    await check()
    await page.setInputFiles('#file', join(site.instance.deps.config.data, 'animelist.xml'))
    // With script, the file is read as soon as it is chosen.
    if (!options.javaScriptEnabled) await page.click('form.upload button')
    await page.waitForURL(/\/settings\/import\/\d+$/)
    await check()
    expect(statuses()).toEqual([])
    const folded = page.locator('.import-options > summary')
    if (await folded.isVisible()) await folded.click()
    await page.check('#conflict-file')
    await page.click('.import-options form button')
    await page.waitForSelector('#conflict-file[checked]', { state: 'attached' })
    await page.click('.import-row:nth-child(2) .import-change')
    await page.fill('.import-search [type="search"]', '星降る')
    if (!options.javaScriptEnabled) await page.click('.import-search button')
    await page.waitForSelector('.proposal [value="1"]')
    await check()
    await page.check('.proposal [value="1"]')
    await page.click('#decide button:not([name])')
    await page.waitForSelector('.import-row:nth-child(2) .of-new')
    await page.click('.import-row:nth-child(1) .import-change')
    await page.click('#decide button:not([name])')
    await page.waitForSelector('.import-row:nth-child(1) .of-new')
    expect(statuses()).toEqual([])
    await page.click('form.import-apply button')
    await page.waitForSelector('.import-report')
    await check()
    expect(statuses()).toEqual([
      [1, 'watching'],
      [5, 'watched'],
    ])
    await page.click('form[action$="/undo"] button')
    if (options.javaScriptEnabled) await page.click('dialog .filled')
    await page.waitForSelector('.import-report:not(:has(form[action$="/undo"]))')
    await check()
    expect(statuses()).toEqual([])
  }, 60_000)
})
