import { afterAll, beforeAll, expect, test } from 'bun:test'
import { buildSchema, type GraphQLNamedType, getNamedType, isObjectType, isUnionType } from 'graphql'
import { beginDeletion, finishDeletion } from '../../src/accounts/account/deletion'
import { changeStanding } from '../../src/accounts/account/standing'
import { createUser } from '../../src/accounts/account/user'
import { endpoints, routes } from '../../src/app'
import { idOf, post } from '../graphql/support'
import { createInstance, type Instance } from '../support/instance'
import { kinds, perform, references } from '../support/member-rows'
import { pageSamples } from '../support/page-samples'
import { fill } from '../support/seed'
import { createMember } from '../support/visitor'

/** `left` deleted the account and kept its comments, `erased` kept nothing. The last two are those whose texts pages show. */
const writers: readonly string[] = ['erased', 'disabled', 'muted', 'left', 'ordinary']
const mayShow = ['ordinary', 'left']
const shownColumns = 'catalogue_changes.reason records.comment reviews.body users.name'

// azusa reads. Everybody wrote about the episodes and works that the samples show and did all else that leaves rows; each
// text in the tables of people says whose it is and where it is kept. She follows them all.
let kiroku: Instance
let token: string
let addresses: readonly string[]
beforeAll(async () => {
  kiroku = await createInstance({ config: { registration: 'open' } })
  const samples = await pageSamples(kiroku)
  await fill(kiroku.store, channel)
  token = await kiroku.tokenOf('azusa', 'read write')
  for (const writer of writers) await write(writer)
  writers.forEach(mark)
  await send(token, '/v1/me/mutes?username=muted')
  await changeStanding(kiroku.deps, userId('disabled'), 'disable')
  for (const writer of ['left', 'erased']) {
    const deletion = { userId: userId(writer), keepsComments: writer === 'left' }
    await beginDeletion(kiroku.deps, deletion)
    await finishDeletion(kiroku.deps, deletion.userId)
  }
  // The ways to a provider show nothing.
  const elsewhere = /^\/(v1|oauth|sign_in\/with)\/|\./
  const pages = routes.filter(({ method, path }) => method === 'GET' && !elsewhere.test(path))
  const paths = pages.map(({ path }) => samples[path] ?? path).filter((path) => !path.endsWith('/:file'))
  expect(paths.filter((path) => path.includes(':'))).toEqual([])
  addresses = paths.map((path) => `${path}${path.includes('?') ? '&' : '?'}spoilers=show&texts=whole`)
})
afterAll(() => kiroku.close())

const channel = {
  channel_groups: [{ id: 1, name: '地上波', source_id: 1 }],
  channels: [{ id: 1, channel_group_id: 1, name: 'テレビ' }],
}

const userId = (username: string): number =>
  kiroku.store.handle.query<{ id: number }, [string]>('select id from users where username = ?').get(username)
    ?.id ?? 0

async function send(bearer: string, target: string): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await kiroku.ask(target, { method: 'POST', headers })
  expect([target, response.status]).toEqual([target, expect.any(Number)])
  expect(response.status).toBeLessThan(300)
}

async function write(username: string): Promise<void> {
  const password = 'correct horse battery'
  await createUser(kiroku.deps, { username, email: `${username}@example.com`, password, isAdmin: false })
  const own = await kiroku.tokenOf(username, 'read write')
  for (const episode of [1, 2]) await send(own, `/v1/me/records?episode_id=${episode}&comment=x`)
  for (const work of [1, 3]) await send(own, `/v1/me/reviews?work_id=${work}&body=x`)
  await send(token, `/v1/me/follows?username=${username}`)
  // Who has a block sees nothing of the other side.
  for (const kind of kinds.filter((one) => one !== 'block'))
    perform(kiroku.store.handle, [kind, userId(username), userId('azusa'), 2])
  perform(kiroku.store.handle, ['report', userId('azusa'), userId(username), 2])
}

/** Every column of any text in every table with rows of people, according to the schema; users themselves by their id. */
const textColumns = () =>
  [
    ...references(kiroku.store.handle).filter(([table]) => table !== 'users'),
    ['users', 'id'] as const,
  ].flatMap(([table, owner]) =>
    kiroku.store.handle
      .query<{ name: string }, []>(
        `select name from pragma_table_info('${table}') where type = 'TEXT' and name not like '%_key'`,
      )
      .all()
      .map(({ name }) => ({ table, owner, name })),
  )

/** Columns that may hold only some texts refuse this one. */
function mark(writer: string): void {
  for (const { table, owner, name } of textColumns())
    kiroku.store.handle
      .query(`update or ignore ${table} set ${name} = ? where ${owner} = ?`)
      .run(`by-${writer}-in-${table}.${name}`, userId(writer))
}

const marksIn = (text: string) => [...text.matchAll(/by-([a-z]+)-in-([a-z_]+\.[a-z_]+)/g)]

/** Whose texts are in it, or whose name is. */
const writersIn = (text: string) => {
  const marked = marksIn(text).map(([, writer = '']) => writer)
  return writers.filter((writer) => marked.includes(writer) || new RegExp(`/@${writer}\\b`).test(text))
}

test('every table of people with texts has rows of the writers', () => {
  const lacking = new Set<string>()
  for (const { table, owner } of textColumns()) {
    const [{ n = 0 } = {}] = kiroku.store.handle
      .query<{ n: number }, [number]>(`select count(*) as n from ${table} where ${owner} = ?`)
      .all(userId('ordinary'))
    if (n === 0) lacking.add(table)
  }
  // Secrets, and the files and choices of imports. For another table add a deed to member-rows.ts.
  const own = 'authorization_codes device_grants list_choices list_imports one_time_links'
  expect([...lacking].toSorted().join(' ')).toBe(own)
})

