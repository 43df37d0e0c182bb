import { afterAll, expect, test } from 'bun:test'
import { type Body, createInstance, itemsOf } from '../support/instance'

const kiroku = await createInstance()
const { json, store } = kiroku
afterAll(kiroku.close)

const one = async (target: string): Promise<Body> => {
  const [item, ...others] = itemsOf(await json(target))
  expect(others).toEqual([])
  return item
}
const work = (id: number) => one(`/v1/works?filter_ids=${id}`)

/** A field for each of these names, with the value that seed.ts gives it. */
const texts = (names: string, value = (name: string) => `the ${name}`) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, value(name)]),
  )
const blank = (names: string) => texts(names, () => '')

const characterTexts = `nickname nickname_en birthday birthday_en age age_en blood_type blood_type_en height height_en
  weight weight_en nationality nationality_en occupation occupation_en description description_en
  description_source description_source_en`
const organizationTexts = 'url url_en wikipedia_url wikipedia_url_en twitter_username twitter_username_en'
const personTexts = `nickname nickname_en ${organizationTexts} blood_type`

const aoi = { id: 1, name: '青井ミナト', name_kana: 'あおいみなと', name_en: 'Minato Aoi' }
const haru = { id: 2, name: 'ﾊﾙ', name_kana: '', name_en: '' }

const series = {
  id: 1,
  name: '星降る庭',
  name_ro: 'Hoshi Furu Niwa',
  name_en: 'Garden of Falling Stars',
}
const aoiCharacter = { ...aoi, kind: '星降る庭', ...texts(characterTexts), favorite_characters_count: 4 }
const haruCharacter = { ...haru, kind: '', ...blank(characterTexts), favorite_characters_count: 0 }
const aoiPerson = {
  ...aoi,
  ...texts(personTexts),
  gender_text: '女性',
  birthday: '1990-01-02',
  height: 160,
  favorite_people_count: 6,
  casts_count: 1,
  staffs_count: 1,
}
const haruPerson = {
  ...haru,
  ...blank(`${personTexts} gender_text birthday`),
  height: null,
  favorite_people_count: 0,
  casts_count: 1,
  staffs_count: 1,
}
const aoiOrganization = {
  ...aoi,
  ...texts(organizationTexts),
  favorite_organizations_count: 8,
  staffs_count: 1,
}

test('GET /v1/series returns a series', async () => {
  expect(await one('/v1/series?filter_ids=1')).toEqual(series)
  expect(await one('/v1/series?filter_ids=2')).toEqual({ id: 2, name: '青井の旅', name_ro: '', name_en: '' })
})

test('GET /v1/characters returns a character; kind is the name of its series (D25)', async () => {
  expect(await one('/v1/characters?filter_ids=1')).toEqual({ ...aoiCharacter, series })
  expect(await one('/v1/characters?filter_ids=2')).toEqual({ ...haruCharacter, series: null })
})

test('renaming a series renames the kind of its characters at once', async () => {
  store.handle.run("update series set name = '新しい庭' where id = 1")
  const renamed = await one('/v1/characters?filter_ids=1&fields=kind,series.name')
  store.handle.run("update series set name = '星降る庭' where id = 1")
  expect(renamed).toEqual({ kind: '新しい庭', series: { name: '新しい庭' } })
})

test('GET /v1/people returns a person; only here with a prefecture', async () => {
  expect(await one('/v1/people?filter_ids=1')).toEqual({
    ...aoiPerson,
    prefecture: { id: 13, name: '東京都' },
  })
  expect(await one('/v1/people?filter_ids=2')).toEqual({ ...haruPerson, prefecture: null })
})

test('GET /v1/organizations returns an organization', async () => {
  expect(await one('/v1/organizations?filter_ids=1')).toEqual(aoiOrganization)
})

test('GET /v1/casts returns a cast with its whole work, character and person', async () => {
  expect(await one('/v1/casts?filter_ids=1')).toEqual({
    id: 1,
    name: '青井ミナト',
    name_en: 'Minato Aoi',
    sort_number: 20,
    work: await work(1),
    character: aoiCharacter,
    person: aoiPerson,
  })
  expect(await one('/v1/casts?filter_ids=3')).toMatchObject({ character: haruCharacter, person: haruPerson })
})

