import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Body, createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { data, errors } = asking(kiroku)

const paged = `query ($first: Int, $last: Int, $after: String, $before: String) {
  searchWorks(first: $first, last: $last, after: $after, before: $before) {
    nodes { annictId } edges { cursor node { annictId } }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`

const cursor = (position: number) => Buffer.from(String(position)).toString('base64url')
const all = [1, 2, 3, 4, 5, 6, 7, 8, 10]

async function pageOf(args: Body) {
  const { searchWorks } = await data(paged, args)
  const { nodes, edges, pageInfo } = searchWorks
  expect(edges.map((edge: Body) => edge.node)).toEqual(nodes)
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
    edges[0]?.cursor ?? null,
    edges.at(-1)?.cursor ?? null,
  ])
  return { ids: nodes.map(({ annictId }: Body) => annictId), pageInfo, edges }
}

test.each([['first'], ['last']])('a negative %s is an error', async (name) => {
  expect(await errors(paged, { [name]: -1 })).toEqual([`${name} must not be negative`])
})

test('without first and last all rows are returned; unreadable cursors mean the start', async () => {
  for (const after of [undefined, null, '', 'null', 'none', '%%%', 'a'.repeat(5000)]) {
    const { ids, pageInfo } = await pageOf({ after })
    expect([after, ids, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([after, all, false, false])
  }
  expect((await pageOf({ before: '' })).ids).toEqual(all)
  expect((await pageOf({ first: 0 })).ids).toEqual([])
})

test('any page is a slice of the whole, and says whether there is more', async () => {
  const count = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined })
  const args = fc.record({ first: count, last: count, after: count, before: count })
  await fc.assert(
    fc.asyncProperty(args, async ({ first, last, after, before }) => {
      const { ids, pageInfo } = await pageOf({
        ...{ first, last },
        after: after === undefined ? undefined : cursor(after),
        before: before === undefined ? undefined : cursor(before),
      })
      const between = all.slice(after ?? 0, before === undefined ? undefined : Math.max(0, before - 1))
      const front = between.slice(0, first)
      const shown = last === undefined ? front : front.slice(Math.max(0, front.length - last))
      expect(ids).toEqual(shown)
      expect(pageInfo.hasNextPage).toBe(
        before !== undefined || (first !== undefined && between.length > first),
      )
      expect(pageInfo.hasPreviousPage).toBe((after ?? 0) > 0 || (last !== undefined && front.length > last))
    }),
    { numRuns: 300 },
  )
})

test('following endCursor yields every row once, in nested lists too', async () => {
  for (const first of [1, 2, 4]) {
    const seen: number[] = []
    for (let after = ''; ; ) {
      const { ids, pageInfo } = await pageOf({ first, after })
      seen.push(...ids)
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(seen).toEqual(all)
  }
  const nested =
    await data(`{ searchWorks(annictIds: [1, 2]) { nodes { episodes(first: 2, after: "${cursor(1)}") {
    nodes { annictId } pageInfo { hasNextPage hasPreviousPage startCursor } } } } }`)
  expect(nested.searchWorks.nodes).toEqual([
    {
      episodes: {
        nodes: [{ annictId: 2 }, { annictId: 3 }],
        pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: cursor(2) },
      },
    },
    { episodes: { nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null } } },
  ])
})
