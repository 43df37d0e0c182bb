import { afterAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { toGlobalId } from '../../src/graphql/declare/global-id'
import { hashSecret } from '../../src/lib/secret'
import { viewingRoutes } from '../../src/viewing/routes'
import { createInstance } from '../support/instance'
import { registerClient } from '../support/oauth'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { ids, markers, type PersonName, privateWork, profileMarkers, readable, writeMarkers } from './people'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
writeMarkers(kiroku)

const all = [...Object.keys(markers), ...profileMarkers, privateWork]
const markersIn = (text: string) => all.filter((marker) => text.includes(marker))

const people = ['owner', 'secretive']
const shown = Object.values(markers)

/** What names the rows or their people, in every way that a list has. */
const filters: Readonly<Record<string, readonly string[]>> = {
  filter_username: people,
  filter_user_id: people.map((name) => String(ids[name as PersonName])),
  filter_usernames: people,
  filter_ids: [...shown, ...Object.values(ids)].map(String),
  filter_query: people,
  filter_work_id: ['1'],
  filter_episode_id: ['1'],
  filter_record_id: shown.map(String),
  filter_review_id: shown.map(String),
  sort_likes_count: ['asc', 'desc'],
  filter_has_record_comment: ['true'],
  filter_has_review_body: ['true'],
}

const lists = endpoints
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  .flatMap(({ path, operation }) => {
    const named = Object.entries(filters).filter(([name]) => name in operation.params)
    const queries = named.flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
    // Comments are listed under one record or review only.
    const none = 'filter_record_id' in operation.params ? [] : ['']
    return [...none, ...queries].map((query) =>
      `${path}?per_page=50&sort_id=desc&${query}`.replace(/sort_id=desc&(?=sort_)/, ''),
    )
  })
  .map((url) => (/\/v1\/me\?/.test(url) ? '/v1/me' : url))

const activity = `edges { node { id } item {
  ... on Record { comment } ... on Review { body } ... on Status { work { title } }
  ... on MultipleRecord { records { nodes { comment } } } } }`
const person = `description url records { nodes { comment } } activities { ${activity} }
  followingActivities { ${activity} } libraryEntries { nodes { work { title } } } works { nodes { title } }`
const documents = [
  `{ viewer { ${person} } }`,
  ...people.map((name) => `{ user(username: "${name}") { ${person} } }`),
  `{ searchWorks(annictIds: [1]) { nodes { reviews { nodes { body user { description } } } episodes { nodes { records { nodes { comment user { description url } } } } } } } }`,
  `{ nodes(ids: ${JSON.stringify([
    ...shown.flatMap((id) => [toGlobalId('Record', id), toGlobalId('Review', id)]),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].flatMap((id) => [
      toGlobalId('MultipleRecord', id),
      toGlobalId('Status', id),
      toGlobalId('Activity', id),
      toGlobalId('User', id),
    ]),
    toGlobalId('Work', 900),
  ])}) { ... on Record { comment } ... on Review { body } ... on Status { work { title } } ... on Work { title }
    ... on MultipleRecord { records { nodes { comment } } } ... on User { description url } } }`,
]

const year = new Date(kiroku.clock.now).getUTCFullYear()
const pages = viewingRoutes
  .filter(({ method, path }) => method === 'GET' && !path.includes(':id/edit'))
  .flatMap(({ path }) =>
    people.map((name) =>
      path
        .replace(':username', name)
        .replace(':status', 'all')
        .replace(/:year|:period/, String(year))
        .replace(':month', String(new Date(kiroku.clock.now).getUTCMonth() + 1))
        .replace(':season', '2021-spring')
        .replace(':number', '1')
        .replace(':slug', 'x')
        .replace(':id', '1'),
    ),
  )
const allPages = [
  ...new Set([
    ...pages,
    '/works/1?spoilers=show',
    '/works/1/episodes/1?spoilers=show',
    '/activity?spoilers=show&texts=whole',
    '/activity/everyone?spoilers=show&texts=whole',
    ...people.map((name) => `/@${name}?spoilers=show`),
    ...people.map((name) => `/search?q=${name}`),
    ...shown.flatMap((id) => [`/records/${id}/edit`, `/viewings/${id}/edit`]),
    ...shown.flatMap((id) => [`/records/${id}?spoilers=show`, `/reviews/${id}?spoilers=show`]),
    '/works/900',
  ]),
]

async function readByApi(name: string, token: string): Promise<readonly string[]> {
  const found = new Set<string>()
  const note = (text: string) => {
    for (const marker of markersIn(text)) found.add(marker)
  }
  for (const target of lists) {
    const response = await kiroku.ask(target, { headers: { authorization: `Bearer ${token}` } })
    expect([name, target, response.status]).toEqual([name, target, 200])
    note(await response.text())
  }
  for (const query of documents) {
    const response = await kiroku.ask('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const text = await response.text()
    expect(text).not.toContain('"Cannot query')
    note(text)
  }
  return [...found].toSorted()
}

async function readOnPages(visitor: Visitor): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const target of allPages) {
    const { text, status } = await visitor.open(target)
    expect([target, status < 500]).toEqual([target, true])
    for (const marker of markersIn(text)) found.add(marker)
  }
  return [...found].toSorted()
}

const names = Object.keys(ids) as PersonName[]

test.each(names)('by the API, %s reads what they may see, and no more (D72, D73, D75)', async (name) => {
  const token = await kiroku.tokenOf(name, 'read')
  expect(await readByApi(name, token)).toEqual([...readable[name]].toSorted())
})

test('an application reads what its person may see', async () => {
  const client = await registerClient(kiroku)
  const own = await kiroku.tokenOf('stranger', 'read')
  kiroku.store.handle.run('update tokens set application_id = ? where token_hash = ?', [
    client.id,
    hashSecret(own),
  ])
  expect(await readByApi('application', own)).toEqual([...readable.stranger].toSorted())
})

test.each(names)('on pages, %s reads what they may see, and no more (D72, D75)', async (name) => {
  const found = await readOnPages(await createMember(kiroku, name))
  expect(found).toEqual(readable[name].toSorted())
})

test('pages of several people leave out muted ones, whose own pages stay (D78)', async () => {
  const muter = await createMember(kiroku, 'muter')
  const markersOf = async (target: string) => markersIn((await muter.open(target)).text)
  expect(await markersOf('/works/1?spoilers=show')).toEqual([])
  expect(await markersOf('/works/1/episodes/1?spoilers=show')).toEqual([])
  expect(await markersOf('/@owner?spoilers=show')).toEqual(['MARK-shared-record', 'MARK-shared-review'])
})

test('a visitor reads nothing of members (D64)', async () => {
  expect(await readOnPages(createVisitor(kiroku))).toEqual([])
})
