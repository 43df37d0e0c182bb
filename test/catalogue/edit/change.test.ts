import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CatalogueChange } from '../../../src/catalogue/edit/change'
import type { ChangeAbout } from '../../../src/catalogue/edit/log'
import { handleOf } from '../../../src/db/dialect'
import { type CatalogueStore, catalogueStore, episode, now, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
  store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'mio', 'mio', '', '', 'mio', '', 1)`)
})
afterEach(() => store.close())

const about = (more: Partial<ChangeAbout> = {}): ChangeAbout => ({
  kind: 'edit',
  work: 1,
  user: 1,
  now,
  ...more,
})

const change = (make: (change: CatalogueChange) => unknown, more: Partial<ChangeAbout> = {}) =>
  store.write(async (tx) => {
    const made = new CatalogueChange(handleOf(tx), about(more))
    make(made)
    return made.save()
  })

const byPeople = 'select id from catalogue_changes where source_id is null'

const idOfWork = () => Number(store.row<{ id: number }>('select id from works')?.id)
const fields = (columns = 'field, before, after, owner_before, owner_after') =>
  store.rows(
    `select ${columns} from catalogue_change_fields where change_id in (${byPeople}) order by change_id, field`,
  )

test('D94 by hand wins: no file of any rank changes a field, and what it says instead is kept', async () => {
  await store.load('syobocal', [work('a:1', { title: 'あ', title_en: 'A', ids: { mal: 5 } })])
  const id = idOfWork()
  await change((one) =>
    one.set('work', id, { title: 'い', title_en: '', 'ids.anilist': '7', mal_anime_id: '6' }),
  )
  for (const source of ['annict', 'syobocal', 'wikidata'])
    await store.load(source, [work('a:1', { title: source, title_en: source, ids: { mal: 9, anilist: 9 } })])
  expect(store.row('select title, title_en, mal_anime_id from works')).toEqual({
    title: 'い',
    title_en: '',
    mal_anime_id: '6',
  })
  expect(store.rows(`select ns, external_id from external_ids where is_key = 0 order by 1`)).toEqual([
    { ns: 'anilist', external_id: '7' },
    { ns: 'mal', external_id: '6' },
  ])
  const values = `select name, value from source_values join sources on sources.id = source_id where field = 'title' order by name`
  expect(store.rows(values)).toEqual([
    { name: 'annict', value: '"annict"' },
    { name: 'syobocal', value: '"syobocal"' },
    { name: 'wikidata', value: '"wikidata"' },
  ])
})

test('D94 only what really changes becomes theirs, with what was there and whose it was', async () => {
  await store.load('mine', [work('a:1', { title: 'あ', title_kana: 'あ' })])
  const id = idOfWork()
  const [source] = store.rows<{ id: number }>("select id from sources where name = 'mine'")
  await store.load('annict', [work('a:1', { title: 'あ', title_kana: 'アア' })])
  const [annict] = store.rows<{ id: number }>("select id from sources where name = 'annict'")
  expect(await change((one) => one.set('work', id, { title: 'あ', title_kana: 'アア' }))).toBeUndefined()
  expect(store.rows(byPeople)).toEqual([])
  const { version } = store.row<{ version: number }>('select version from works') ?? { version: 0 }
  const made = await change((one) => one.set('work', id, { title: 'あ', title_kana: 'い', title_ro: 'i' }), {
    work: id,
  })
  expect(
    store.row(
      'select id, kind, work_id, user_id, subject_kind, subject_id, created_at from catalogue_changes where source_id is null',
    ),
  ).toEqual({
    id: made,
    kind: 'edit',
    work_id: id,
    user_id: 1,
    subject_kind: 'work',
    subject_id: id,
    created_at: now,
  })
  expect(fields()).toEqual([
    { field: 'title_kana', before: '"アア"', after: '"い"', owner_before: annict?.id, owner_after: 1 },
    { field: 'title_ro', before: '""', after: '"i"', owner_before: null, owner_after: 1 },
  ])
  const row = store.row<{ owners: string; version: number; source_id: number }>(
    'select owners, version, source_id from works',
  )
  expect([JSON.parse(row?.owners ?? ''), row?.version, row?.source_id]).toEqual([
    { media: annict?.id, title: annict?.id, title_kana: 1, title_ro: 1 },
    version + 1,
    source?.id,
  ])
})

test('a title by hand is found at once', async () => {
  await store.load('mine', [work('a:1', { title: 'あのはな' })])
  await change((one) => one.set('work', idOfWork(), { title: 'そらのおと' }))
  const keys = store.rows<{ key: string }>('select key from works_search_keys').map(({ key }) => key)
  expect(keys.join(' ')).toContain('そらのおと')
  expect(keys.join(' ')).not.toContain('あのはな')
})

test('D94 an alias and a series removed by hand stay removed, one added by hand stays', async () => {
  const lines = (more: object) => [
    { type: 'series', key: 's:1', name: 'シリーズ' },
    work('a:1', { title: 'あ', aliases: ['い', 'う'], series: ['s:1'], ...more }),
  ]
  await store.load('mine', lines({}))
  const id = idOfWork()
  await change((one) => {
    one.setParts(id, 'aliases', ['い', 'え'])
    one.setParts(id, 'series', [])
  })
  const left = () => [
    store.rows<{ title: string }>('select title from work_aliases order by title').map(({ title }) => title),
    store.rows('select series_id from series_works').length,
  ]
  expect(left()).toEqual([['い', 'え'], 0])
  for (const source of ['mine', 'annict', 'other']) await store.load(source, lines({ title_en: source }))
  expect(left()).toEqual([['い', 'い', 'い', 'え'], 0])
  expect(fields('field, before, after')).toMatchObject([
    { field: 'aliases.う', after: '[]' },
    { field: 'aliases.え', before: '[]', after: '[{"title":"え","source_id":1}]' },
    { field: 'series.10000001', after: '[]' },
  ])
})

test('D42 a row hidden by hand is not shown again by the source that lists it', async () => {
  await store.load('mine', [work('a:1'), episode('e:1', 'a:1', 1), episode('e:2', 'a:1', 2)])
  const [, second] = store.rows<{ id: number }>('select id from episodes order by id')
  await change((one) => one.setHidden('episode', second?.id ?? 0, true))
  await store.load('mine', [
    work('a:1', { title_en: 'x' }),
    episode('e:1', 'a:1', 1),
    episode('e:2', 'a:1', 2, { title: 'x' }),
  ])
  expect(store.rows('select hidden from episodes order by id')).toEqual([{ hidden: 0 }, { hidden: 1 }])
  expect(store.row('select episodes_count from works')).toEqual({ episodes_count: 1 })
  await change((one) => one.setHidden('episode', second?.id ?? 0, false))
  expect(store.row('select episodes_count from works')).toEqual({ episodes_count: 2 })
})

test('D94 the estimator and a source that lists an estimated episode keep its title by hand', async () => {
  await store.load('guess', [work('a:1', { episodes_estimate: 3 })])
  const [first] = store.rows<{ id: number }>('select id from episodes order by sort_number')
  store.handle.run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
    select 1, work_id, id, '', 1, 1 from episodes where id = ${first?.id}`)
  await change((one) => one.set('episode', first?.id ?? 0, { title: '手' }))
  await store.load('real', [episode('r:1', 'a:1', 1, { title: '源' }), episode('r:2', 'a:1', 2)])
  expect(store.row(`select title, estimated from episodes where id = ${first?.id}`)).toEqual({
    title: '手',
    estimated: 0,
  })
})

test('an expected number by hand makes its episodes at once', async () => {
  await store.load('guess', [work('a:1', { episodes_estimate: 3 })])
  await change((one) => one.set('work', idOfWork(), { episodes_estimate: 5 }))
  expect(store.row('select episodes_count from works')).toEqual({ episodes_count: 5 })
  await change((one) => one.set('work', idOfWork(), { episodes_estimate: 2 }))
  expect(store.row('select episodes_count from works')).toEqual({ episodes_count: 2 })
})

test('a new row by hand belongs to nobody else, whole in the log', async () => {
  await store.load('mine', [work('a:1')])
  let id = 0
  await change((one) => {
    id = one.create('person', { name: '水樹奈々' })
  })
  expect(store.row(`select name, source_id, owners from people where id = ${id}`)).toEqual({
    name: '水樹奈々',
    source_id: 1,
    owners: '{}',
  })
  const [logged] = store.rows<{ field: string; before: string; after: string }>(
    'select field, before, after from catalogue_change_fields',
  )
  expect([logged?.field, logged?.before, JSON.parse(logged?.after ?? '').name]).toEqual([
    '*',
    'null',
    '水樹奈々',
  ])
})
