import { hashPassword } from '../../src/accounts/account/password'
import { createSite, type Site } from './chromium'
import { fillCatalogue, type Person, personAt, works } from './flows'

export const password = 'correct horse battery'

export const phone = { viewport: { width: 390, height: 780 }, locale: 'en', hasTouch: true }

export const longComment = '夜の場面がすごい。\n“Wow” & <b>🍥</b>'

/** A site at which mio has a password, because her session will end. */
export async function createLateSite(): Promise<Site> {
  const site = await createSite()
  await fillCatalogue(site)
  const hash = await hashPassword(password, site.instance.deps.passwordCost)
  site.instance.store.handle.run("update users set password_hash = ? where username = 'mio'", [hash])
  return site
}

/** Mio on a phone, who has recorded nothing and is watching a series. */
export async function freshMio(site: Site): Promise<Person> {
  const { handle } = site.instance.store
  for (const table of ['form_receipts', 'acts', 'records', 'reviews', 'activities', 'statuses', 'skips'])
    handle.run(`delete from ${table}`)
  handle.run('delete from episodes where source_id = 3')
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
    works.onAir,
  ])
  return await personAt(site, 'mio', phone)
}

/** What the device keeps: presses that wait, and drafts. */
export const keptOnDevice = ({ page }: Pick<Person, 'page'>) =>
  page.evaluate<{ outbox: { state: string; label: string }[]; drafts: object[] }>(`new Promise((done) => {
    const opening = indexedDB.open('kiroku', 1)
    opening.onsuccess = () => {
      const tx = opening.result.transaction(['outbox', 'drafts'])
      const [outbox, drafts] = ['outbox', 'drafts'].map((name) => tx.objectStore(name).getAll())
      tx.oncomplete = () => done({ outbox: outbox.result, drafts: drafts.result })
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