test('no page shows texts or names of people whom the reader muted or an administrator disabled', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  const [showing, columns]: [string[], Set<string>] = [[], new Set()]
  for (const path of addresses) {
    const { text, status } = await azusa.open(path)
    expect([path, status < 500]).toEqual([path, true])
    const found = writersIn(text)
    if (found.length > 0) showing.push(path)
    const named = path.startsWith('/settings/privacy?') ? ['muted'] : []
    expect([path, found.filter((writer) => !mayShow.includes(writer))]).toEqual([path, named])
    for (const [, , column = ''] of marksIn(text)) columns.add(column)
  }
  expect([...columns].toSorted().join(' ')).toBe(shownColumns)
  // Pages of a work, a film, an episode, of activity, notifications, members and who asks to follow: what is looked for is there.
  expect(showing.map((path) => path.replace(/\?.*/, ''))).toContainAllValues([
    ...['/works/1', '/works/1/history', '/works/3/umi', '/works/1/episodes/2'],
    ...['/activity', '/activity/everyone', '/notifications', '/settings/privacy'],
    ...['/people', '/@azusa/followers', '/@azusa/following'],
  ])
})

test('no page of somebody who is disabled or has left shows what they wrote', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  const paths = addresses.filter((path) => path.startsWith('/@azusa'))
  expect(paths.length).toBeGreaterThan(5)
  for (const writer of ['erased', 'disabled', 'left'])
    for (const path of paths.map((path) => path.replace('azusa', writer))) {
      const { status, text } = await azusa.open(path)
      expect([path, status, writersIn(text)]).toEqual([path, 404, []])
    }
})

test('kept comments of a deleted account are shown without a link to its profile, which is gone', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  for (const path of ['/works/3', '/works/1/episodes/2?spoilers=show']) {
    const { text } = await azusa.open(path)
    expect(text).toContain('by-left-in-')
    expect(text).toContain('Former member')
    expect(text).not.toContain('deleted_')
  }
})

test('no link on them leads to a page that is not there', async () => {
  const azusa = await createMember(kiroku, 'azusa')
  const links = new Set<string>()
  for (const path of ['/works/1', '/works/3', '/works/1/episodes/2'])
    for (const [, link = ''] of (await azusa.open(`${path}?spoilers=show`)).text.matchAll(
      /href="(\/@[^"?#]*)"/g,
    ))
      links.add(link)
  expect([...links]).toContain('/@ordinary')
  for (const link of links) expect([link, (await azusa.open(link)).status]).toEqual([link, 200])
})

/** The rule of lists in REST and GraphQL: all see the same rows (D73), but one's own feed and notifications leave out the muted (D38, D118). */
const listed = ['disabled', 'muted', 'left', 'ordinary']
const people = ['disabled', 'muted', 'ordinary']
const feed = ['disabled', 'ordinary']

test('every list of the API shows the same texts to everybody, those of deleted accounts to nobody', async () => {
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  const found: Record<string, readonly string[]> = {}
  for (const { path } of lists.filter(({ path }) => path !== '/v1/comments')) {
    const headers = { authorization: `Bearer ${token}` }
    const names = writersIn(await (await kiroku.ask(`${path}?per_page=50`, { headers })).text())
    if (names.length > 0) found[path] = names
  }
  expect(found).toEqual({
    '/v1/activities': people,
    '/v1/followers': people,
    '/v1/following': people,
    '/v1/me/follow_requests': people,
    '/v1/me/following_activities': feed,
    '/v1/me/notifications': feed,
    '/v1/records': listed,
    '/v1/reviews': listed,
    '/v1/users': people,
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
  'User.followers': { query: 'viewer { followers { nodes { name description url } } }', shown: people },
  'User.following': { query: 'viewer { following { nodes { name description url } } }', shown: people },
  'User.libraryEntries': {
    query: 'user(username: "ordinary") { libraryEntries { nodes { note } } }',
    shown: [],
  },
  'User.records': { query: `user(username: "muted") { records { ${records} } }`, shown: ['muted'] },
}

/** Whether its rows belong to people. */
function isOfPeople(type: GraphQLNamedType | undefined): boolean {
  if (isUnionType(type)) return type.getTypes().some(isOfPeople)
  if (!isObjectType(type)) return false
  const { user } = type.getFields()
  return type.name === 'User' || (user !== undefined && getNamedType(user.type).name === 'User')
}

test('and so does every connection of GraphQL', async () => {
  const schema = buildSchema(await Bun.file('docs/schema.graphql').text())
  const connections = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ type: of }) => /Connection$/.test(getNamedType(of).name))
          .filter(({ type: of }) =>
            isOfPeople(schema.getType(getNamedType(of).name.replace(/Connection$/, ''))),
          )
          .map(({ name }) => `${type.name}.${name}`)
          .filter((name) => name !== 'MultipleRecord.records') // inside an activity, of the same person
      : [],
  )
  expect(connections.toSorted()).toEqual(Object.keys(inGraphql).toSorted())
  for (const [connection, { query, shown }] of Object.entries(inGraphql)) {
    const response = await post(kiroku, { query: `{ ${query} }` }, token)
    expect([connection, writersIn(await response.text())]).toEqual([connection, [...shown]])
  }
})
