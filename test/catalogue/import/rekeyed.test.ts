import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { unfinishedMerges } from '../../../src/catalogue/import/merge/unfinished'
import { type CatalogueStore, catalogueStore, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
  store.handle.run(`
    insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'hana', 'hana', 'hana', 'hana@example.com', 'hana@example.com', '', 0)`)
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  expect(searchDrift(store.handle)).toEqual([])
  expect(unfinishedMerges(store.handle)).toEqual([])
  store.close()
})

const title = (key: string, title: string, bangumi: number | undefined, more: object = {}) =>
  work(key, { title, ids: { ...(bangumi === undefined ? {} : { bangumi }) }, episodes_estimate: 3, ...more })

/** A status, a review and a record of the second episode, all about this work. */
function writeAbout(id: number): void {
  store.handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 0)", [
    id,
  ])
  store.handle.run('insert into reviews (user_id, work_id, body, created_at) values (1, ?, ?, 0)', [
    id,
    'good',
  ])
  store.handle.run(
    `insert into records (user_id, work_id, episode_id, watched_at, created_at)
     select 1, work_id, id, 0, 0 from episodes where work_id = ? and sort_number = 20`,
    [id],
  )
}

/** What hana has written, by the title of its work. */
const written = () =>
  store
    .rows<{ title: string; what: string }>(`
      select title, what from works join (
        select work_id, 'status' as what from statuses union all select work_id, 'review' from reviews
        union all select episodes.work_id, 'episode ' || number from records join episodes on episodes.id = episode_id
        where records.work_id = episodes.work_id) on work_id = works.id
      where hidden = 0 order by title, what`)
    .map(({ title: of, what }) => `${of}: ${what}`)

const all = (...titles: string[]) =>
  titles.flatMap((one) => ['episode 2', 'review', 'status'].map((what) => `${one}: ${what}`))

const shown = () =>
  store
    .rows<{ id: number; title: string }>('select id, title from works where hidden = 0 order by id')
    .map(({ id, title: of }) => `${id} ${of}`)

test('two works that exchange their keys keep what was written about them', async () => {
  await store.load('pack', [title('annict:1', 'Second half', 12), title('annict:2', 'First half', 11)])
  for (const id of [1, 2]) writeAbout(id)
  await store.load('pack', [title('annict:1', 'First half', 11), title('annict:2', 'Second half', 12)])
  expect(shown()).toEqual(['1 First half', '2 Second half'])
  expect(written()).toEqual(all('First half', 'Second half'))
  expect(store.row('select count(*) as n from episodes where hidden = 0')).toEqual({ n: 6 })
  const again = [title('annict:1', 'First half', 11), title('annict:2', 'Second half', 12)]
  expect((await store.load('pack', again)).counts.work).toMatchObject({
    unchanged: 2,
    updated: 0,
    created: 0,
  })
})

test('a work with the number of one that the source did not know moves to its own', async () => {
  await store.load('pack', [title('annict:1', 'Part 2', 12)])
  writeAbout(1)
  await store.load('pack', [title('annict:1', 'Part 1', 11), title('annict:2', 'Part 2', 12)])
  expect(shown()).toEqual(['1 Part 1', '2 Part 2'])
  expect(written()).toEqual(all('Part 2'))
})

test('a work that turns out to have no number of that kind moves to a new row, with what an administrator edited', async () => {
  await store.load('pack', [title('annict:1', 'Dub', 12)])
  store.handle.run(`update works set title_kana = 'だぶ', owners = '{"title_kana":1}' where id = 1`)
  writeAbout(1)
  await store.load('pack', [title('annict:1', 'Original', undefined), title('bangumi:12', 'Dub', 12)])
  expect(shown()).toEqual(['1 Original', '10000001 Dub'])
  expect(written()).toEqual(all('Dub'))
  expect(store.rows('select title_kana from works order by id')).toEqual([
    { title_kana: '' },
    { title_kana: 'だぶ' },
  ])
})

test('a work stays in place when its bangumi id changes, or when several lines have it', async () => {
  await store.load('pack', [title('annict:1', 'One', 11), title('annict:2', 'Two', 12)])
  for (const id of [1, 2]) writeAbout(id)
  await store.load('pack', [title('annict:1', 'One', 13), title('annict:2', 'Two', 14)])
  await store.load('pack', [
    title('annict:1', 'One', 14),
    title('annict:2', 'Two', 14),
    title('annict:3', 'Three', undefined),
  ])
  expect(shown()).toEqual(['1 One', '2 Two', '3 Three'])
  expect(written()).toEqual(all('One', 'Two'))
})

test('a work that gets its number keeps its row, whatever else is corrected with it', async () => {
  const other = { media: 'ova', ids: { bangumi: 12, syobocal: 5 } }
  await store.load('pack', [title('bangumi:12', 'Short', 12, other)])
  writeAbout(10_000_001)
  await store.load('pack', [
    title('annict:2', 'Short', 12, { media: 'movie', ids: { bangumi: 12, syobocal: 6 } }),
  ])
  expect(store.rows('select id, media, syobocal_tid from works')).toEqual([
    { id: 10_000_001, media: 'movie', syobocal_tid: '6' },
  ])
  expect(written()).toEqual(all('Short'))
})

test('a work that gets the number of another one is merged with its row', async () => {
  await store.load('pack', [title('annict:1', 'Part 2', 12), title('bangumi:11', 'Part 1', 11)])
  for (const id of [1, 10_000_001]) writeAbout(id)
  await store.load('pack', [title('annict:1', 'Part 1', 11), title('annict:2', 'Part 2', 12)])
  expect(shown()).toEqual(['1 Part 1', '2 Part 2'])
  expect(written()).toEqual(all('Part 1', 'Part 2'))
})
