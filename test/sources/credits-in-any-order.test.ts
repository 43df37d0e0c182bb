import { afterEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { searchDrift } from '../../src/catalogue/counters/search-drift'
import { annict } from '../../src/sources/adapters/annict'
import { syobocal } from '../../src/sources/adapters/syobocal'
import { knownFromDatabase } from '../../src/sources/known-from-database'
import type { CatalogueLine } from '../../src/sources/source'
import { type CatalogueStore, catalogueStore, work } from '../support/catalogue-store'
import { answerBody, expectedLines, fixture, scope } from '../support/source-run'

const fromAnnict = await expectedLines('annict')
const fromSyobocal = await expectedLines('syobocal')
const answers = await Promise.all(
  ['ProgLookup', 'TitleLookup', 'ChLookup', 'ChGroupLookup'].map(async (as) =>
    syobocal.read(as, answerBody(await fixture(`syobocal/${as}.xml`)), { location: undefined }),
  ),
)

const stores: CatalogueStore[] = []
afterEach(() => {
  for (const store of stores.splice(0)) {
    expect(findDrift(store.handle)).toEqual([])
    expect(searchDrift(store.handle)).toEqual([])
    store.close()
  }
})

async function newStore(): Promise<CatalogueStore> {
  const store = await catalogueStore()
  stores.push(store)
  return store
}

async function load(store: CatalogueStore, [header, ...rows]: readonly CatalogueLine[]) {
  const report = await store.load(header ?? {}, rows, { matchTitles: annict.matchTitles })
  expect(report.problems).toEqual([])
  return report
}

/** As the source converts its answers, given what is known. */
const asked = async (store: CatalogueStore): Promise<CatalogueLine[]> =>
  Array.fromAsync(syobocal.lines(answers, knownFromDatabase(store.handle), scope))

const creditsOf = (store: CatalogueStore) => ({
  people: store.rows('select name from people where hidden = 0 order by name'),
  organizations: store.rows('select name from organizations where hidden = 0 order by name'),
  characters: store.rows('select name from characters where hidden = 0 order by name'),
  casts: store.rows(`select c.name as character, p.name, casts.sort_number from casts
    join characters as c on c.id = character_id join people as p on p.id = person_id
    where casts.hidden = 0 order by 1, 2`),
  staffs: store.rows(`select ifnull(p.name, o.name) as name, role, role_other, sort_number from staffs
    left join people as p on p.id = person_id left join organizations as o on o.id = organization_id
    where staffs.hidden = 0 order by 1, 2, 3`),
})

test('both orders yield the same people, characters, casts and staffs: those of the better source', async () => {
  const annictFirst = await newStore()
  await load(annictFirst, fromAnnict)
  const alone = creditsOf(annictFirst)
  await load(annictFirst, await asked(annictFirst))
  expect(creditsOf(annictFirst)).toEqual(alone)
  // Also as a file from somebody who did not know the catalogue.
  await load(annictFirst, fromSyobocal)
  expect(creditsOf(annictFirst)).toEqual(alone)
  const syobocalFirst = await newStore()
  await load(syobocalFirst, await asked(syobocalFirst))
  expect(creditsOf(syobocalFirst).casts).toHaveLength(4)
  await load(syobocalFirst, fromAnnict)
  expect(creditsOf(syobocalFirst)).toEqual(alone)
  for (const store of [annictFirst, syobocalFirst]) {
    expect(store.rows('select title from works where hidden = 0')).toHaveLength(3)
    for (const lines of [fromAnnict, fromSyobocal, await asked(store)]) {
      const { counts } = await load(store, lines)
      for (const count of Object.values(counts))
        expect(count).toMatchObject({ created: 0, updated: 0, deleted: 0, merged: 0 })
    }
  }
})

test('rows that a better source starts to list keep their ids, credits and favorites', async () => {
  const store = await newStore()
  await load(store, fromSyobocal)
  const before = store.row<Cast>(castOfTowa)
  addUser(store)
  for (const column of ['character', 'person'] as const)
    store.handle.run(
      `insert into favorites (user_id, ${column}_id, created_at) values (1, ${before[column]}, 0)`,
    )
  await load(store, fromAnnict)
  const after = store.row<Cast>(castOfTowa)
  expect(after).toMatchObject({ id: before.id, person: before.person })
  expect(
    store.row("select to_id from redirects where kind = 'character' and from_id = ?", before.character),
  ).toEqual({
    to_id: after.character,
  })
  expect(store.row('select max(character_id) as c, max(person_id) as p from favorites')).toEqual({
    c: after.character,
    p: before.person,
  })
  expect(store.row('select name_kana from people where id = ?', before.person)).toEqual({
    name_kana: 'みなせひかり',
  })
  const names = store.rows(
    "select ns from external_ids where kind = 'person' and local_id = ?",
    before.person,
  )
  expect(names).toEqual([{ ns: 'annict' }, { ns: 'syobocal' }])
})

interface Cast {
  readonly id: number
  readonly person: number
  readonly character: number
}

const castOfTowa = `
  select casts.id, person_id as person, character_id as character from casts
  join characters as c on c.id = character_id where c.name = 'トワ' and casts.hidden = 0`

const addUser = (store: CatalogueStore) =>
  store.handle.run(
    `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
     values (1, 'hana', 'hana', 'Hana', 'h@example.org', 'h@example.org', '', 0)`,
  )

const person = (key: string, name = '水瀬ひかり') => ({ type: 'person', key, name })
const peopleOf = (store: CatalogueStore) =>
  store.rows('select id, name from people where hidden = 0 order by id')

test('somebody with the same name is another person if two have it', async () => {
  const store = await newStore()
  await store.load('annict', [person('annict:1'), person('annict:2')])
  await store.load('syobocal', [person('syobocal:person:水瀬ひかり')])
  expect(peopleOf(store)).toHaveLength(2)
  await store.load('syobocal', [work('syobocal:5'), credit('syobocal:5', 'syobocal:person:水瀬ひかり')])
  expect(peopleOf(store)).toHaveLength(3)
  await store.load('annict', [person('annict:3')])
  expect(peopleOf(store)).toHaveLength(4)
  // Somebody credited for the same work is the same person.
  await store.load('annict', [{ ...credit('syobocal:5', 'annict:3'), sort_number: 10 }])
  expect(peopleOf(store)).toHaveLength(3)
})

test('of two people with one name listed by a better source, one is the person known by name', async () => {
  const store = await newStore()
  await store.load('syobocal', [
    work('syobocal:5'),
    person('syobocal:person:水瀬ひかり'),
    credit('syobocal:5', 'syobocal:person:水瀬ひかり'),
  ])
  const [known] = peopleOf(store)
  await store.load('annict', [person('annict:1', '水瀬ヒカリ'), person('annict:2')])
  expect(peopleOf(store)).toHaveLength(2)
  expect(
    store.row("select local_id as id from external_ids where ns = 'annict' and external_id = '1'"),
  ).toEqual({
    id: known?.id,
  })
  // A key that is not a name identifies the person.
  await store.load('mine', [person('mine:1')])
  expect(peopleOf(store)).toHaveLength(3)
})

const credit = (of: string, who: string) => ({ type: 'staff', work: of, person: who, role: 'director' })

test('somebody without a credit is shown again with the next one; an administrator hides no credits', async () => {
  const store = await newStore()
  const own = [person('syobocal:person:早川遥', '早川遥'), credit('syobocal:5', 'syobocal:person:早川遥')]
  await store.load('syobocal', [work('syobocal:5'), work('syobocal:6'), ...own])
  await store.load('admin', [person('admin:1', '青井凪'), credit('syobocal:5', 'admin:1')])
  expect(peopleOf(store)).toHaveLength(2)
  await store.load('annict', [person('annict:1', '西野紬'), credit('syobocal:5', 'annict:1')])
  expect(peopleOf(store).map(({ name }) => name)).toEqual(['西野紬', '青井凪'])
  await store.load('syobocal', [own[0] ?? {}, credit('syobocal:6', 'syobocal:person:早川遥')])
  expect(peopleOf(store)).toHaveLength(3)
})
