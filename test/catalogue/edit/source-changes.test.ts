import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sweepSourceChanges } from '../../../src/catalogue/edit/log'
import { undoChange } from '../../../src/catalogue/edit/undo'
import { handleOf } from '../../../src/db/dialect'
import { type CatalogueStore, catalogueStore, episode, now, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
  store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'mio', 'mio', '', '', 'mio', '', 1)`)
  await store.load('mine', [work('a:1', { title_en: 'A' }), episode('e:1', 'a:1', 1, { title: 'あ' })])
})
afterEach(() => store.close())

const logged = () =>
  store.rows(`select kind, field, before, after from catalogue_change_fields order by change_id, kind, field`)
const again = (more = {}) => [
  work('a:1', { title_en: 'B', ids: { anilist: 5 }, ...more }),
  episode('e:1', 'a:1', 1, { title: 'い' }),
]

test('D95 what a source changes of a row is in the history of its work; what it adds or merely counts is not', async () => {
  expect(logged()).toEqual([])
  await store.load('mine', again({ popularity: 7, images: { recommended_url: 'https://example.com/a.png' } }))
  expect(logged()).toEqual([
    { kind: 'work', field: 'ids.anilist', before: 'null', after: '"5"' },
    { kind: 'work', field: 'title_en', before: '"A"', after: '"B"' },
    { kind: 'episode', field: 'title', before: '"あ"', after: '"い"' },
  ])
  const { id } = store.row<{ id: number }>('select id from works')
  expect(store.rows('select distinct kind, work_id, user_id, created_at from catalogue_changes')).toEqual([
    { kind: 'source', work_id: id, user_id: null, created_at: now },
  ])
  // Neither a dry run nor a file that changes nothing leaves a trace.
  await store.load('mine', again({ title_en: 'C' }), { dryRun: true })
  await store.load('mine', again({ popularity: 8 }))
  expect(logged()).toHaveLength(3)
})

test('D95 what a source changed and a person undid stays undone, whatever the source says next', async () => {
  await store.load('mine', again())
  const { id } = store.row<{ id: number }>("select id from catalogue_changes where subject_kind = 'work'")
  const undone = await store.write(async (tx) => undoChange(handleOf(tx), { change: id, user: 1, now }))
  expect(undone.kept).toEqual([])
  await store.load('mine', again({ title_kana: 'か' }))
  expect(store.row('select title_en, title_kana from works')).toEqual({ title_en: 'A', title_kana: 'か' })
  expect(store.rows("select 1 from external_ids where ns = 'anilist'")).toEqual([])
})

test('D95 changes of sources go after 400 days, those by hand never', async () => {
  await store.load('mine', again())
  await store.load('admin', [work('a:1', { title_en: 'Mine' })])
  const sweep = (days: number) =>
    sweepSourceChanges({ write: store.write, now: () => now + days * 86_400_000 })
  await sweep(399)
  expect(store.rows('select id from catalogue_changes')).toHaveLength(3)
  await sweep(401)
  expect(store.rows('select source_id from catalogue_changes')).toEqual([{ source_id: 1 }])
  expect(store.rows('select distinct field from catalogue_change_fields')).toEqual([{ field: 'title_en' }])
})
