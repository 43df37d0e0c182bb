import { afterAll, expect, test } from 'bun:test'
import { getIntrospectionQuery } from 'graphql'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, idOf, type Variables } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { result, errors } = asking(kiroku)

const largest = 60_000

/** Of one work; their ids start at 1,000. */
const insertEpisodes = (from: number, count: number) =>
  kiroku.store.handle.run(
    `with recursive n(i) as (select ?1 union all select i + 1 from n where i < ?1 + ?2 - 1)
     insert into episodes (id, work_id, sort_number, title, source_id) select 1000 + i, 8, i, 'x', 1 from n`,
    [from, count],
  )

insertEpisodes(1, largest - 1)

const times = (count: number, make: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => make(nth)).join(' ')

const deep = (depth: number) =>
  `${'{ viewer { followers { nodes '.repeat(1)}${'{ followers { nodes '.repeat((depth - 4) / 2)}{ id ${'}'.repeat(depth)}`

const mutations = (count: number) =>
  `mutation { ${times(count, (n) => `m${n}: updateStatus(input: {workId: "${idOf('Work', 99)}", state: WATCHED}) { clientMutationId }`)} }`

const works = (name: string, type: string) =>
  `query ($a: [${type}!]) { searchWorks(${name}: $a) { nodes { id } } }`
const some = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const nodes = 'query ($a: [ID!]!) { nodes(ids: $a) { id } }'

/** The same rows again and again. */
const sameEpisodes = (count: number, first: number) =>
  `{ ${times(count, (n) => `a${n}: searchEpisodes(first: ${first}) { edges { cursor } }`)} }`

const nodesTimes = (count: number, fields: string) =>
  `query ($a: [ID!]!) { ${times(count, (n) => `n${n}: nodes(ids: $a) { ${fields} }`)} }`

const largestIds = { a: Array.from({ length: 500 }, () => idOf('Work', 1)) }

/** From both sides: the last one accepted, and one more. */
const limits: readonly [
  name: string,
  accepted: string,
  refused: string,
  message: RegExp,
  variables?: readonly [Variables, Variables],
][] = [
  [
    'tokens',
    `{ viewer { id } } # ${'x '.repeat(20_000)}`,
    `{ viewer { ${'id '.repeat(15_000)} } }`,
    /15000 tokens/,
  ],
  ['depth', deep(14), deep(16), /more than 15 fields deep/],
  [
    'fields of fragments',
    `{ viewer { ${times(100, (_n) => `...A`)} } } fragment A on User { ${times(49, (n) => `a${n}: name`)} }`,
    `{ viewer { ${times(100, () => '...A')} } } fragment A on User { ${times(50, (n) => `a${n}: name`)} }`,
    /more than 5,000 fields/,
  ],
  ['mutations', mutations(250), mutations(251), /more than 250 mutations/],
  [
    '__schema',
    '{ a: __schema { queryType { name } } }',
    '{ a: __schema { queryType { name } } b: __schema { queryType { name } } }',
    /more than one __schema/,
  ],
  [
    'fields inside each other',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    '{ __type(name: "Work") { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
    /more than 3 times/,
  ],
  [
    'introspection',
    getIntrospectionQuery(),
    `{ __schema { ${times(100, (n) => `a${n}: types { fields { name args { name type { name } } } }`)} } }`,
    /too much of the schema/,
  ],
  [
    'titles',
    works('titles', 'String'),
    works('titles', 'String'),
    /titles must be at most 100/,
    [{ a: some(100, 'x') }, { a: some(101, 'x') }],
  ],
  [
    'length of a title',
    works('titles', 'String'),
    works('titles', 'String'),
    /300 characters/,
    [{ a: ['𠮷'.repeat(300)] }, { a: ['𠮷'.repeat(301)] }],
  ],
  [
    'annictIds',
    works('annictIds', 'Int'),
    works('annictIds', 'Int'),
    /annictIds must be at most 10,000/,
    [{ a: some(10_000, 1) }, { a: some(10_001, 1) }],
  ],
  [
    'values in lists of arguments',
    `query ($a: [Int!]) { ${times(10, (n) => `a${n}: searchWorks(annictIds: $a) { nodes { id } }`)} }`,
    `query ($a: [Int!]) { ${times(11, (n) => `a${n}: searchWorks(annictIds: $a) { nodes { id } }`)} }`,
    /more than 100,000 values/,
    [{ a: some(10_000, 1) }, { a: some(10_000, 1) }],
  ],
  ['rows under aliases', sameEpisodes(10, 6000), sameEpisodes(11, 6000), /more than 60,000 rows/],
  [
    'rows of lists under aliases in lists',
    `{ searchWorks(annictIds: [8]) { nodes { ${times(2, (n) => `a${n}: episodes(first: 29999) { nodes { id } }`)} } } }`,
    `{ searchWorks(annictIds: [8]) { nodes { ${times(2, (n) => `a${n}: episodes(first: 30000) { nodes { id } }`)} } } }`,
    /more than 60,000 rows/,
  ],
  [
    'rows of ids',
    nodesTimes(120, 'id'),
    nodesTimes(121, 'id'),
    /more than 60,000 rows/,
    [largestIds, largestIds],
  ],
  [
    'fields of rows',
    `{ searchEpisodes(first: 12000) { nodes { ${times(49, (n) => `a${n}: id`)} } } }`,
    `{ searchEpisodes(first: 12001) { nodes { ${times(49, (n) => `a${n}: id`)} } } }`,
    /more than 600,000 fields/,
  ],
  [
    'fields of ids',
    nodesTimes(
      24,
      times(49, (n) => `a${n}: id`),
    ),
    nodesTimes(
      25,
      times(49, (n) => `a${n}: id`),
    ),
    /more than 600,000 fields/,
    [largestIds, largestIds],
  ],
  ['ids', nodes, nodes, /ids must be at most 500/, [{ a: some(500, 'x') }, { a: some(501, 'x') }]],
]

