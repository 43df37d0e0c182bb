import { afterAll, expect, spyOn, test } from 'bun:test'
import { GuardedConnection } from '../../src/db/connections'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { data } = asking(kiroku)

/** How many queries the resolvers of a document run. Time stands still, as a slow document would query in more pieces. */
async function queriesOf(query: string): Promise<number> {
  const clock = spyOn(performance, 'now').mockReturnValue(performance.now())
  const run = spyOn(GuardedConnection.prototype, 'execute')
  await data(query)
  const { length } = run.mock.calls
  run.mockRestore()
  clock.mockRestore()
  return length
}

const nested = (ids: readonly number[]) => `{ searchWorks(annictIds: [${ids}]) { nodes {
  episodes { nodes { viewerDidTrack work { title } nextEpisode { title } records { nodes { user { username } } } } }
  casts { nodes { character { name series { name } } person { name prefecture { name } } } }
  staffs { nodes { resource { ... on Person { name } ... on Organization { name } } } }
  reviews { nodes { body user { name } } } } } }`

test('a document runs as many queries for ten works as for one', async () => {
  const one = await queriesOf(nested([1]))
  expect(one).toBeWithin(10, 30)
  expect(await queriesOf(nested([1, 2, 3, 4, 5, 6, 7, 8, 10]))).toBe(one)
})

test('only columns that a document selects are read', async () => {
  const run = spyOn(GuardedConnection.prototype, 'execute')
  await data('{ searchWorks(first: 1) { nodes { title a: title } } }')
  const statements = run.mock.calls.map(([query]) => (query as unknown as { sql: string }).sql)
  run.mockRestore()
  expect(statements.some((sql) => sql.includes('"works"."title"'))).toBe(true)
  expect(statements.filter((sql) => /title_kana|og_image_url|viewerStatusState/.test(sql))).toEqual([])
})
