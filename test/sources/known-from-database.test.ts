import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fold } from '../../src/lib/fold'
import type { Known } from '../../src/sources/known'
import { knownFromDatabase } from '../../src/sources/known-from-database'
import { type CatalogueStore, catalogueStore, header, work } from '../support/catalogue-store'

let store: CatalogueStore
let known: Known

beforeAll(async () => {
  store = await catalogueStore()
  await store.load('syobocal', [
    work('syobocal:1', { title: '星屑ポストマン', season_name: '2026-autumn', ids: { mal: 5, annict: 7 } }),
    work('syobocal:2', { ids: { mal: 6 } }),
    work('syobocal:3', { ids: { mal: 6 } }),
    work('syobocal:4', { media: 'movie', no_episodes: true }),
    work('syobocal:5', {
      season_name: '2026-all',
      broadcast: { begin: '2026-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' },
    }),
    work('syobocal:6', { season_name: '2025-winter', ids: { mal: 8 } }),
    work('syobocal:7', { ids: { mal: 10 } }),
    work('syobocal:8', { ids: { mal: 10 } }),
    ...['水瀬ひかり', 'ミナセ', 'みなせ', '森川舟'].map((name, at) => person(`syobocal:${at}`, name)),
    { type: 'organization', key: 'syobocal:s', name: 'ｽﾀｼﾞｵ灯' },
    { type: 'character', key: 'syobocal:1:a', name: 'トワ' },
    { type: 'character', key: 'syobocal:2:a', name: 'トワ' },
    credit('syobocal:1', 'syobocal:1:a'),
    credit('syobocal:2', 'syobocal:2:a'),
    { type: 'staff', work: 'syobocal:1', organization: 'syobocal:s', role: 'studio', sort_number: 10 },
    { type: 'work', key: 'syobocal:6', deleted: true },
    { type: 'work', key: 'syobocal:8', deleted: true },
    { type: 'person', key: 'syobocal:3', deleted: true },
  ])
  store.handle.run(
    `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
     values (1, 'hana', 'hana', 'Hana', 'h@example.org', 'h@example.org', '', 0)`,
  )
  for (const tid of [1, 4, 5, 6])
    store.handle.run(
      `insert into statuses (user_id, work_id, kind, changed_at)
       select 1, local_id, 'watching', 0 from external_ids where kind = 'work' and ns = 'syobocal' and external_id = '${tid}'`,
    )
  known = knownFromDatabase(store.handle)
})

afterAll(() => store.close())

const person = (key: string, name: string) => ({ type: 'person', key, name })
const credit = (of: string, character: string) => ({
  type: 'cast',
  work: of,
  character,
  person: 'syobocal:0',
})

test('a work is found by an id that no other work has', () => {
  const found = known.work('mal', '5')
  expect(found).toMatchObject({ title: '星屑ポストマン', media: 'tv', seasonYear: 2026 })
  expect(Object.fromEntries(found?.ids ?? [])).toEqual({ annict: ['7'], mal: ['5'], syobocal: ['1'] })
  expect(known.work('syobocal', '1')).toEqual(found)
  // Two works, a hidden one, a hidden one and another, none.
  for (const id of ['6', '8', '10', '9']) expect(known.work('mal', id)).toBeUndefined()
})

test('a work with an id as its key takes precedence over another with the same id', async () => {
  const fresh = await catalogueStore(store)
  fresh.handle.run(
    `insert into external_ids (kind, ns, external_id, local_id)
     select kind, ns, '1', local_id from external_ids where kind = 'work' and ns = 'syobocal' and external_id = '3'`,
  )
  const { work: find, onlyWork } = knownFromDatabase(fresh.handle)
  expect(find('syobocal', '1')?.title).toBe('星屑ポストマン')
  // The importer finds neither by the id.
  expect(onlyWork('syobocal', '1')).toBeUndefined()
  expect(onlyWork('mal', '5')?.title).toBe('星屑ポストマン')
  fresh.close()
})

test('the ids of shown works in a namespace are listed once', () => {
  expect([...known.workIds('mal')].toSorted()).toEqual(['10', '5', '6'])
  expect([...known.workIds('anidb')]).toEqual([])
})

test('a work is open while somebody has a status of it and its end is unknown', () => {
  expect([...known.openWorkIds('syobocal')]).toEqual(['1'])
})

test('the seasons of shown works with a status are listed once', () => {
  expect([...known.watchedSeasons()]).toEqual(['2026-all', '2026-autumn'])
})

test('a person is found by folded name if no other shown one has it', () => {
  expect(known.person('水瀬ヒカリ')).toBe('syobocal:0')
  expect(known.organization('スタジオ灯')).toBe('syobocal:s')
  for (const name of ['みなせ', '森川舟', '水瀬', '', '★']) expect(known.person(name)).toBeUndefined()
})

test('a character is searched for in the cast of its work', () => {
  expect(known.character('syobocal', '1', 'とわ')).toBe('syobocal:1:a')
  expect(known.character('annict', '7', 'トワ')).toBe('syobocal:1:a')
  expect(known.character('syobocal', '2', 'トワ')).toBe('syobocal:2:a')
  expect(known.character('syobocal', '3', 'トワ')).toBeUndefined()
  expect(known.character('syobocal', '9', 'トワ')).toBeUndefined()
})

test('credits are better if a source with higher priority owns one of them', async () => {
  const better = (of: string, source: string) => known.hasBetterCredits('syobocal', of, source)
  expect(better('1', 'madb')).toBe(true)
  expect(better('1', 'syobocal')).toBe(false)
  expect(better('3', 'estimate')).toBe(false)
  expect(better('9', 'estimate')).toBe(false)
  await store.load(header('annict'), [
    { type: 'staff', work: 'syobocal:3', person: 'syobocal:0', role: 'director' },
    // Annict confirms what another source has said.
    { ...credit('syobocal:2', 'syobocal:2:a'), sort_number: 10 },
  ])
  expect(better('2', 'syobocal')).toBe(true)
  expect(better('3', 'syobocal')).toBe(true)
  expect(better('3', 'annict')).toBe(false)
})

test('whatever characters a name has, a person is found by it exactly if no other folds alike', async () => {
  const names = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom(...'あアｱaAＡ×ー・ßſé々ゔヴゖ山7'), minLength: 1, maxLength: 4 }),
    { minLength: 1, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(names, async (list) => {
      const fresh = await catalogueStore(store)
      await fresh.load(
        'more',
        list.map((name, at) => person(`more:${at}`, name)),
      )
      const all = knownFromDatabase(fresh.handle)
      for (const [at, name] of list.entries()) {
        const isOnly = list.filter((other) => fold(other) === fold(name)).length === 1
        const isWord = /[\p{L}\p{N}]/u.test(name.replaceAll('ー', ''))
        expect(all.person(name)).toBe(isOnly && isWord ? `more:${at}` : undefined)
      }
      fresh.close()
    }),
    { numRuns: 40, examples: [[['A7A']]] },
  )
})
