import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { allSources } from '../../src/sources/all'
import { enableSource } from '../../src/sources/run/settings'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { type Person, personAt } from '../support/flows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  site.instance.store.handle.run("update users set is_admin = 1 where username = 'mio'")
}, 60_000)
afterAll(() => site?.close())

const page = '/admin/catalogue/sources/annict'
const run = (sql: string) => site.instance.store.handle.run(sql)
const count = (sql: string) => site.instance.store.handle.query<{ n: number }, []>(sql).get()?.n

beforeEach(() => {
  if (!hasChromium) return
  for (const table of ['catalogue_runs', 'catalogue_sources']) run(`delete from ${table}`)
})

/** On a phone with script, on a desktop without. */
const readers = looks.map((look, index) => ({ ...look, javaScriptEnabled: index === 0 }))

describe.skipIf(!hasChromium).each(readers)('an administrator, %o', (look) => {
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', look)
  })
  afterAll(() => person.context.close())

  test('answers the question with one press', async () => {
    await person.page.goto(`${site.baseUrl}/welcome/catalogue`)
    await person.page.locator('main form button[value="no"]').click()
    await person.page.waitForURL('**/welcome')
    expect(count('select count(*) as n from catalogue_sources where is_enabled = 1')).toBe(0)
    expect(count('select count(*) as n from catalogue_sources')).toBeGreaterThan(0)
  })

  test('has a source run, may leave, and finds its report', async () => {
    const source = allSources.find(({ name }) => name === 'annict')
    if (source !== undefined) await enableSource(site.instance.deps, source, { token: 'abc' })
    await person.page.goto(site.baseUrl + page)
    await person.page.locator('button[name="dry_run"][value="1"]').click()
    await person.page.waitForURL('**/admin/catalogue/runs/*')
    await person.page.locator('#running').waitFor()
    run('update catalogue_runs set requests = 7, bytes = 9000')
    await person.page.locator('#running', { hasText: '7' }).waitFor()
    run("update catalogue_runs set ended_at = started_at + 1, outcome = 'unchanged'")
    await person.page.locator('#running').waitFor({ state: 'detached' })
    await person.page.goto(`${site.baseUrl}/admin/catalogue`)
    // In the list of runs; a dry run is not the last run of its source.
    expect(await person.page.locator('a[href^="/admin/catalogue/runs/"]').count()).toBe(1)
  }, 60_000)
})
