import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { hashPassword } from '../../src/accounts/account/password'
import { createSite, hasChromium, type Site } from './chromium'
import { fillCatalogue, type Person, personAt, works } from './flows'
import { until } from './until'

export const password = 'correct horse battery'

export const phone = { viewport: { width: 390, height: 780 }, locale: 'en', hasTouch: true }

export const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en' }

export const longComment = '夜の場面がすごい。\n“Wow” & <b>🍥</b>'

/** Of the file that runs: its site, and in each of its tests Mio on a fresh phone. */
export let site: Site
export let person: Person

/** The hooks of a file; `prepare` is done before each of its tests, in a `browser` of its own. */
export function useLateSite(prepare: () => Promise<void> = async () => {}, browser: object = phone): void {
  beforeAll(async () => {
    if (hasChromium) site = await createLateSite()
  }, 60_000)
  afterAll(() => site?.close())
  beforeEach(async () => {
    if (!hasChromium) return
    person = await freshMio(site, browser)
    await prepare()
  })
  afterEach(() => person?.context.close())
}

/** Another browser for the rest of a test. */
export async function useBrowser(options: object): Promise<void> {
  await person.context.close()
  person = await personAt(site, 'mio', { ...phone, ...options })
}

/** Track, as the worker has seen it. */
export async function openUnderWorker(): Promise<void> {
  await person.page.goto(site.baseUrl)
  await until(() => person.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
  await person.page.reload()
}

/** A site at which mio has a password, because her session will end. */
async function createLateSite(): Promise<Site> {
  const site = await createSite()
  await fillCatalogue(site)
  const hash = await hashPassword(password, site.instance.deps.passwordCost)
  site.instance.store.handle.run("update users set password_hash = ? where username = 'mio'", [hash])
  return site
}

/** Mio, who has recorded nothing and is watching a series. */
async function freshMio(site: Site, browser: object): Promise<Person> {
  const { handle } = site.instance.store
  for (const table of ['form_receipts', 'acts', 'records', 'reviews', 'activities', 'statuses', 'skips'])
    handle.run(`delete from ${table}`)
  handle.run('delete from episodes where source_id = 3')
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
    works.onAir,
  ])
  return await personAt(site, 'mio', browser)
}

/** What the device keeps: presses that wait, and drafts. */
export const keptOnDevice = ({ page }: Pick<Person, 'page'>) =>
  page.evaluate<{
    outbox: { state: string; label: string }[]
    drafts: object[]
  }>(`new Promise((done, fail) => {
    const opening = indexedDB.open('kiroku', 1)
    // The page has not made it yet, and must not find one without its stores.
    opening.onupgradeneeded = () => opening.transaction.abort()
    opening.onerror = () =>
      opening.error.name === 'AbortError' ? done({ outbox: [], drafts: [] }) : fail(opening.error)
    opening.onblocked = () => fail(new Error('another page holds the database'))
    opening.onsuccess = () => {
      const tx = opening.result.transaction(['outbox', 'drafts'])
      const [outbox, drafts] = ['outbox', 'drafts'].map((name) => tx.objectStore(name).getAll())
      tx.onabort = () => fail(tx.error)
      tx.oncomplete = () => {
        opening.result.close()
        done({ outbox: outbox.result, drafts: drafts.result })
      }
    }
  })`)

export const endSessions = ({ instance }: Site) => instance.store.handle.run('delete from sessions')

/** By the link of what waits, after the session has ended. */
export async function signInAgain({ page }: Pick<Person, 'page'>): Promise<void> {
  await page.locator('[data-outbox="1"] a[href*="/sign_in"]').click()
  await page.fill('[name=username]', 'mio')
  await page.fill('[name=password]', password)
  await page.keyboard.press('Enter')
}
