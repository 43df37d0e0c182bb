import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { recordEpisode, recordUpTo } from '../../src/library/acts/record-acts'
import { chooseStatus, writeNote } from '../../src/library/acts/work-acts'
import { grant } from '../support/apps'
import { createSite, hasChromium, type Site, ways } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, rulesOfLooks } from '../support/findings'
import { fillCatalogue, personAt, works } from '../support/flows'
import { types, withToken } from '../support/instance'
import { registerClient } from '../support/oauth'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
}, 60_000)
afterAll(() => site?.close())

const mio = 1

async function fill(): Promise<void> {
  const { instance } = site
  const { deps } = instance
  for (const table of ['acts', 'records', 'activities', 'statuses', 'notes'])
    instance.store.handle.run(`delete from ${table}`)
  const client = await registerClient(instance, { name: 'アニメ録画時計 for Android' })
  const token = await grant(instance, client.id, mio, { scope: 'read write' })
  const send = (path: string, body: object) =>
    instance.ask(
      path,
      withToken(token, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': types.json },
      }),
    )
  const pass = () => (instance.clock.now += 60_000)
  await recordEpisode(deps, mio, { episodeId: 10_101 })
  pass()
  await chooseStatus(deps, mio, { workId: works.complete, kind: 'on_hold' })
  pass()
  await send('/v1/me/records', { episode_id: 10_102 })
  pass()
  await send('/v1/me/statuses', { work_id: works.complete, kind: 'watched' })
  pass()
  await writeNote(deps, mio, { workId: works.onAir, text: '内緒' })
  pass()
  await recordUpTo(deps, mio, { episodeId: 10_104 })
}

describe.skipIf(!hasChromium).each(ways)('the history, $way', ({ way, ...options }) => {
  test('says what an application wrote, undoes it in its place, and names it where it is in the way', async () => {
    await fill()
    const { page, context } = await personAt(site, 'mio', options)
    await page.goto(`${site.baseUrl}/settings/history`)
    const rules = options.locale === 'en' ? undefined : rulesOfLooks
    if (options.javaScriptEnabled) expect(await findings(page, rules)).toEqual([])
    const picture = async (name: string) => {
      if (Bun.env.PICTURES)
        await page.screenshot({
          path: `${Bun.env.PICTURES}/${way.replaceAll(/\W+/g, '-')}-${name}.png`,
          fullPage: true,
        })
    }
    await picture('all')
    const record = rowsOf(site.instance.store.handle, 'records').find(
      ({ episode_id }) => episode_id === 10_102,
    )
    const row = page.locator('li.act', { hasText: 'アニメ録画時計' })
    expect(await row.count()).toBe(2)
    // The act of the status that the application replaced.
    await page
      .locator('li.act', { hasText: options.locale === 'en' ? 'On hold' : '中断' })
      .getByRole('button')
      .click()
    await page.locator('#toast', { hasText: 'アニメ録画時計' }).waitFor()
    await picture('refused')
    await page.locator('#toast button').last().click()
    await row.nth(1).waitFor({ state: 'detached' })
    await row.getByRole('button').click()
    await row.waitFor({ state: 'detached' })
    await picture('undone')
    expect(rowsOf(site.instance.store.handle, 'records').some(({ id }) => id === record?.id)).toBe(false)
    await context.close()
  }, 30_000)
})
