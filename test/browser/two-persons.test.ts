import { expect, test } from 'bun:test'
import { cookieName } from '../../src/web/cookies'
import { hasChromium } from '../support/chromium'
import { works } from '../support/flows'
import { openUnderWorker, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

useLateSite(openUnderWorker)

test.skipIf(!hasChromium)(
  'a device keeps nothing of who has signed out, in any cache, database or storage, once another person has used it (D109)',
  async () => {
    const { page, context } = person
    const everything = () =>
      page.evaluate<string>(`(async () => {
      const all = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys())
          all.push(name, request.url, await (await cache.match(request, { ignoreVary: true })).text())
      }
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise((done) => {
          indexedDB.open(name).onsuccess = ({ target }) => done(target.result)
        })
        for (const store of database.objectStoreNames)
          all.push(JSON.stringify(await new Promise((done) => {
            database.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => done(target.result)
          })))
        database.close()
      }
      return all.join()
    })()`)
    const settled = async (has: string) => until(async () => (await everything()).includes(has))
    const typed = async (text: string) => {
      await page.goto(site.baseUrl)
      await page.locator(`#row-${works.onAir} a.more`).click()
      await page.fill('dialog [name=comment]', text)
      await page.goto(site.baseUrl)
      await settled(text)
    }
    const leave = async () => {
      await page.goto(`${site.baseUrl}/settings`)
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await page.waitForURL((url) => url.pathname !== '/settings')
    }
    await typed('only of mio')
    await leave()
    expect(await everything()).not.toMatch(/@mio|of mio/)
    const { cookies } = await createMember(site.instance, 'azusa')
    const name = cookieName('sid', site.baseUrl)
    await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
    site.instance.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (4, ?, 'watching', 1)",
      [works.onAir],
    )
    await typed('only of azusa')
    expect(await everything()).not.toMatch(/@mio|of mio/)
    await leave()
    expect(await everything()).not.toMatch(/@mio|of mio|@azusa|of azusa/)
  },
)