const cases = limits.map(([name, accepted, refused, message, variables]) => {
  return { name, accepted, refused, message, variables }
})

test.each(cases)('$name: more than the limit is refused', async ({ refused, message, variables }) => {
  const told = await errors(refused, variables?.[1])
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(message)
})

test.each(cases)('$name: up to the limit it is answered', async ({ name, accepted, variables }) => {
  const told = await errors(accepted, variables?.[0])
  expect(told.filter((message) => !message.startsWith('not found'))).toEqual([])
  if (name === 'mutations') expect(told).toHaveLength(250)
})

test.each([
  ['a fragment that spreads itself', 'query { ...A } fragment A on Query { ...A }'],
  [
    'fragments in a circle',
    'query { ...A } fragment A on Query { ...B } fragment B on Query { viewer { id } ...A }',
  ],
  [
    'fragments that double',
    `query { ...F0 } ${times(40, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F40 on Query { viewer { id } }`,
  ],
  [
    'many fragments',
    `query { viewer { ${times(300, (n) => `...F${n}`)} } } ${times(300, (n) => `fragment F${n} on User { id }`)}`,
  ],
  ['one field again and again', `{ viewer { ${'id '.repeat(4000)} } }`],
  ['10,000 aliases', `{ ${times(10_000, (n) => `a${n}: viewer { id }`)} }`],
  ['nested selections', `${'{ a '.repeat(5000)}${'}'.repeat(5000)}`],
  ['nested lists', `{ searchWorks(titles: ${'['.repeat(7000)}${']'.repeat(7000)}) { nodes { id } } }`],
  ['nested fragments', `{ viewer { ${'... { '.repeat(2000)} id ${'}'.repeat(2002)}`],
])('%s: an error, and a short one', async (_, query) => {
  const answer = await result(query)
  expect([Object.keys(answer), answer.errors.length > 0]).toEqual([['errors'], true])
  expect(JSON.stringify(answer).length).toBeLessThan(25_000)
})

test('lists nested in variables are an error', async () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const body = `{"query":"query ($a: [String!]) { searchWorks(titles: $a) { nodes { id } } }","variables":{"a":${nested}}}`
  const response = await kiroku.get('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['errors']])
})

test('60,000 rows are answered, in pieces between which other requests are; one more is refused as a whole', async () => {
  const all = (first?: number) =>
    `{ node(id: "${idOf('Work', 8)}") { ... on Work { episodes${first === undefined ? '' : `(first: ${first})`} { nodes { id work { id } } } } } viewer { libraryEntries(first: 1) { nodes { id } } } }`
  const order: string[] = []
  const [{ data }] = await Promise.all([
    result(all()).finally(() => order.push('large')),
    result('{ viewer { username } }').finally(() => order.push('small')),
  ])
  expect(order).toEqual(['small', 'large'])
  expect([data.node.episodes.nodes.length, data.viewer.libraryEntries.nodes.length]).toEqual([largest - 1, 1])
  insertEpisodes(largest, 1)
  const message = 'the query asks for more than 60,000 rows; ask for fewer with first'
  expect(await result(all())).toEqual({ data: null, errors: [{ message }] })
  const nested = '{ searchWorks(annictIds: [1, 8]) { nodes { episodes { edges { cursor } } } } }'
  expect(await result(nested)).toEqual({ data: null, errors: [{ message }] })
  const { data: last } = await result(`{ searchEpisodes(last: 1) { edges { cursor node { annictId } } } }`)
  expect(last.searchEpisodes.edges).toEqual([
    { cursor: expect.any(String), node: { annictId: 1000 + largest } },
  ])
  expect((await result(all(largest - 1))).errors).toBe(undefined)
})

test('a response above 20 MB is refused before all of it is read', async () => {
  kiroku.store.handle.run(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
     insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
     select 1, 1, 1, printf('%.10000c', 'x'), 1, 1 from n`,
  )
  const message = 'the answer is larger than 20 MB; ask for less'
  const query = (first: number) => `{ viewer { records(first: ${first}) { nodes { comment } } } }`
  expect(await result(query(2100))).toEqual({ data: null, errors: [{ message }] })
  expect((await result(query(1900))).errors).toBe(undefined)
})

test('400 aliases are answered in pieces, between which other requests are', async () => {
  let turns = 0
  const isAnswered = { yet: false }
  const count = () => {
    turns += 1
    if (!isAnswered.yet) setImmediate(count)
  }
  setImmediate(count)
  const rows = 100
  const { data } = await result(
    `{ ${times(400, (n) => `a${n}: searchEpisodes(first: ${rows}) { nodes { id title } }`)} }`,
  )
  isAnswered.yet = true
  expect(data.a399.nodes).toHaveLength(rows)
  expect(turns).toBeGreaterThan((400 * rows * 3) / 5000)
})
