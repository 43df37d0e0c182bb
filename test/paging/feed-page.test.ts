import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { chunkSize } from '../../src/library/feed/feed'
import { pageOfFeed } from '../../src/library/feed/feed-page'

const actions = ['create_record', 'create_review', 'create_multiple_records', 'create_status']

/** A feed of several counted chunks; rarer actions are missing in some of them. */
function feedOf(length: number, every: number) {
  const ids = Array.from({ length }, (_, at) => at * 3 + 1)
  const told = ids.map((_, at) => {
    if (at % every === 0) return 'create_status'
    return at % 700 === 13 ? 'create_multiple_records' : (actions[at % 2] ?? '')
  })
  const counts: Map<string, number>[] = []
  for (const [at, action] of told.entries()) {
    const of = counts[Math.floor(at / chunkSize)] ?? new Map<string, number>()
    counts[Math.floor(at / chunkSize)] = of.set(action, (of.get(action) ?? 0) + 1)
  }
  return { ids, actions: told, counts }
}

test('a page of a feed equals filtering by action and slicing, in both directions (D38)', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.constantFrom(7, 900, 2500),
      fc.option(fc.subarray(actions), { nil: undefined }),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 50 }),
      fc.double({ min: 0, max: 1.1, noNaN: true }),
      (length, every, wanted, direction, limit, place) => {
        const feed = feedOf(length, every)
        const all = feed.ids.filter((_, at) => wanted?.includes(feed.actions[at] ?? '') ?? true)
        const ordered = direction === 'asc' ? all : all.toReversed()
        const offset = Math.floor((place * all.length) / limit) * limit
        expect(pageOfFeed(feed, wanted, { direction, offset, limit })).toEqual({
          ids: ordered.slice(offset, offset + limit),
          total: all.length,
        })
      },
    ),
  )
})
