import { afterAll, beforeAll, expect, test } from 'bun:test'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { beginDeletion, finishDeletion } from '../../src/accounts/account/deletion'
import { changeStanding } from '../../src/accounts/account/standing'
import { createUser } from '../../src/accounts/account/user'
import { endpoints, routes } from '../../src/app'
import { idOf, post } from '../graphql/support'
import { createInstance, type Instance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { createMember } from '../support/visitor'

/** `left` deleted the account and kept its comments, `erased` kept nothing. */
const writers: readonly string[] = ['ordinary', 'muted', 'disabled', 'left', 'erased']

// azusa reads. Everybody wrote about the episodes and works that the samples show, and she follows them all.
let kiroku: Instance
let token: string
let addresses: readonly string[]
beforeAll(async () => {
  kiroku = await createInstance({ config: { registration: 'open' } })
  const samples = await pageSamples(kiroku)
  token = await kiroku.tokenOf('azusa', 'read write')
  for (const writer of writers) await write(writer)
  await send(token, '/v1/me/mutes?username=muted')
  await changeStanding(kiroku.deps, userId('disabled'), 'disable')
  for (const writer of ['left', 'erased']) {
    const deletion = { userId: userId(writer), keepsComments: writer === 'left' }
    await beginDeletion(kiroku.deps, deletion)
    await finishDeletion(kiroku.deps, deletion.userId)
  }
  const pages = routes.filter(({ method, path }) => method === 'GET' && !/^\/(v1|oauth)\/|\./.test(path))
  const paths = pages.map(({ path }) => samples[path] ?? path).filter((path) => !path.includes(':'))
  addresses = paths.map((path) => `${path}${path.includes('?') ? '&' : '?'}spoilers=show&texts=whole`)
})
afterAll(() => kiroku.close())

const userId = (username: string): number =>
  kiroku.store.handle.query<{ id: number }, [string]>('select id from users where username = ?').get(username)
    ?.id ?? 0

async function send(bearer: string, target: string): Promise<void> {
  const response = await kiroku.ask(target, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
  })
  expect([target, response.status]).toEqual([target, expect.any(Number)])
  expect(response.status).toBeLessThan(300)
}

async function write(username: string): Promise<void> {
  const password = 'correct horse battery'
  await createUser(kiroku.deps, { username, email: `${username}@example.com`, password, isAdmin: false })
  const own = await kiroku.tokenOf(username, 'read write')
  for (const episode of [1, 2]) await send(own, `/v1/me/records?episode_id=${episode}&comment=by-${username}`)
  for (const work of [1, 3]) await send(own, `/v1/me/reviews?work_id=${work}&body=by-${username}`)
  await send(token, `/v1/me/follows?username=${username}`)
}

/** Whose texts are in it, or whose name is. */
const writersIn = (text: string) =>
  writers.filter((writer) => new RegExp(`by-${writer}|/@${writer}\\b`).test(text))

test('no page shows texts or names of people whom the reader muted or an administrator disabled', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  const showing: string[] = []
  for (const path of addresses) {
    const found = writersIn((await azusa.open(path)).text)
    if (found.length > 0) showing.push(path)
    expect([path, found.filter((writer) => writer !== 'ordinary' && writer !== 'left')]).toEqual([path, []])
  }
  // Pages of a work, a film and an episode: what is looked for is there.
  expect(showing.map((path) => path.replace(/\?.*/, ''))).toContainAllValues([
    '/works/1',
    '/works/3/umi',
    '/works/1/episodes/2',
  ])
})

test('kept comments of a deleted account are shown without a link to its profile, which is gone', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  for (const path of ['/works/3', '/works/1/episodes/2?spoilers=show']) {
    const { text } = await azusa.open(path)
    expect(text).toContain('by-left')
    expect(text).toContain('Former member')
    expect(text).not.toContain('deleted_')
  }
})

test('no link on them leads to a page that is not there', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  const links = new Set<string>()
  for (const path of [
    '/works/1?spoilers=show',
    '/works/3?spoilers=show',
    '/works/1/episodes/2?spoilers=show',
  ])
    for (const [, link = ''] of (await azusa.open(path)).text.matchAll(/href="(\/@[^"?#]*)"/g))
      links.add(link)
  expect([...links]).toContain('/@ordinary')
  for (const link of links) expect([link, (await azusa.open(link)).status]).toEqual([link, 200])
})

/** The rule of lists in REST and GraphQL: all see the same rows (D73), but one's own feed leaves out the muted (D38). */
const listed = ['ordinary', 'muted', 'disabled', 'left']
const feed = ['ordinary', 'disabled']

test('every list of the API shows the same texts to everybody, those of deleted accounts to nobody', async () => {
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  const found: Record<string, readonly string[]> = {}
  for (const { path } of lists) {
    const headers = { authorization: `Bearer ${token}` }
    const names = writersIn(await (await kiroku.ask(`${path}?per_page=50`, { headers })).text())
    if (names.length > 0) found[path] = names
  }
  expect(found).toEqual({
    '/v1/activities': ['ordinary', 'muted', 'disabled'],
    '/v1/me/following_activities': feed,
    '/v1/records': listed,
    '/v1/reviews': listed,
  })
})

const records = 'nodes { comment }'
const activities = 'edges { item { ... on Record { comment } ... on Review { body } } }'
const inGraphql: Record<string, { query: string; shown: readonly string[] }> = {
  'Episode.records': {
    query: `node(id: "${idOf('Episode', 2)}") { ... on Episode { records { ${records} } } }`,
    shown: listed,
  },
  'Work.reviews': {
    query: `node(id: "${idOf('Work', 1)}") { ... on Work { reviews { nodes { body } } } }`,
    shown: listed,
  },
  'User.followingActivities': { query: `viewer { followingActivities { ${activities} } }`, shown: feed },
  'User.activities': {
    query: `user(username: "disabled") { activities { ${activities} } }`,
    shown: ['disabled'],
  },
  'User.records': { query: `user(username: "muted") { records { ${records} } }`, shown: ['muted'] },
}

test('and so does every connection of GraphQL', async () => {
  const schema = buildSchema(await Bun.file('docs/schema.graphql').text())
  const connections = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ type: of }) => /^(Record|Review|Activity)Connection$/.test(getNamedType(of).name))
          .map(({ name }) => `${type.name}.${name}`)
          // Inside an activity, of the same person.
          .filter((name) => name !== 'MultipleRecord.records')
      : [],
  )
  expect(connections.toSorted()).toEqual(Object.keys(inGraphql).toSorted())
  for (const [connection, { query, shown }] of Object.entries(inGraphql)) {
    const response = await post(kiroku, { query: `{ ${query} }` }, token)
    expect([connection, writersIn(await response.text())]).toEqual([connection, [...shown]])
  }
})
