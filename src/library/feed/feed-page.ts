import type { Direction, FoundPage, PageRange } from '../../paging/query-plan'
import { chunkSize, type Feed } from './feed'

type FeedIds = Pick<Feed, 'ids' | 'actions' | 'counts'>

/** A page of a feed, optionally filtered by actions; the counts per chunk allow skipping whole chunks. */
export function pageOfFeed(
  feed: FeedIds,
  wanted: readonly string[] | undefined,
  { direction, offset, limit }: PageRange & { readonly direction: Direction },
): FoundPage {
  const counts = wanted && feed.counts.map((of) => sum(wanted.map((action) => of.get(action) ?? 0)))
  const total = counts ? sum(counts) : feed.ids.length
  const from = direction === 'asc' ? offset : Math.max(0, total - offset - limit)
  const n = direction === 'asc' ? limit : Math.max(0, Math.min(limit, total - offset))
  const ids = counts ? idsWithActions(feed, wanted, counts, from, n) : feed.ids.slice(from, from + n)
  return { ids: direction === 'asc' ? ids : ids.toReversed(), total }
}

function idsWithActions(
  { ids, actions, counts: { length } }: FeedIds,
  wanted: readonly string[],
  counts: readonly number[],
  from: number,
  n: number,
): number[] {
  let skip = from
  let chunk = 0
  for (; chunk < length && skip >= (counts[chunk] ?? 0); chunk++) skip -= counts[chunk] ?? 0
  const found: number[] = []
  for (let at = chunk * chunkSize; at < ids.length && found.length < n; at++) {
    if (!wanted.includes(actions[at] ?? '')) continue
    if (skip > 0) skip -= 1
    else found.push(ids[at] ?? 0)
  }
  return found
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
