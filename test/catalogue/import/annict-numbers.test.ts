import { afterAll, beforeEach, expect, test } from 'bun:test'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { toGlobalId } from '../../../src/graphql/declare/global-id'
import { bytesOf, episode, header, textOf, work } from '../../support/catalogue-store'
import { createInstance, type Instance } from '../../support/instance'

let instance: Instance
let own: number
const instances: Instance[] = []

beforeEach(async () => {
  instance = await createInstance({
    seed: async ({ handle }) => {
      handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
        values (1, 'mio', 'mio', 'みお', 'm@example.com', 'm@example.com', 'none', 0)`)
    },
  })
  instances.push(instance)
  await load('mine', [work('mine:1', { ids: { mal: 5 } }), episode('mine:10', 'mine:1', 1), work('annict:7')])
  own = numberIn("select local_id from external_ids where kind = 'work' and ns = 'mal'")
  expect(own).toBeGreaterThan(10_000_000)
})
afterAll(async () => {
  for (const one of instances) await one.close()
})

/** The work gets its number at Annict. */
const learn = () => load('annict', [work('annict:900', { title: 'Known there', ids: { mal: 5 } })])

test('a work that gets its Annict number keeps its id, and is found by both', async () => {
  expect(await idsIn('/v1/works?filter_ids=900')).toEqual([])
  await learn()
  expect(numberIn("select id from works where title = 'Known there'")).toBe(own)
  for (const ids of ['900', `${own}`, `900,${own},404`])
    expect(await idsIn(`/v1/works?filter_ids=${ids}`)).toEqual([own])
  expect(await idsIn('/v1/works?filter_ids=7,900')).toEqual([7, own])
  expect(await idsIn('/v1/works?filter_ids=7')).toEqual([7])
})

test('lists of a work, writes and links accept the number', async () => {
  await learn()
  const episodes = await instance.json('/v1/episodes?filter_work_id=900')
  expect(episodes.episodes).toHaveLength(1)
  const page = await instance.ask('/works/900')
  expect([page.status, page.headers.get('location')]).toEqual([303, `/works/${own}`])
  const written = await instance.get('/v1/me/statuses?work_id=900&kind=watching', { method: 'POST' })
  expect(written.status).toBe(204)
  expect(numberIn('select work_id from statuses')).toBe(own)
  expect((await instance.get('/v1/me/reviews?work_id=900&body=x', { method: 'POST' })).status).toBe(200)
  expect((await instance.get('/v1/me/statuses?work_id=901&kind=watching', { method: 'POST' })).status).toBe(
    404,
  )
})

test('GraphQL accepts it too', async () => {
  await learn()
  const query = `{
    searchWorks(annictIds: [900]) { nodes { annictId } }
    node(id: "${toGlobalId('Work', 900)}") { ... on Work { annictId } }
  }`
  const response = await instance.get('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  expect(await response.json()).toEqual({
    data: { searchWorks: { nodes: [{ annictId: own }] }, node: { annictId: own } },
  })
})

test('a work with that id as its own takes precedence', async () => {
  instance.store.handle.run("delete from external_ids where kind = 'work' and local_id = 7")
  await load('mine', [work('mine:7', { ids: { mal: 6, annict: 7 }, media: 'movie' })])
  expect(numberIn("select local_id from external_ids where ns = 'annict'")).toBeGreaterThan(10_000_000)
  expect(await idsIn('/v1/works?filter_ids=7')).toEqual([7])
  expect(redirects()).toEqual([])
})

test('a number that is removed or belongs to two works leads nowhere; one that moves leads to the other', async () => {
  await learn()
  expect(redirects()).toEqual([{ from_id: 900, to_id: own }])
  await load('more', [work('more:1', { ids: { annict: 900 }, media: 'movie' })])
  expect(redirects()).toEqual([])
  const other = numberIn("select local_id from external_ids where ns = 'more'")
  await load('more', [{ type: 'work', key: 'more:1', ids: { annict: null } }])
  expect(redirects()).toEqual([{ from_id: 900, to_id: own }])
  instance.store.handle.run("delete from external_ids where ns = 'annict' and local_id = ?", [own])
  await load('more', [{ type: 'work', key: 'more:1', ids: { annict: 900 } }])
  expect(redirects()).toEqual([{ from_id: 900, to_id: other }])
})

test('a new work does not get an id that leads to another one', async () => {
  await learn()
  await load('more', [work('more:1', { title: 'Another', ids: { annict: 900 }, media: 'movie' })])
  expect(numberIn("select id from works where title = 'Another'")).toBeGreaterThan(10_000_000)
})

test('a merge moves the number', async () => {
  await learn()
  await load('annict', [{ type: 'work', key: 'annict:900', merged_into: 'annict:7' }])
  expect(await idsIn('/v1/works?filter_ids=900')).toEqual([7])
  expect(await idsIn(`/v1/works?filter_ids=${own}`)).toEqual([7])
})

async function load(name: string, lines: readonly object[]): Promise<void> {
  const text = textOf(header(name), lines)
  const report = await importCatalogue(instance.store, bytesOf(text, 4096), { now: instance.clock.now })
  expect(report.problems).toEqual([])
}

async function idsIn(target: string): Promise<number[]> {
  const { works } = await instance.json(`${target}&sort_id=asc`)
  return works.map(({ id }: { id: number }) => id)
}

const numberIn = (sql: string) => Number(instance.store.handle.query<never, []>(sql).values()[0]?.[0])
const redirects = () =>
  instance.store.handle
    .query<{ from_id: number; to_id: number }, []>("select from_id, to_id from redirects where kind = 'work'")
    .all()
