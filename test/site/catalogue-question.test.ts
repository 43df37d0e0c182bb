import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createLink } from '../../src/accounts/sign-in/one-time-link'
import { allSources } from '../../src/sources/all'
import { enableSource } from '../../src/sources/run/settings'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance()
})
afterEach(() => kiroku.close())

const path = '/welcome/catalogue'
const recommended = ['syobocal', 'wikidata', 'bangumi-data']

const stored = () =>
  kiroku.store.handle
    .query<{ name: string; is_enabled: number }, []>(
      'select name, is_enabled from catalogue_sources order by name',
    )
    .all()

async function administrator(language = 'en'): Promise<Visitor> {
  kiroku.store.handle.run("update users set is_admin = 1 where username = 'mio'")
  return await createMember(kiroku, 'mio', { language })
}

test('comes after the setup link, and before picking what one watches', async () => {
  const { deps } = kiroku
  kiroku.store.handle.run('update users set is_admin = 0')
  const link = await deps.write((tx) => createLink(tx, deps, { purpose: 'setup' }))
  const visitor = createVisitor(kiroku)
  const account = { username: 'newcomer', email: 'n@example.com', password: 'correct horse battery' }
  const made = await visitor.submit(`/setup/${link}`, account)
  expect(made.location).toBe(path)
  expect((await visitor.submit(path)).location).toBe('/welcome')
})

test.each([
  ['en', 'every day', '>No, do not contact any site<'],
  ['ja', '毎日', '>いいえ、どこにも接続しない<'],
])(
  'names in %s who would be contacted and how often, and has nothing chosen',
  async (language, often, no) => {
    const { text } = await (await administrator(language)).open(path)
    for (const host of ['cal.syoboi.jp', 'query.wikidata.org', 'cdn.jsdelivr.net'])
      expect(text).toContain(host)
    expect(text).toContain(often)
    expect(text).toContain(no)
    expect(text).not.toContain('api.annict.com')
    expect(text).not.toContain(' checked')
  },
)

test.each(['no', ''])('after %p nothing is on, and it is not asked again', async (look) => {
  const admin = await administrator()
  expect((await admin.submit(path, { look })).location).toBe('/welcome')
  expect(stored().map(({ name }) => name)).toEqual(recommended.toSorted())
  expect(stored().filter(({ is_enabled }) => is_enabled === 1)).toEqual([])
  const again = await admin.open(path)
  expect([again.status, again.location]).toEqual([303, '/welcome'])
})

test('after yes, sources that need no settings are on, and it is not asked again', async () => {
  const admin = await administrator()
  await admin.submit(path, { look: 'yes' })
  expect(stored()).toEqual(recommended.toSorted().map((name) => ({ name, is_enabled: 1 })))
  expect((await admin.open(path)).location).toBe('/welcome')
  expect(kiroku.lines.find(({ event }) => event === 'source_question')?.facts).toMatchObject({
    answer: 'yes',
  })
})

test('says what is missing until a source is on, and offers it again in one press to administrators', async () => {
  const at = new Date(kiroku.clock.now)
  kiroku.store.handle.run(
    `update works set media = 'tv', season_year = ${at.getUTCFullYear()}, broadcast_begin = null,
      season = '${['winter', 'spring', 'summer', 'autumn'][Math.floor(at.getUTCMonth() / 3)]}' where id = 1`,
  )
  kiroku.store.handle.run('delete from programs')
  const admin = await administrator()
  expect((await admin.open(path)).text).toMatch(
    /Of \d+ TV series, \d+ have no episode count, and 1 of the 1 of this season/,
  )
  await admin.submit(path, { look: 'no' })
  const { text } = await admin.open('/welcome')
  expect(text).toContain('have no episode count')
  expect(text).toMatch(/<form method="post" action="\/welcome\/catalogue"[\s\S]*?name="look" value="yes"/)
  expect((await (await createMember(kiroku, 'azusa')).open('/welcome')).text).not.toContain(
    '/welcome/catalogue',
  )
  await admin.submit('/welcome', { look: 'yes' }, path)
  expect(stored().filter(({ is_enabled }) => is_enabled === 0)).toEqual([])
  expect((await admin.open('/welcome')).text).not.toContain('/welcome/catalogue')
})

test('an invalid answer is refused', async () => {
  const refused = await (await administrator()).submit(path, { look: 'maybe' })
  expect([refused.status, stored()]).toEqual([422, []])
})

test('is not asked of somebody who has already enabled or disabled a source', async () => {
  const source = allSources.find(({ name }) => name === 'annict')
  if (source === undefined) throw new Error('there is no annict')
  await enableSource(kiroku.deps, source, { token: 'abc' })
  expect((await (await administrator()).open(path)).location).toBe('/welcome')
})

test('is for administrators', async () => {
  expect((await (await createMember(kiroku, 'azusa')).open(path)).status).toBe(403)
  expect((await createVisitor(kiroku).open(path)).location).toContain('/sign_in')
})