test('GET /v1/staffs returns a staff with its work and either a person or an organization', async () => {
  const role = { role_text: '監督', role_other: 'the role_other', role_other_en: 'the role_other_en' }
  expect(await one('/v1/staffs?filter_ids=1')).toEqual({
    id: 1,
    name: '青井',
    name_en: 'Aoi',
    ...role,
    sort_number: 20,
    work: await work(1),
    person: aoiPerson,
  })
  expect(await one('/v1/staffs?filter_ids=2')).toEqual({
    id: 2,
    name: '工房',
    name_en: '',
    role_text: '制作協力',
    role_other: '',
    role_other_en: '',
    sort_number: 10,
    work: await work(1),
    organization: aoiOrganization,
  })
  expect(await one('/v1/staffs?filter_ids=3&fields=role_text')).toEqual({ role_text: 'その他' })
})

const scalars = (
  id: number,
  number: string | null,
  number_text: string,
  sort_number: number,
  title = '',
) => ({
  ...{ id, number, number_text, sort_number, title },
  records_count: id === 1 ? 3 : 0,
  record_comments_count: id === 1 ? 1 : 0,
  estimated: false,
})
const episodes = {
  1: scalars(1, '1', '第1話', 30, '庭のはじまり'),
  2: scalars(2, '2', '第2話', 20, '夜'),
  3: scalars(3, '2.5', '第2.5話', 20),
  4: scalars(4, 'SP', '特別編', 10),
  6: scalars(6, null, '', 0),
}

test('GET /v1/episodes returns an episode between its neighbours by sort_number, then id (D22)', async () => {
  const { episodes: sent } = await json('/v1/episodes?fields=id,prev_episode,next_episode')
  expect(sent).toEqual([
    { id: 1, prev_episode: episodes[3], next_episode: null },
    { id: 2, prev_episode: episodes[4], next_episode: episodes[3] },
    { id: 3, prev_episode: episodes[2], next_episode: episodes[1] },
    { id: 4, prev_episode: null, next_episode: episodes[2] },
    { id: 6, prev_episode: null, next_episode: null },
  ])
  expect(await one('/v1/episodes?filter_ids=6')).toEqual({
    ...episodes[6],
    work: await work(2),
    prev_episode: null,
    next_episode: null,
  })
})

test('a neighbour that is shown again is back between the others', async () => {
  const around = '/v1/episodes?filter_ids=1,3&fields=prev_episode.id,next_episode.id'
  store.handle.run('update episodes set hidden = 0 where id = 5')
  const shown = itemsOf(await json(around))
  const counted = await work(1)
  store.handle.run('update episodes set hidden = 1 where id = 5')
  expect(shown).toEqual([
    { prev_episode: { id: 5 }, next_episode: null },
    { prev_episode: { id: 2 }, next_episode: { id: 5 } },
  ])
  expect([counted.episodes_count, (await work(1)).episodes_count]).toEqual([5, 4])
})

test('a changed row appears in its new form wherever it is shown', async () => {
  const nested = () => one('/v1/casts?filter_ids=1&fields=work.title,character.name,person.name')
  const before = await nested()
  for (const table of ['characters', 'people'])
    store.handle.run(`update ${table} set name = '変' where id = 1`)
  store.handle.run("update works set title = '変' where id = 1")
  expect(before).toEqual({
    work: { title: '星降る庭' },
    character: { name: aoi.name },
    person: { name: aoi.name },
  })
  expect(await nested()).toEqual({ work: { title: '変' }, character: { name: '変' }, person: { name: '変' } })
})

test('hiding a work removes its episodes, staff and casts from their lists, and showing it brings them back', async () => {
  const counts = () =>
    Promise.all(
      ['works', 'episodes', 'staffs', 'casts'].map(async (key) => (await json(`/v1/${key}`)).total_count),
    )
  const before = await counts()
  store.handle.run('update works set hidden = 1 where id = 2')
  const without = await counts()
  store.handle.run('update works set hidden = 0 where id = 2')
  expect([before, without, await counts()]).toEqual([
    [9, 5, 3, 3],
    [8, 4, 2, 2],
    [9, 5, 3, 3],
  ])
})
