import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { type CatalogueStore, catalogueStore, header, work } from '../support/catalogue-store'
import { expectedLines } from '../support/source-run'

const fromAnnict = await expectedLines('annict')
const [, ...fromSyobocal] = await expectedLines('syobocal')

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  store.close()
})

const key = 'syobocal:99001'
const shown = () => store.row('select title, title_kana as kana, title_ro as ro from works')
const titled = (title: string, more: object = {}) => work(key, { ids: { syobocal: 99001 }, title, ...more })
const sources = {
  admin: titled('管理者の題'),
  annict: titled('星屑ポストマン (Annict)', { title_ro: 'Hoshikuzu Postman' }),
  syobocal: titled('星屑ポストマン', { title_kana: 'ほしくずぽすとまん', title_ro: 'Hoshikuzu' }),
  'bangumi-data': titled('星屑', { title_kana: 'ほしくず', title_ro: 'Hoshi' }),
}

type Name = keyof typeof sources

const loadAll = async (order: readonly Name[]) => {
  for (const source of order) await store.load(header(source), [sources[source]])
}

const orders: readonly (readonly Name[])[] = [
  ['admin', 'annict', 'syobocal', 'bangumi-data'],
  ['bangumi-data', 'syobocal', 'annict', 'admin'],
  ['syobocal', 'admin', 'bangumi-data', 'annict'],
  ['annict', 'bangumi-data', 'admin', 'syobocal'],
]

for (const order of orders) {
  test(`an administrator overrides Annict, which overrides Syobocal, which overrides bangumi-data: ${order}`, async () => {
    await loadAll(order)
    // The kana fill the field that the administrator and Annict leave empty.
    expect(shown()).toEqual({ title: '管理者の題', kana: 'ほしくずぽすとまん', ro: 'Hoshikuzu Postman' })
  })

  test(`without one, the title is Annict's: ${order}`, async () => {
    await loadAll(order.filter((source) => source !== 'admin'))
    expect(shown()).toMatchObject({ title: '星屑ポストマン (Annict)', kana: 'ほしくずぽすとまん' })
  })
}

const episodes = () =>
  store.rows<{ id: number; title: string }>(
    'select id, sort_number as n, title, estimated from episodes order by sort_number, id',
  )

const record = (episode: number) =>
  store.handle.run(
    `insert into records (user_id, work_id, episode_id, watched_at, created_at)
     select 1, work_id, id, 0, 0 from episodes where id = ${episode}`,
  )

function addUser(): void {
  store.handle.run(
    `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
     values (1, 'hana', 'hana', 'Hana', 'h@example.org', 'h@example.org', '', 0)`,
  )
}

const recorded = () => store.row('select count(*) as n, max(episode_id) as id from records')

test('an estimated episode with a record becomes the real one and keeps its record and id', async () => {
  addUser()
  await store.load('mine', [work('mine:1', { ids: { syobocal: 99001 }, episodes_estimate: 3 })])
  const id = episodes()[1]?.id ?? 0
  record(id)
  await store.load('syobocal', fromSyobocal)
  expect(episodes()).toMatchObject([
    { n: 10, title: '落ちてきた切手', estimated: 0 },
    { id, n: 20, title: '宛先のない夜', estimated: 0 },
    { n: 30, title: '雨の&局', estimated: 0 },
  ])
  expect(recorded()).toEqual({ n: 1, id })
  const names = "select external_id as id from external_ids where kind = 'episode' and local_id = ?"
  expect(store.row(names, id)).toEqual({ id: '99001#02' })
  // Annict's numbers match the same rows, and its special is added.
  await store.load(fromAnnict[0] ?? {}, fromAnnict.slice(1))
  expect(episodes().map((one) => one.id)).toContain(id)
  expect(episodes()).toHaveLength(4)
  expect(recorded()).toEqual({ n: 1, id })
})

test('one added by a member becomes the real one too, or stays as long as no source lists it (D62)', async () => {
  addUser()
  await store.load('mine', [work('mine:1', { ids: { syobocal: 99001 } })])
  const add = store.handle.query<{ id: number }, [number]>(
    `insert into episodes (work_id, number, number_text, sort_number, estimated, source_id)
     select id, ?1, '第' || ?1 || '話', ?1 * 10, 1, 3 from works returning id`,
  )
  const [first, fourth] = [add.all(1)[0]?.id ?? 0, add.all(4)[0]?.id ?? 0]
  for (const id of [first, fourth]) record(id)
  await store.load('syobocal', fromSyobocal)
  expect(episodes()).toMatchObject([
    { id: first, n: 10, title: '落ちてきた切手', estimated: 0 },
    { n: 20, estimated: 0 },
    { n: 30, estimated: 0 },
    { id: fourth, n: 40, title: '', estimated: 1 },
  ])
})
